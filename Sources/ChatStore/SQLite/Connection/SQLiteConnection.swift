import CSQLite
import Glibc

/// A connection to a database of SQLite.
///
/// One thread at a time uses it: the one that has opened it, until another one has taken it over. A debug build stops
/// where that is not so. Statements are ``run(_:_:)`` and queried as those of any engine, see ``Querying``.
package final class SQLiteConnection {
    enum Mode {
        /// The database must be there.
        case reading
        /// The database is made if it is not there.
        case writing
    }

    /// Nil when it is closed.
    private(set) var handle: OpaquePointer?
    var statements = StatementCache()
    let texts = BoundTexts()
    private var tracer: ((String) -> Void)?
    #if DEBUG
        private var user = pthread_self()
    #endif

    /// Opens a database. Throws ``SQLiteError``, also for a file that is no database.
    ///
    /// Foreign keys are checked, and a word in double quotes is never a text. A lock of another connection is waited for, for
    /// at most `busyTimeout`.
    ///
    /// - Parameters:
    ///   - endsReads: statements look at ``ReadStop`` while they run, about each tenth of a millisecond.
    ///   - joinsWrites: the pages of a commit are written to the WAL by few calls (`joined_writes.h`).
    init(
        path: String, _ mode: Mode = .writing, busyTimeout: Duration = .zero, endsReads: Bool = false,
        joinsWrites: Bool = false
    ) throws {
        let access = mode == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(
            path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, joinsWrites ? Self.joined : nil)
        // A connection that was not opened is there, and is closed with the object.
        guard code == SQLITE_OK, let handle else { throw SQLiteError(code) }
        csqlite_be_strict(handle)
        sqlite3_busy_timeout(handle, Int32(busyTimeout / .milliseconds(1)))
        if endsReads { sqlite3_progress_handler(handle, 10_000, { _ in ReadStop.isAskedHere ? 1 : 0 }, nil) }
        // SQLite looks at the file only now.
        try run("SELECT 1 FROM sqlite_master LIMIT 1")
    }

    /// The name of the VFS that joins writes; nil, and SQLite's own serves, if it cannot be registered. SQLite keeps the
    /// name.
    nonisolated(unsafe) private static let joined: UnsafePointer<CChar>? = {
        let name = strdup("parley-joined")
        return csqlite_join_writes(name) == SQLITE_OK ? UnsafePointer(name) : nil
    }()

    /// Opens an empty database in memory.
    package convenience init() throws { try self.init(path: ":memory:") }

    deinit { close() }

    /// SQLite's own object. Throws ``SQLiteError`` when it is closed.
    func opened() throws -> OpaquePointer {
        guard let handle else { throw SQLiteError(SQLITE_MISUSE, message: "the connection is closed") }
        return handle
    }

    /// Closes the connection. Later statements throw ``SQLiteError``.
    func close() {
        statements.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: Threads

    /// Makes the calling thread the one that uses the connection. The thread before has ended its use.
    package func takeOver() {
        #if DEBUG
            user = pthread_self()
        #endif
    }

    func checkUser() {
        #if DEBUG
            assert(pthread_equal(user, pthread_self()) != 0, "Another thread uses the connection.")
        #endif
    }

    // MARK: Transactions

    var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Runs a closure in a transaction, which keeps other writers out from its beginning. If the closure throws, all is
    /// undone.
    func transaction<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes the transaction, unless SQLite has ended it by itself.
    func rollBack() { if isInTransaction { try? run("ROLLBACK") } }

    /// Runs a closure that reads one snapshot. Throws what the closure throws, and, before it is called, what keeps the
    /// transaction from its beginning.
    func snapshot<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        try run("BEGIN")
        defer {
            // Nothing was written, so there is nothing that ending could fail to do.
            try? run("COMMIT")
            rollBack()
        }
        return try body(self)
    }

    // MARK: Write-ahead log

    /// Makes the database one with a write-ahead log. Throws ``SQLiteError`` where that cannot be.
    func useWAL() throws {
        guard try first("PRAGMA journal_mode = WAL", [], { $0.text(0) }) == "wal" else {
            throw SQLiteError(SQLITE_ERROR, message: "it has no write-ahead log")
        }
    }

    /// Moves pages from the write-ahead log into the database.
    ///
    /// - Parameter mode: such as `SQLITE_CHECKPOINT_PASSIVE`.
    func checkpoint(_ mode: Int32) throws {
        checkUser()
        try check(sqlite3_wal_checkpoint_v2(opened(), "main", mode, nil, nil))
    }

    // MARK: What it tells

    /// How many rows the last statement has changed.
    var changesCount: Int { handle.map { Int(sqlite3_changes($0)) } ?? 0 }

    /// How many rows were changed since the connection was opened.
    var totalChangesCount: Int { handle.map { Int(sqlite3_total_changes($0)) } ?? 0 }

    func hasTable(_ name: String) throws -> Bool {
        try first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", [.text(name)]) { _ in true } ?? false
    }

    /// Throws the error of a result code that is none of success.
    func check(_ code: Int32, _ sql: String? = nil) throws {
        if code != SQLITE_OK { throw error(code, sql) }
    }

    func error(_ code: Int32, _ sql: String?) -> SQLiteError {
        SQLiteError(code, message: handle.map { String(cString: sqlite3_errmsg($0)) }, sql: sql)
    }

    /// Calls the closure with the text of each statement that begins; nil ends that. For tests.
    func trace(_ body: ((String) -> Void)?) {
        tracer = body
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_trace_v2(
            handle, body == nil ? 0 : UInt32(SQLITE_TRACE_STMT),
            { _, context, statement, _ in
                guard let sql = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
                Unmanaged<SQLiteConnection>.fromOpaque(context!).takeUnretainedValue().tracer?(String(cString: sql))
                return 0
            }, context)
    }
}

