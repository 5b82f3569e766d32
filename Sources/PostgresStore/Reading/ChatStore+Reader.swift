import ChatStore

extension ChatStore {
    /// A connection that only reads a database of PostgreSQL. For tools.
    ///
    /// Throws an error whose description tells the operator what to do: when the server cannot be reached, and when the
    /// database has no store, or one of a newer version.
    package static func reader(postgres options: PostgresOptions) throws -> any StoreReader {
        let session = PostgresSession(try PostgresConnection(options.address, settings: options.settings))
        defer { session.connection.close() }
        try PostgresOpening.checkTables(session)
        return PostgresStoreReader(options, counters: PostgresCounters())
    }
}

extension PostgresOpening {
    /// Throws ``PostgresRefusal`` when the database has no tables of the store, or those of a newer version.
    static func checkTables(_ session: PostgresSession) throws {
        guard try session.first("SELECT count(*) FROM pg_tables WHERE tablename = 'schema'") > 0 else {
            throw PostgresRefusal.server(
                "The database has no store of Parley. Start a gateway on it, or name another one.")
        }
        guard try session.first("SELECT oldest FROM schema") <= version else { throw PostgresRefusal.newerVersion }
    }
}
