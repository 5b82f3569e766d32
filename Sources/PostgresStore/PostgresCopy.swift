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

    private static func values(of row: any EngineRow, _ table: CopiedTable) -> [SQLValue] {
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

/// An empty database of PostgreSQL, which a copy fills in one transaction.
package final class PostgresImport: StoreImport {
    private let session: PostgresSession
    private let environment: ModelEnvironment
    private let keyDigest: [UInt8]?
    private var isOpen = true
    private var waiting = Waiting()

    /// Rows that were not given to the server yet, all of one table.
    private struct Waiting {
        var table: CopiedTable?
        var values: [SQLValue] = []
        var rows = 0
        var bytes = 0
    }

    /// How much one statement takes at most. A statement has at most 65,535 parameters.
    private static let limit = (rows: 256, bytes: 1 << 20)

    /// Makes the tables if they are missing. Throws ``PostgresRefusal`` when the database has anything in it, or a
    /// gateway uses it.
    ///
    /// It blocks the calling thread, as all functions do.
    package init(_ options: PostgresOptions, _ environment: ModelEnvironment) throws {
        self.environment = environment
        keyDigest = options.keyDigest
        // The digest comes with the copy: an earlier one that was cut off may have had another key.
        var options = options
        options.keyDigest = nil
        session = PostgresSession(try options.connect(.tool))
        do {
            _ = try PostgresOpening.open(session, options, environment)
            try session.hold("BEGIN ISOLATION LEVEL READ COMMITTED")
            try PostgresOpening.lockOutGateways(session)
            for table in try ["committed", "filePart", "sealed"] + CopiedTable.all().map(\.name) {
                guard try session.first("SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT 1) found") == 0 else {
                    throw PostgresRefusal.store("is not empty: it has rows in \(table). A copy needs an empty one.")
                }
            }
        } catch {
            session.connection.close()
            throw error
        }
    }

    package func insert(_ row: [SQLValue], into table: CopiedTable) throws {
        if let name = waiting.table?.name, name != table.name { try send() }
        waiting.table = table
        waiting.values += row
        waiting.rows += 1
        waiting.bytes += row.reduce(0) { $0 + $1.byteCount }
        if waiting.rows >= Self.limit.rows || waiting.bytes >= Self.limit.bytes { try send() }
    }

    package var filePlace: FilePlace { .rows }

    private static let fileParts = CopiedTable(
        name: "filePart",
        columns: [
            CopiedTable.Column(name: "attachment", kind: .text), CopiedTable.Column(name: "number", kind: .integer),
            CopiedTable.Column(name: "bytes", kind: .blob),
        ])

    package func storeFile(_ file: KeptFile, _ piece: (Int64) throws -> [UInt8]?) throws {
        var number: Int64 = 0
        while let bytes = try piece(number) {
            try insert([.text(file.id), .integer(number), .blob(bytes)], into: Self.fileParts)
            number += 1
        }
    }

    /// Saves a secret, which was encrypted, under its name.
    package func saveSealed(_ bytes: [UInt8], name: String) throws {
        try session.run("INSERT INTO sealed (name, bytes) VALUES (?, ?)", [.text(name), .blob(bytes)])
    }

    private func send() throws {
        guard let table = waiting.table else { return }
        var (values, rest) = (waiting.values[...], waiting.rows)
        waiting = Waiting()
        // Texts of statements stay prepared, so there are few of them: full ones, and those of powers of two.
        while rest > 0 {
            var count = Self.limit.rows
            while count > rest { count /= 2 }
            let taken = count * table.columns.count
            try session.run(table.insertion(of: count), Array(values.prefix(taken)))
            values = values.dropFirst(taken)
            rest -= count
        }
    }

    package func finish(_ image: StoreImage) throws {
        try send()
        try session.hold(
            "UPDATE identity SET epoch = ?, instance = ?, keyDigest = ?",
            [.text(image.epoch), .text(image.instance), keyDigest.map(SQLValue.blob) ?? .null])
        for (name, value) in image.meta.merging(["floor": image.floor], uniquingKeysWith: { $1 }) {
            try session.hold(
                "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [.text(name), .integer(value)])
        }
        var numbers = image.lastNumbers
        // SQLite draws the numbers of accounts from the rows.
        numbers["account"] = try session.first("SELECT coalesce(max(number), 0) FROM account")
        for (table, number) in numbers where number > 0 {
            try session.hold("SELECT setval(pg_get_serial_sequence('\(table)', 'number'), ?)", [.integer(number)])
        }
        // With this row the log's head is where it was, and the next commit joins on.
        try session.hold(
            "INSERT INTO committed (number, place, first, gateway, at) VALUES (1, ?, ?, 'copy', ?)",
            [.integer(image.head), .integer(image.head), .integer(environment.now().milliseconds)])
        // What reads the copy from now on is planned by what there is.
        for table in try CopiedTable.all() { try session.hold("ANALYZE \(table.name)") }
        try session.flush()
    }

    package func rows(of table: CopiedTable, _ body: ([SQLValue]) throws -> Void) throws {
        try send()
        try session.rows(of: table, above: .min, body)
    }

    package func read(_ body: (ReadTransaction) throws -> Void) throws {
        try body(ReadTransaction(reading: session))
    }

    package func commit() throws {
        _ = session.connection.takeNotices()
        try session.hold("COMMIT")
        try session.flush()
        guard session.connection.takeNotices().isEmpty else {
            throw PostgresRefusal.store(
                "has the copy, but did not wait until its standby has it too. Look at the standby.")
        }
        close()
    }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        session.connection.close()
    }
}

/// Says that a database of PostgreSQL was restored, where no gateway can see it: its server was put back as a whole.
package enum RestoredStore {
    /// Makes the next gateway leap over the offsets that may have been given out. Throws ``PostgresRefusal`` when the
    /// database has no store, or a gateway uses it.
    ///
    /// It blocks the calling thread.
    package static func forgetServer(_ options: PostgresOptions) throws {
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
    fileprivate static func checkTables(_ session: PostgresSession) throws {
        guard try hasTables(session) else {
            throw PostgresRefusal.store("has no store of Parley. Start a gateway on it, or name another one.")
        }
        try checkVersion(session)
    }

    /// Locks out all writers until the transaction ends. Throws ``PostgresRefusal`` while a gateway or a standby is at
    /// the database, or was until some seconds ago.
    fileprivate static func lockOutGateways(_ session: PostgresSession) throws {
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
