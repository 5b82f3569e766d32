import CSQLite

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
