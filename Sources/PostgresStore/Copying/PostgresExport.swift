import ChatModel
import ChatStore

/// A database of PostgreSQL, to be copied: one snapshot of it. No gateway can write meanwhile.
package final class PostgresExport: StoreExport {
    private let session: PostgresSession

    /// Throws ``PostgresRefusal`` when the database has no store, or one of a newer version, and when a gateway uses it.
    ///
    /// It blocks the calling thread, as all functions do.
    package init(_ options: PostgresOptions) throws {
        session = PostgresSession(try options.connect(.tool))
        do {
            try PostgresOpening.checkTables(session)
            try session.hold("BEGIN ISOLATION LEVEL REPEATABLE READ")
            try PostgresOpening.lockOutGateways(session)
        } catch {
            session.connection.close()
            throw error
        }
    }

    package func image() throws -> StoreImage {
        let identity = try PostgresOpening.read(session)
        var meta: [String: Int64] = [:]
        try session.query("SELECT name, value FROM meta", []) { row in
            if !StoreImage.ownNames.contains(row.text(0)) { meta[row.text(0)] = row.integer(1) }
            return true
        }
        var lastNumbers: [String: Int64] = [:]
        for table in StoreImage.numberedTables { lastNumbers[table] = try session.lastNumber(of: table) }
        return StoreImage(
            epoch: identity.epoch, instance: identity.instance, head: identity.head, floor: identity.floor,
            meta: meta, lastNumbers: lastNumbers)
    }

    package func rows(of table: CopiedTable, above floor: Int64, _ body: ([SQLValue]) throws -> Void) throws {
        try session.rows(of: table, above: floor, body)
    }

    package func files(after last: String?) throws -> (files: [KeptFile], next: String?) {
        try ReadTransaction(reading: session).keptFiles(after: last)
    }

    package func pieces(of file: KeptFile) throws -> ((Int64) throws -> [UInt8]?)? {
        try ReadTransaction(reading: session).pieces(of: file, in: .rows)
    }

    /// What tells the gateways' key from others; nil before the first gateway.
    package func keyDigest() throws -> [UInt8]? {
        var digest: [UInt8]?
        try session.query("SELECT keyDigest FROM identity WHERE keyDigest IS NOT NULL", []) { row in
            digest = row.withBlob(0) { Array($0) }
            return false
        }
        return digest
    }

    /// All secrets with their names, as they were encrypted.
    package func sealed(_ body: (_ name: String, _ bytes: [UInt8]) throws -> Void) throws {
        try session.query("SELECT name, bytes FROM sealed ORDER BY name", []) { row in
            try body(row.text(0), row.withBlob(1) { Array($0) })
            return true
        }
    }

    package func close() { session.connection.close() }
}

extension PostgresSession {
    /// The last number that was drawn for a table; 0 before the first.
    func lastNumber(of table: String) throws -> Int64 {
        try first(
            """
            SELECT coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = current_schema() \
            AND sequencename = '\(table)_number_seq'
            """)
    }

    /// Calls the closure with each row of a table, some of which are in memory at a time. In a transaction.
    func rows(of table: CopiedTable, above floor: Int64, _ body: ([SQLValue]) throws -> Void) throws {
        // A name for each table: a prepared FETCH returns the same columns each time.
        let cursor = "copied_" + table.name
        try hold("DECLARE \(cursor) NO SCROLL CURSOR FOR \(table.selection(above: floor))")
        while true {
            var count = 0
            try query("FETCH 256 FROM \(cursor)", []) { row in
                try body(Self.values(of: row, table))
                count += 1
                return true
            }
            if count < 256 { break }
        }
        try hold("CLOSE \(cursor)")
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
}
