import CSQLite

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
        let statement = try statements.take(sql, on: self)
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
