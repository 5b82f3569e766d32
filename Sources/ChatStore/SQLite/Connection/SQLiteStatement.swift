import CSQLite
import Synchronization

/// A compiled statement of a connection.
final class SQLiteStatement {
    let handle: OpaquePointer
    private let parameterCount: Int
    /// Between its binding and its end.
    fileprivate(set) var isRunning = false
    /// When it was taken last, in takings of the cache.
    fileprivate var lastUse = 0

    /// Throws ``SQLiteError`` where SQLite does not take the text.
    fileprivate init(_ sql: String, on connection: SQLiteConnection) throws {
        let database = try connection.opened()
        var compiled: OpaquePointer?
        var sql = sql
        let code = sql.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_prepare_v3(
                    database, $0.baseAddress, Int32($0.count), UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
            }
        }
        try connection.check(code, sql)
        guard let compiled else { throw SQLiteError(SQLITE_MISUSE, message: "it is no statement", sql: sql) }
        handle = compiled
        parameterCount = Int(sqlite3_bind_parameter_count(compiled))
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds a value to each parameter. Returns SQLite's result code. Blobs, and what is in `texts`, must stay where they
    /// are until ``end()``.
    ///
    /// - Parameter values: there may be more of them, where a statement uses a numbered parameter only sometimes.
    func bind(_ values: [SQLValue], _ texts: BoundTexts) -> Int32 {
        assert(values.count >= parameterCount || sqlite3_stmt_isexplain(handle) != 0, "Each parameter has a value.")
        var index: Int32 = 0
        for value in values.prefix(parameterCount) {
            index += 1
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let number): sqlite3_bind_int64(handle, index, number)
                case .text(let text): bind(text, at: index, texts)
                case .blob(let bytes):
                    bytes.withUnsafeBytes {
                        sqlite3_bind_blob64(
                            handle, index, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64($0.count), nil)
                    }
                }
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    /// A short text is in the Swift value itself, which moves. So it is copied: into `texts` where there is room, by
    /// SQLite otherwise.
    private func bind(_ text: String, at index: Int32, _ texts: BoundTexts) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            let copy = texts.add(bytes)
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            return sqlite3_bind_text64(
                handle, index, copy ?? UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count), copy == nil ? transient : nil, UInt8(SQLITE_UTF8))
        }
    }

    /// Ends its run, so that it can be bound again.
    func end() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isRunning = false
    }
}

/// The compiled statements of a connection, by their texts. There are at most ``limit``; what was not used for the longest
/// time makes room.
struct StatementCache {
    static let limit = 400

    /// The text of a statement. It is known by its length and some of its bytes: to hash all of them takes longer than
    /// to bind the values.
    private struct Text: Hashable {
        let sql: String

        // Most texts that the dictionary compares differ in their length.
        static func == (left: Text, right: Text) -> Bool {
            left.sql.utf8.count == right.sql.utf8.count && left.sql == right.sql
        }

        func hash(into hasher: inout Hasher) {
            sql.utf8.withContiguousStorageIfAvailable { text in
                hasher.combine(text.count)
                guard text.count >= 8 else { return }
                for place in [text.count / 2 - 4, text.count - 8] {
                    hasher.combine(UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: place, as: UInt64.self))
                }
            }
        }
    }

    private var statements: [Text: SQLiteStatement] = [:]
    private var uses = 0

    var count: Int { statements.count }

    /// The compiled statement of a text, for one run.
    mutating func checkOut(_ sql: String, on connection: SQLiteConnection) throws -> SQLiteStatement {
        uses += 1
        let text = Text(sql: sql)
        let known = statements[text]
        if let known, !known.isRunning {
            known.isRunning = true
            known.lastUse = uses
            return known
        }
        let statement = try SQLiteStatement(sql, on: connection)
        statement.isRunning = true
        statement.lastUse = uses
        // If the known one runs, this one is for a run inside of its run, and is gone afterwards.
        if known == nil {
            if statements.count >= Self.limit { dropOldest() }
            statements[text] = statement
        }
        return statement
    }

    private mutating func dropOldest() {
        let oldest = statements.lazy.filter { !$0.value.isRunning }.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { statements[oldest.key] = nil }
    }

    mutating func removeAll() { statements = [:] }
}

/// What SQLite has refused. The values of the statement are not in it.
struct SQLiteError: Error {
    /// SQLite's extended result code.
    let code: Int32
    /// SQLite's words. They may repeat a search expression.
    let message: String
    let sql: String?

    /// - Parameter message: by default what SQLite says of the code.
    init(_ code: Int32, message: String? = nil, sql: String? = nil) {
        self.code = code
        self.message = message ?? Self.words(for: code)
        self.sql = sql
    }

    /// The result code without its details, such as `SQLITE_IOERR`.
    var primaryCode: Int32 { code & 0xFF }

    private static func words(for code: Int32) -> String { String(cString: sqlite3_errstr(code)) }
}

