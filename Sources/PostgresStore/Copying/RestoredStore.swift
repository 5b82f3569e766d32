import ChatStore

/// Says that a database of PostgreSQL was restored, where no gateway can see it: its server was put back as a whole.
package enum RestoredStore {
    /// Makes the next gateway leap over the offsets that may have been given out. Throws ``PostgresRefusal`` when the
    /// database has no store, or a gateway uses it.
    ///
    /// It blocks the calling thread.
    package static func note(_ options: PostgresOptions) throws {
        let session = PostgresSession(try options.connect(.tool))
        defer { session.connection.close() }
        try PostgresOpening.checkTables(session)
        try session.hold("BEGIN")
        try PostgresOpening.lockOutGateways(session)
        try session.hold(PostgresWriter.forgetServer)
        try session.hold("COMMIT")
        try session.flush()
    }
}
