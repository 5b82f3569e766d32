import ChatModel

/// The connection that queries run on, inside a transaction of one engine.
///
/// One text of a statement does for every engine; see ``CommonSQL``. It is an enum, not a protocol, so that the path to
/// SQLite is made of direct calls.
enum Session {
    case lite(SQLiteConnection)
    case remote(any RemoteSession)

    /// Runs a statement for its effect. An engine may hold it back until something is read.
    func run(_ sql: String, _ values: [SQLValue] = []) throws {
        try check(sql)
        switch self {
        case .lite(let db): try db.run(sql, values)
        case .remote(let db): try db.run(sql, values)
        }
    }

    /// Runs a statement for its effect, and returns how many rows it has changed.
    func change(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try check(sql)
        switch self {
        case .lite(let db): return try db.change(sql, values)
        case .remote(let db): return try db.change(sql, values)
        }
    }

    /// Adds a row. Returns false, and adds none, if there is a row with its key.
    ///
    /// An engine may return true before it knows. If there is a row with the key after all, the unit runs again, and
    /// nothing of its first run stays.
    func add(_ addition: RowAddition, _ values: [SQLValue]) throws -> Bool {
        try check(addition.orNothing)
        switch self {
        case .lite(let db): return try db.change(addition.orNothing, values) == 1
        case .remote(let db): return try db.add(addition, values)
        }
    }

    /// Adds a row to the end of a table. PostgreSQL's session collects such rows, and adds several with one statement. It
    /// does so before any other statement uses the table.
    func append(_ values: [SQLValue], to table: RowTable) throws {
        let sql = table.statements[0]
        try check(sql)
        switch self {
        case .lite(let db): try db.run(sql, values)
        case .remote(let db): try db.append(values, to: table)
        }
    }

    /// How many rows were changed on the connection since it was opened.
    var totalChangesCount: Int {
        switch self {
        case .lite(let db): db.totalChangesCount
        case .remote(let db): db.totalChangesCount
        }
    }

    /// See ``StoreBackend/keepsFiles``.
    var keepsFiles: Bool {
        switch self {
        case .lite: false
        case .remote: true
        }
    }

    private func check(_ sql: String) throws {
        #if DEBUG
            try CommonSQL.check(sql)
        #endif
    }
}

extension Session: Querying {
    /// Calls `body` with each row until it returns false. What was held back is run first.
    func query(_ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Bool) throws {
        try check(sql)
        try ReadStop.check()
        switch self {
        case .lite(let db): try db.query(sql, values, body)
        case .remote(let db): try db.query(sql, values) { try body(.remote($0)) }
        }
    }
}

extension Session {
    /// Tells which query comes later in a transaction that only reads. Where each query is a round trip, it is sent
    /// together with the next one.
    func expect(_ sql: String, _ values: [SQLValue] = []) throws {
        guard case .remote(let db) = self else { return }
        try check(sql)
        try db.expect(sql, values)
    }
}

/// Expressions for which each engine has its own words.
extension Session {
    /// The text at a path of a column that holds JSON; null if there is none. What is no text is there as its JSON.
    func jsonText(of column: String, at path: [String]) -> String {
        switch self {
        case .lite: SQLiteConnection.jsonText(of: column, at: path)
        case .remote: "(\(Self.remoteJSON(column)) #>> '{\(path.joined(separator: ","))}')"
        }
    }

    /// The column as PostgreSQL's JSON. Its text cannot hold U+0000, so the escape of it becomes that of U+FFFD.
    ///
    /// An escaped backslash before `u0000` is no such escape. Escaped backslashes are hidden meanwhile behind U+0001,
    /// which JSON's text never has.
    private static func remoteJSON(_ column: String) -> String {
        let hidden = "replace(convert_from(\(column), 'UTF8'), '\\\\', chr(1))"
        return "CAST(replace(replace(\(hidden), '\\u0000', '\\ufffd'), chr(1), '\\\\') AS json)"
    }

    func jsonText(of column: String, at name: String) -> String { jsonText(of: column, at: [name]) }

    /// The number of this name in a column that holds JSON; null if there is none.
    func jsonNumber(of column: String, at name: String) -> String {
        switch self {
        case .lite: SQLiteConnection.jsonText(of: column, at: [name])
        case .remote: "CAST(\(Self.remoteJSON(column)) ->> '\(name)' AS bigint)"
        }
    }

    /// The condition that a column of bytes contains those of the next parameter.
    func contains(_ column: String) -> String {
        switch self {
        case .lite: SQLiteConnection.contains(column)
        case .remote: "position(?::bytea IN \(column)) > 0"
        }
    }

    /// The condition that a text begins with the bytes of the parameter's.
    func hasPrefix(_ text: String, _ parameter: String) -> String {
        switch self {
        case .lite: SQLiteConnection.hasPrefix(text, parameter)
        case .remote: "starts_with(\(text), \(parameter))"
        }
    }

    /// Makes the numbers of an empty table begin anew.
    func restartNumbers(of table: String) throws {
        switch self {
        case .lite(let db): try db.restartNumbers(of: table)
        case .remote(let db): try db.run("ALTER SEQUENCE \(table)_number_seq RESTART", [])
        }
    }

    /// The query for the offset of the last committed event.
    var headQuery: String {
        switch self {
        case .lite: "SELECT value FROM meta WHERE name = 'head'"
        case .remote: "SELECT place FROM committed ORDER BY number DESC LIMIT 1"
        }
    }
}

/// What can be asked for rows.
protocol Querying {
    /// Calls `body` with each row until it returns false.
    func query(_ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Bool) throws
}

extension Querying {
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

    /// Runs an `INSERT .. RETURNING` of one row, and returns the number that the row got.
    func insert(_ sql: String, _ values: [SQLValue]) throws -> Int64 {
        guard let number = try first(sql, values, { $0.integer(0) }) else {
            throw ChatError(.storageFailed, "A row was not added.")
        }
        return number
    }
}
