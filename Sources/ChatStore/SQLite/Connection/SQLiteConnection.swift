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
    /// - Parameter endsReads: statements look at ``ReadStop`` while they run, about each tenth of a millisecond.
    init(path: String, _ mode: Mode = .writing, busyTimeout: Duration = .zero, endsReads: Bool = false) throws {
        let access = mode == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        // A connection that was not opened is there, and is closed with the object.
        guard code == SQLITE_OK, let handle else { throw SQLiteError(code) }
        csqlite_be_strict(handle)
        sqlite3_busy_timeout(handle, Int32(busyTimeout / .milliseconds(1)))
        if endsReads { sqlite3_progress_handler(handle, 10_000, { _ in ReadStop.isAskedHere ? 1 : 0 }, nil) }
        // SQLite looks at the file only now.
        try run("SELECT 1 FROM sqlite_master LIMIT 1")
    }

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
