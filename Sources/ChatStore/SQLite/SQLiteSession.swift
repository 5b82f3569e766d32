import ChatModel
import GRDB
import GRDBSQLite

/// GRDB's connection to SQLite.
typealias SQLiteSession = Database

extension Database: Querying {
    /// Runs a statement for its effect.
    ///
    /// GRDB caches the compiled statement. Binding and stepping are done here, since GRDB's validation of arguments
    /// costs as much as SQLite's insert.
    func run(_ sql: String, _ values: [SQLValue] = []) throws {
        try query(sql, values) { _ in false }
    }

    /// Runs a statement for its effect, and returns how many rows it has changed.
    func change(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try run(sql, values)
        return changesCount
    }

    /// Calls `body` with each row until it returns false. Throws `DatabaseError`, and what `body` throws. In debug
    /// builds it throws for statements that ``QueryPlans`` refuses.
    func query(_ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Bool) throws {
        #if DEBUG
            try QueryPlans.check(sql, in: self)
        #endif
        let statement = try cachedStatement(sql: sql).sqliteStatement
        // SQLite reads the values' own bytes, until the reset.
        defer { withExtendedLifetime(values) {} }
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in zip(Int32(1)..., values) { bind(value, to: statement, at: index) }
        while true {
            let code = sqlite3_step(statement)
            switch code {
            case SQLITE_ROW:
                if try !body(.lite(SQLiteRow(statement: statement))) { return }
            case SQLITE_DONE:
                return
            default:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: sqliteConnection.map { String(cString: sqlite3_errmsg($0)) })
            }
        }
    }

    private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) {
        // SQLITE_TRANSIENT: SQLite copies, because a short text is in the Swift value itself, which moves.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            text.withUTF8 { bytes in
                _ = bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(
                        statement, index, $0.baseAddress ?? UnsafePointer(bitPattern: 1), Int32($0.count), transient)
                }
            }
        case .blob(let bytes):
            bytes.withUnsafeBytes {
                _ = sqlite3_bind_blob64(
                    statement, index, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64($0.count), nil)
            }
        }
    }
}

/// SQLite's words for what the engines do not have in common.
extension Database {
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
