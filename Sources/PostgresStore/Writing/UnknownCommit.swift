import ChatModel
import ChatStore

/// What is done when the connection died between COMMIT and its answer.
extension PostgresWriter {
    /// How long is asked whether a commit took place.
    private static var patience: Duration { .seconds(20) }

    /// Returns when the commit took place whose answer was lost. Throws ``PostgresError`` of the kind `connection` when it
    /// did not: then the group may run again.
    ///
    /// Throws `storageFailed` when nobody can tell. Then the group must not run again: its units might be committed twice.
    func settleOrThrow(_ number: Int64) throws {
        close()
        var pause = Duration.milliseconds(50)
        let deadline = ContinuousClock.now + Self.patience
        while true {
            do throws(PostgresError) {
                guard try isCommitted(number) else {
                    throw PostgresError(
                        .connection, detail: "The connection was lost before the commit.", isSettled: true)
                }
                return
            } catch {
                if error.isSettled { throw error }
                close()
                guard ContinuousClock.now < deadline else {
                    throw ChatError(.storageFailed, "PostgreSQL was lost during a commit, which may have taken place.")
                }
                PostgresPause.wait(pause)
                pause = min(pause * 2, .seconds(2))
            }
        }
    }

    private func isCommitted(_ number: Int64) throws(PostgresError) -> Bool {
        let session = try connected()
        try session.hold("BEGIN")
        // The transaction in doubt has the lock until it has ended.
        try session.hold("SELECT 1 FROM writer WHERE id = 1 FOR UPDATE")
        let row = try session.connection.first(
            "SELECT 1 FROM committed WHERE number = ? AND process = ?", [.integer(number), .text(process)])
        // Where commits wait for a standby, this one is written after the one in doubt: both are there when it is.
        try session.hold(
            "INSERT INTO meta (name, value) VALUES ('settled', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [.integer(number)])
        try session.hold("SET LOCAL statement_timeout = 0")
        try session.hold("COMMIT")
        try session.flush()
        guard session.connection.takeNotices().isEmpty else {
            throw PostgresError(.connection, detail: "The commit was not waited for.")
        }
        return row != nil
    }
}
