import ChatModel
import GRDB
import GRDBSQLite

/// A value that is bound to a parameter of a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func optional(_ number: Int64?) -> SQLValue { number.map(SQLValue.integer) ?? .null }
    static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
    static func flag(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }
}

/// The right side of `IN`, for some values.
///
/// The list is filled up to a power of two with its last value, so that there are few texts of a statement, each of
/// which stays compiled.
struct Placeholders {
    let sql: String
    let values: [SQLValue]

    init(_ values: [SQLValue]) {
        var count = 1
        while count < values.count { count *= 2 }
        // Nothing equals NULL.
        let filler = values.last ?? .null
        self.values = values + Array(repeating: filler, count: count - values.count)
        sql = "(?" + String(repeating: ", ?", count: count - 1) + ")"
    }
}

extension Database {
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

    /// Runs an `INSERT .. RETURNING` of one row, and returns the number that the row got.
    func insert(_ sql: String, _ values: [SQLValue]) throws -> Int64 {
        guard let number = try first(sql, values, { $0.integer(0) }) else {
            throw ChatError(.storageFailed, "A row was not added.")
        }
        return number
    }

    /// The text at a path of a column that holds JSON, as an expression; null if there is none. What is no text is
    /// there as its JSON.
    func jsonText(of column: String, at path: [String]) -> String {
        "json_extract(CAST(\(column) AS TEXT), '$.\(path.joined(separator: "."))')"
    }

    func jsonText(of column: String, at name: String) -> String { jsonText(of: column, at: [name]) }

    /// The same for a number.
    func jsonNumber(of column: String, at name: String) -> String { jsonText(of: column, at: [name]) }

    /// The condition that a column of bytes contains those of the next parameter.
    func contains(_ column: String) -> String { "instr(\(column), ?) > 0" }

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
                if try !body(SQLRow(statement: statement)) { return }
            case SQLITE_DONE:
                return
            default:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: sqliteConnection.map { String(cString: sqlite3_errmsg($0)) })
            }
        }
    }

    /// The first row of a query; nil if there is none.
    func first<T>(_ sql: String, _ values: [SQLValue] = [], _ map: (SQLRow) throws -> T) throws -> T? {
        var result: T?
        try query(sql, values) { row in
            result = try map(row)
            return false
        }
        return result
    }

    /// All rows of a query. Its SQL must bound their number.
    func all<T>(_ sql: String, _ values: [SQLValue] = [], _ map: (SQLRow) throws -> T) throws -> [T] {
        var result: [T] = []
        try query(sql, values) { row in
            result.append(try map(row))
            return true
        }
        return result
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

/// The current row of a statement; valid until the next step. Columns count from 0. A null reads as 0 or empty.
struct SQLRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func flag(_ column: Int32) -> Bool { integer(column) != 0 }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
        guard let text = sqlite3_column_text(statement, column) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))),
            as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8] { withBlob(column) { Array($0) } }

    /// The column's bytes without a copy, valid inside `body`.
    func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let start = sqlite3_column_blob(statement, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