extension SQLiteError: CustomStringConvertible {
    var description: String { "SQLite error \(code): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "") }
}

extension SQLiteError: EngineError {
    var isStorageFailure: Bool {
        switch primaryCode {
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_READONLY, SQLITE_CANTOPEN:
            true
        default: false
        }
    }
    var isFull: Bool { primaryCode == SQLITE_FULL }
    var summary: String {
        isFull
            ? "The disk that holds the data folder is full" : "SQLite: \(code) (\(Self.words(for: code)))"
    }
}

/// Memory for the texts that are bound to running statements, so that SQLite takes none for each of them.
///
/// A statement that runs inside of another one's run ends before it. So what was added last is released first.
final class BoundTexts {
    private static let capacity = 4096

    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    /// How many bytes are in use.
    private(set) var mark = 0

    deinit { bytes.deallocate() }

    /// Copies a text. Returns where it is until ``release(to:)``; nil when there is no room.
    func add(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard text.count <= Self.capacity - mark else { return nil }
        let place = bytes.baseAddress! + mark
        if let start = text.baseAddress { place.copyMemory(from: start, byteCount: text.count) }
        mark += text.count
        return UnsafePointer(place.assumingMemoryBound(to: CChar.self))
    }

    /// Releases all that was added since the mark.
    func release(to mark: Int) {
        assert(mark <= self.mark, "The statement inside has ended.")
        self.mark = mark
    }
}

/// What SQLite means to do for a statement: nothing may read the whole of a table that grows.
///
/// Debug builds look at each statement when it is first used, and refuse one that does. A statement that begins with a
/// comment is not looked at: tests read all there is.
enum QueryPlans {
    /// Tables that have a few rows, however long the gateway lives.
    private static let smallTables: Set<String> = [
        "meta", "channel", "remoteChannel", "agent", "answer", "progress", "sqlite_master", "main.sqlite_master",
        "sqlite_sequence", "lost", "grdb_migrations", "accessKey", "person", "invitation", "tag",
    ]
    /// Statements that read all there is because that is their task, for a figure or in steps of their own.
    private static let wholeReads = [
        "SELECT count(*) FROM session",
        "DELETE FROM entry", "DELETE FROM words", "DELETE FROM forgetting",
    ]

    /// Indexes that hold only what is still to be done.
    private static let smallIndexes = ["USING INDEX forgetting_open"]

    /// What a thread or a session keeps a few rows of, so that sorting them costs nothing: unsent messages, collections. So
    /// are the open threads of an agent, where they are counted first.
    private static let sortedTables = [" FROM outgoing ", " FROM collection ", "AND deskAgent = ?8)"]

    /// What is wrong with each statement that was used.
    private static let known = Mutex<[String: [String]]>([:])

    /// Throws where the statement reads the whole of a table that grows, or sorts what no index orders.
    static func check(_ sql: String, in db: SQLiteConnection) throws {
        guard isStatement(sql) else { return }
        let complaints: [String]
        if let found = known.withLock({ $0[sql] }) {
            complaints = found
        } else {
            complaints = try Self.complaints(about: sql, in: db)
            known.withLock { $0[sql] = complaints }
        }
        guard let first = complaints.first else { return }
        throw SQLiteError(SQLITE_MISUSE, message: "\(first): \(sql)")
    }

    /// The steps of a plan that read the whole of a table, or sort what an index does not order.
    static func complaints(about sql: String, in db: SQLiteConnection) throws -> [String] {
        guard !wholeReads.contains(where: sql.hasPrefix) else { return [] }
        let steps = try db.all("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) }
        // A query in a query that is not resolved into the outer one has a limit of its own, and steps of its own.
        let bounded = Set(steps.compactMap { $0.hasPrefix("CO-ROUTINE ") ? "SCAN " + $0.dropFirst(11) : nil })
        return zip(steps, [""] + steps).filter { step, before in
            if bounded.contains(step) { return false }
            if step == "USE TEMP B-TREE FOR ORDER BY" {
                return !bounded.contains(before) && !readsSmallTables(steps)
                    && !sortedTables.contains(where: sql.contains)
            }
            guard step.hasPrefix("SCAN "), !step.contains("VIRTUAL TABLE"), !step.contains("CONSTANT ROW"),
                !step.contains("(")
            else {
                return false
            }
            return !smallTables.contains(String(step.split(separator: " ")[1]))
                && !smallIndexes.contains(where: step.contains)
        }.map(\.0)
    }

    private static func readsSmallTables(_ steps: [String]) -> Bool {
        steps.allSatisfy { step in
            let words = step.split(separator: " ")
            return words.count < 2 || !["SCAN", "SEARCH"].contains(words[0]) || smallTables.contains(String(words[1]))
        }
    }

    private static func isStatement(_ sql: String) -> Bool {
        ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains { sql.hasPrefix($0) }
    }
}
