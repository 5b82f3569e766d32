import ChatModel
import ChatStore

/// An empty database of PostgreSQL, which a copy fills in one transaction.
package final class PostgresImport: StoreImport {
    private let session: PostgresSession
    private let environment: ModelEnvironment

    /// Makes the tables if they are missing. Throws ``PostgresRefusal`` when the database has anything in it, or a
    /// gateway serves it.
    package init(_ options: PostgresOptions, _ environment: ModelEnvironment) throws {
        self.environment = environment
        session = PostgresSession(try PostgresConnection(options.address, settings: options.settings))
        do {
            _ = try PostgresOpening.open(session, options, environment)
            try session.hold("BEGIN")
            // Nobody else writes until the copy is complete.
            try session.hold("SELECT 1 FROM writer WHERE id = 1 FOR UPDATE")
            try PostgresOpening.checkNobodyServes(session)
            let used = try session.first("SELECT (SELECT count(*) FROM committed) + (SELECT count(*) FROM account)")
            guard used == 0 else {
                throw PostgresRefusal.server("The database is in use. A copy needs an empty one.")
            }
        } catch {
            session.connection.close()
            throw error
        }
    }

    package func insert(_ row: [SQLValue], into table: CopiedTable) throws { try session.run(table.insertion, row) }

    package func finish(_ image: StoreImage) throws {
        try session.run(
            "UPDATE identity SET epoch = ?, instance = ?", [.text(image.epoch), .text(image.instance)])
        for (name, value) in image.meta {
            try session.run(
                "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [.text(name), .integer(value)])
        }
        var numbers = image.lastNumbers
        // SQLite draws the numbers of accounts from the rows.
        numbers["account"] = try session.first("SELECT coalesce(max(number), 0) FROM account")
        for (table, number) in numbers where number > 0 {
            _ = try session.first("SELECT setval(pg_get_serial_sequence('\(table)', 'number'), ?)", [.integer(number)])
        }
        // With this row the log's head is where it was, and the next commit joins on.
        try session.run(
            "INSERT INTO committed (number, place, first, gateway, at) VALUES (1, ?, ?, 'copy', ?)",
            [.integer(image.head), .integer(image.head), .integer(environment.now().milliseconds)])
        try session.hold("COMMIT")
        try session.flush()
    }

    package func close() { session.connection.close() }
}
