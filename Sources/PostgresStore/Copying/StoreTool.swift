import ChatModel
import ChatStore

extension ChatStore {
    /// A connection that only reads a database of PostgreSQL. For tools.
    ///
    /// It blocks the calling thread. Throws an error whose description tells the operator what to do: when the server
    /// cannot be reached, and when the database has no store, or one of a newer version.
    package static func reader(postgres options: PostgresOptions) throws -> any StoreReader {
        let session = PostgresSession(try options.connect(.tool))
        defer { session.connection.close() }
        try PostgresOpening.checkTables(session)
        return PostgresStoreReader(options, counters: PostgresCounters(), use: .tool)
    }
}

extension PostgresOpening {
    /// Throws ``PostgresRefusal`` when the database has no tables of the store, or those of a newer version.
    static func checkTables(_ session: PostgresSession) throws {
        guard try hasTables(session) else {
            throw PostgresRefusal.store("has no store of Parley. Start a gateway on it, or name another one.")
        }
        try checkVersion(session)
    }

    /// Locks out all writers until the transaction ends. Throws ``PostgresRefusal`` while a gateway or a standby is at
    /// the database, or was until some seconds ago.
    static func lockOutGateways(_ session: PostgresSession) throws {
        do throws(PostgresError) {
            try session.hold("SELECT 1 FROM writer WHERE id = 1 FOR UPDATE NOWAIT")
            try session.flush()
        } catch {
            guard error.kind == .transient else { throw error }
            throw PostgresRefusal.store("is being written. Stop its gateways first.")
        }
        // A gateway that stops ends its own lease; one that was killed is here until it runs out.
        guard try session.first("SELECT count(*) FROM gateway WHERE until > clock_timestamp()") == 0 else {
            throw PostgresRefusal.store(
                """
                is used by a gateway. Stop its gateways and standbys first. One that was killed is forgotten after \
                \(LeaseState.term.components.seconds) seconds.
                """)
        }
    }
}
