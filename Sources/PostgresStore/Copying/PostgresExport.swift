import ChatModel
import ChatStore

/// A database of PostgreSQL, to be copied: one snapshot of it.
package final class PostgresExport: StoreExport {
    private let session: PostgresSession

    /// Throws ``PostgresRefusal`` when the database has no store, or one of a newer version, and when a gateway serves
    /// it.
    package init(_ options: PostgresOptions) throws {
        session = PostgresSession(try PostgresConnection(options.address, settings: options.settings))
        do {
            try PostgresOpening.checkTables(session)
            try PostgresOpening.checkNobodyServes(session)
            try session.hold("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        } catch {
            session.connection.close()
            throw error
        }
    }

    package func image() throws -> StoreImage {
        let identity = try PostgresOpening.read(session)
        var meta: [String: Int64] = [:]
        try session.query("SELECT name, value FROM meta WHERE name NOT IN ('head', 'probe')", []) { row in
            meta[row.text(0)] = row.integer(1)
            return true
        }
        var lastNumbers: [String: Int64] = [:]
        for table in StoreImage.numberedTables {
            lastNumbers[table] = try session.first(
                """
                SELECT coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = current_schema() \
                AND sequencename = '\(table)_number_seq'
                """)
        }
        return StoreImage(
            epoch: identity.epoch, instance: identity.instance, head: identity.head, meta: meta,
            lastNumbers: lastNumbers)
    }

    package func rows(of table: CopiedTable, _ body: ([SQLValue]) throws -> Void) throws {
        try session.hold("DECLARE copied NO SCROLL CURSOR FOR SELECT \(table.columnNames) FROM \(table.name)")
        while true {
            var count = 0
            try session.query("FETCH 128 FROM copied", []) { row in
                try body(Self.values(of: row, table))
                count += 1
                return true
            }
            if count < 128 { break }
        }
        try session.hold("CLOSE copied")
    }

    private static func values(of row: any RemoteRow, _ table: CopiedTable) -> [SQLValue] {
        zip(Int32(0)..., table.columns).map { index, column in
            guard !row.isNull(index) else { return .null }
            return switch column.kind {
            case .integer: .integer(row.integer(index))
            case .text: .text(row.text(index))
            case .blob: .blob(row.withBlob(index) { Array($0) })
            }
        }
    }

    package func close() { session.connection.close() }
}

extension PostgresOpening {
    /// Throws ``PostgresRefusal`` while a gateway's lease on the database has not run out.
    static func checkNobodyServes(_ session: PostgresSession) throws {
        guard try session.first("SELECT count(*) FROM gateway WHERE until > clock_timestamp()") == 0 else {
            throw PostgresRefusal.server("A gateway serves the database. Stop all its gateways first.")
        }
    }
}
