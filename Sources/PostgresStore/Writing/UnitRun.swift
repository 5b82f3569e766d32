import ChatModel
import ChatStore

/// One unit in its group's transaction, and the two ways in which it runs there.
struct UnitRun {
    let unit: GroupCommit.Unit
    /// Its place in the group, which a failure of its statements tells.
    let index: Int
    let transaction: WriteTransaction
    let session: PostgresSession
    let hot: HotRows

    /// A unit's own failure, nil if it has succeeded, and whether it has changed anything.
    typealias Outcome = (failure: ChatError?, hasChanged: Bool)

    /// Runs the unit without a savepoint, and waits for nothing. Throws ``FailureAfterChange`` when it would have
    /// to be undone.
    func together() throws -> Outcome {
        try session.begin(unit: index, isConfident: true)
        defer { session.endUnit() }
        transaction.begin()
        var failure: ChatError?
        do {
            try unit.run(transaction)
        } catch let error as PostgresError {
            throw error
        } catch {
            failure = ChatError(storage: error)
        }
        // The unit may have caught the error of a statement and gone on. The transaction has failed all the same.
        if let failure = session.failure { throw failure }
        let hasChanged = transaction.hasChanges
        if failure != nil {
            if hasChanged { throw FailureAfterChange(unit: index) }
            hot.undo()
        }
        try session.sendAhead()
        return (failure, hasChanged)
    }

    /// Runs the unit in a savepoint, and waits until the server has done its statements.
    ///
    /// - Parameters:
    ///   - rehearses: it runs and is undone before.
    ///   - isLast: a unit that takes too long fails, instead of the group.
    func alone(rehearses: Bool, isLast: Bool) throws -> Outcome {
        try session.begin(unit: index, isConfident: false)
        defer { session.endUnit() }
        if rehearses { try rehearse() }
        try transaction.savepoint()
        do {
            try unit.run(transaction)
            let hasChanged = transaction.hasChanges
            try transaction.release()
            try session.flush()
            // The unit may have caught the error of a statement and gone on. The transaction has failed all the same.
            if let failure = session.failure { throw failure }
            return (nil, hasChanged)
        } catch let error as PostgresError {
            // A statement of an earlier unit may be refused only now.
            let isOwn = error.label == index
            guard isOwn, error.kind == .statement || error.kind == .transient && isLast else { throw error }
            return try undone(error)
        } catch {
            try sendRest()
            return try undone(error)
        }
    }

    /// Runs the unit and undoes it.
    private func rehearse() throws {
        try transaction.savepoint()
        do {
            try unit.run(transaction)
        } catch let error as PostgresError {
            guard error.kind == .statement else { throw error }
        } catch {}
        try sendRest()
        _ = try undone(nil)
    }

    /// Sends what the unit has held back that will be undone: a refusal of it must not show in the next unit.
    private func sendRest() throws(PostgresError) {
        do {
            try session.flush()
        } catch {
            guard error.kind == .statement, error.label == index else { throw error }
        }
        if let failure = session.failure, failure.label != index { throw failure }
    }

    private func undone(_ error: (any Error)?) throws -> Outcome {
        session.forgetFailure()
        session.forgetCollected()
        try transaction.rollBack()
        return (error.map { ChatError(storage: $0) }, false)
    }
}

/// A unit without a savepoint has failed after it had changed something.
struct FailureAfterChange: Error {
    let unit: Int
}

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