extension SQLiteConnection: Querying {
    /// Runs a statement for its effect.
    package func run(_ sql: String, _ values: [SQLValue] = []) throws {
        try query(sql, values) { _ in false }
    }

    /// Runs a statement for its effect, and returns how many rows it has changed.
    func change(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try run(sql, values)
        return changesCount
    }

    /// Calls `body` with each row until it returns false. Throws ``SQLiteError``, and what `body` throws. In debug
    /// builds it throws for statements that ``QueryPlans`` refuses.
    func query(_ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Bool) throws {
        checkUser()
        #if DEBUG
            try QueryPlans.check(sql, in: self)
        #endif
        let statement = try statements.checkOut(sql, on: self)
        let mark = texts.mark
        defer {
            // SQLite reads the values' own bytes, until the reset.
            withExtendedLifetime(values) { statement.end() }
            texts.release(to: mark)
        }
        try check(statement.bind(values, texts), sql)
        while true {
            switch sqlite3_step(statement.handle) {
            case SQLITE_ROW:
                if try !body(.lite(SQLiteRow(statement: statement.handle))) { return }
            case SQLITE_DONE: return
            case let code: throw error(code, sql)
            }
        }
    }

    /// Runs the statements of a script, which have no values.
    package func execute(_ script: String) throws {
        checkUser()
        try check(sqlite3_exec(opened(), script, nil, nil, nil), script)
    }
}

/// The current row of a statement of SQLite's; see ``SQLRow``.
struct SQLiteRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(statement, column) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))),
            as: UTF8.self)
    }

    func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let start = sqlite3_column_blob(statement, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}

/// SQLite's words for what the engines do not have in common.
extension SQLiteConnection {
    static func jsonText(of column: String, at path: [String]) -> String {
        "json_extract(CAST(\(column) AS TEXT), '$.\(path.joined(separator: "."))')"
    }

    static func contains(_ column: String) -> String { "instr(\(column), ?) > 0" }

    /// Of two BLOBs, `instr` compares bytes.
    static func hasPrefix(_ text: String, _ parameter: String) -> String {
        "instr(CAST(\(text) AS BLOB), CAST(\(parameter) AS BLOB)) = 1"
    }

    /// The query for the last number that a table with drawn numbers gave out.
    static func lastNumberQuery(_ table: String) -> String { "SELECT seq FROM sqlite_sequence WHERE name = '\(table)'" }

    func restartNumbers(of table: String) throws {
        try run("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
    }
}
