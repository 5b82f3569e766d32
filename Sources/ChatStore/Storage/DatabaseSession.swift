import ChatModel
import Glibc
import Synchronization

/// The connection that queries run on, inside a transaction of one engine.
///
/// One text of a statement does for every engine; see ``CommonSQL``. It is an enum, not a protocol, so that the path to
/// SQLite is made of direct calls.
enum DatabaseSession {
    case lite(SQLiteConnection)
    case engine(any EngineSession)

    /// Runs a statement for its effect. An engine may hold it back until something is read.
    func run(_ sql: String, _ values: [SQLValue] = []) throws {
        try check(sql)
        switch self {
        case .lite(let db): try db.run(sql, values)
        case .engine(let db): try db.run(sql, values)
        }
    }

    /// Runs a statement for its effect, and returns how many rows it has changed.
    func change(_ sql: String, _ values: [SQLValue] = []) throws -> Int {
        try check(sql)
        switch self {
        case .lite(let db): return try db.change(sql, values)
        case .engine(let db): return try db.change(sql, values)
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
        case .engine(let db): return try db.add(addition, values)
        }
    }

    /// Adds a row to the end of a table. PostgreSQL's session collects such rows, and adds several with one statement. It
    /// does so before any other statement uses the table.
    func append(_ values: [SQLValue], to table: RowTable) throws {
        let sql = table.statements[0]
        try check(sql)
        switch self {
        case .lite(let db): try db.run(sql, values)
        case .engine(let db): try db.append(values, to: table)
        }
    }

    /// How many rows were changed on the connection since it was opened.
    var totalChangesCount: Int {
        switch self {
        case .lite(let db): db.totalChangesCount
        case .engine(let db): db.totalChangesCount
        }
    }

    /// See ``StoreBackend/keepsFiles``.
    var keepsFiles: Bool {
        switch self {
        case .lite: false
        case .engine: true
        }
    }

    private func check(_ sql: String) throws {
        #if DEBUG
            try CommonSQL.check(sql)
        #endif
    }
}

extension DatabaseSession: Querying {
    /// Calls `body` with each row until it returns false. What was held back is run first.
    func query(_ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Bool) throws {
        try check(sql)
        try ReadStop.check()
        switch self {
        case .lite(let db): try db.query(sql, values, body)
        case .engine(let db): try db.query(sql, values) { try body(.engine($0)) }
        }
    }
}

extension DatabaseSession {
    /// Tells which query comes later in a transaction that only reads. Where each query is a round trip, it is sent
    /// together with the next one.
    func expect(_ sql: String, _ values: [SQLValue] = []) throws {
        guard case .engine(let db) = self else { return }
        try check(sql)
        try db.expect(sql, values)
    }
}

/// Expressions for which each engine has its own words.
extension DatabaseSession {
    /// The text at a path of a column that holds JSON; null if there is none. What is no text is there as its JSON.
    func jsonText(of column: String, at path: [String]) -> String {
        switch self {
        case .lite: SQLiteConnection.jsonText(of: column, at: path)
        case .engine: "(\(Self.engineJSON(column)) #>> '{\(path.joined(separator: ","))}')"
        }
    }

    /// The column as PostgreSQL's JSON. Its text cannot hold U+0000, so the escape of it becomes that of U+FFFD.
    ///
    /// An escaped backslash before `u0000` is no such escape. Escaped backslashes are hidden meanwhile behind U+0001,
    /// which JSON's text never has.
    private static func engineJSON(_ column: String) -> String {
        let hidden = "replace(convert_from(\(column), 'UTF8'), '\\\\', chr(1))"
        return "CAST(replace(replace(\(hidden), '\\u0000', '\\ufffd'), chr(1), '\\\\') AS json)"
    }

    func jsonText(of column: String, at name: String) -> String { jsonText(of: column, at: [name]) }

    /// The number of this name in a column that holds JSON; null if there is none.
    func jsonNumber(of column: String, at name: String) -> String {
        switch self {
        case .lite: SQLiteConnection.jsonText(of: column, at: [name])
        case .engine: "CAST(\(Self.engineJSON(column)) ->> '\(name)' AS bigint)"
        }
    }

    /// The condition that a column of bytes contains those of the next parameter.
    func contains(_ column: String) -> String {
        switch self {
        case .lite: SQLiteConnection.contains(column)
        case .engine: "position(?::bytea IN \(column)) > 0"
        }
    }

    /// The condition that a text contains the next parameter.
    func containsText(_ text: String) -> String {
        switch self {
        case .lite: SQLiteConnection.contains(text)
        case .engine: "position(CAST(? AS text) IN \(text)) > 0"
        }
    }

    /// The condition that a text begins with the bytes of the parameter's.
    func hasPrefix(_ text: String, _ parameter: String) -> String {
        switch self {
        case .lite: SQLiteConnection.hasPrefix(text, parameter)
        case .engine: "starts_with(\(text), \(parameter))"
        }
    }

    /// Makes the numbers of an empty table begin anew.
    func restartNumbers(of table: String) throws {
        switch self {
        case .lite(let db): try db.restartNumbers(of: table)
        case .engine(let db): try db.run("ALTER SEQUENCE \(table)_number_seq RESTART", [])
        }
    }

    /// The query for the offset of the last committed event.
    var headQuery: String {
        switch self {
        case .lite: "SELECT value FROM meta WHERE name = 'head'"
        case .engine: "SELECT place FROM committed ORDER BY number DESC LIMIT 1"
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

/// The current row of a statement; valid until the next step. Columns count from 0. A null reads as 0 or empty.
enum SQLRow {
    case lite(SQLiteRow)
    case engine(any EngineRow)

    func integer(_ column: Int32) -> Int64 {
        switch self {
        case .lite(let row): row.integer(column)
        case .engine(let row): row.integer(column)
        }
    }

    func isNull(_ column: Int32) -> Bool {
        switch self {
        case .lite(let row): row.isNull(column)
        case .engine(let row): row.isNull(column)
        }
    }

    func text(_ column: Int32) -> String {
        switch self {
        case .lite(let row): row.text(column)
        case .engine(let row): row.text(column)
        }
    }

    /// The column's bytes without a copy, valid inside `body`.
    func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        switch self {
        case .lite(let row): try row.withBlob(column, body)
        case .engine(let row): try row.withBlob(column, body)
        }
    }

    func flag(_ column: Int32) -> Bool { integer(column) != 0 }

    func blob(_ column: Int32) -> [UInt8] { withBlob(column) { Array($0) } }
}

/// A value that is bound to a parameter of a statement.
package enum SQLValue: Equatable {
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

/// The SQL that SQLite and PostgreSQL have in common: one text of a statement does for both.
///
/// Debug builds look at each statement when it is first used, and refuse one that PostgreSQL would not take. A statement
/// that begins with a comment is not looked at: tests write what they like.
enum CommonSQL {
    /// Refused patterns, each with what to write instead. If a pattern matches a statement, the statement contains one of
    /// its `words`. So the words are looked for first, because that is much quicker.
    ///
    /// `nonisolated(unsafe)`: an expression is never changed.
    nonisolated(unsafe) private static let refused: [(words: [String], pattern: Regex<Substring>, instead: String)] = [
        (["INSERT OR", "REPLACE INTO"], /\b(?:INSERT OR|REPLACE INTO)\b/, "ON CONFLICT (key) DO .."),
        (["ON CONFLICT DO"], /\bON CONFLICT DO\b/, "ON CONFLICT (key) DO .."),
        (["CROSS JOIN"], /\bCROSS JOIN\b/, "JOIN"),
        (["ifnull", "IFNULL"], /\b(?:ifnull|IFNULL)\b/, "coalesce"),
        (["json_each", "JSON_EACH"], /\b(?:json_each|JSON_EACH)\b/, "IN (?, ..)"),
        (["GLOB"], /\bGLOB\b/, "LIKE"),
        (["rowid", "changes"], /\b(?:rowid|last_insert_rowid|changes)\b/, "RETURNING"),
        (
            ["zeroblob", "randomblob", "strftime", "PRAGMA", "MATCH"],
            /\b(?:zeroblob|randomblob|strftime|PRAGMA|MATCH)\b/, "the engine's own file"
        ),
        (["IS NOT "], /\bIS NOT (?!NULL)/, "<>"),
        (["LIMIT -1"], /\bLIMIT -1/, "no LIMIT"),
        (["x'", "X'"], /[\s(,=][xX]'/, "a parameter"),
        (["max(", "min(", "MAX(", "MIN("], /\b(?:max|min|MAX|MIN)\([^()]*,/, "the greater of two in Swift"),
        (["offset"], /\boffset\b/, "place: the word is reserved"),
        (
            ["FROM ("], /\bFROM \([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:$|WHERE\b|ORDER\b|UNION\b|\))/,
            "a name for the query in FROM"
        ),
        (["+ ("], /\+ \([^()]*(?:=|<>|!=)[^()]*\)/, "CASE WHEN .. THEN 1 ELSE 0 END"),
        (["+?", "-?"], /[+-]\?/, "a parameter that was negated in Swift"),
        (["=="], /==/, "="),
    ]

    /// What is wrong with each statement that was used; nil for nothing.
    private static let known = Mutex<[String: String?]>([:])

    /// Throws for a statement that is not common to the engines.
    static func check(_ sql: String) throws {
        let complaint: String?
        if let found = known.withLock({ $0[sql] }) {
            complaint = found
        } else {
            complaint = Self.complaint(about: sql)
            known.withLock { $0[sql] = complaint }
        }
        if let complaint { throw ChatError(.storageFailed, complaint) }
    }

    /// What PostgreSQL would refuse in a statement; nil for nothing.
    static func complaint(about sql: String) -> String? {
        guard !sql.hasPrefix("/*") else { return nil }
        for (words, pattern, instead) in refused {
            let mayMatch = sql.withCString { text in words.contains { strstr(text, $0) != nil } }
            guard mayMatch, let match = sql.firstMatch(of: pattern) else { continue }
            return "\(match.output): write \(instead): \(sql)"
        }
        // PostgreSQL has numbered parameters only. Those of `?` are numbered from 1, so the two forms would collide.
        let bytes = Array(sql.utf8)
        let isNumbered = bytes.indices.filter { bytes[$0] == UInt8(ascii: "?") }.map {
            $0 + 1 < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0 + 1])
        }
        guard isNumbered.contains(true), isNumbered.contains(false) else { return nil }
        return "? and ?1: write one of the two forms: \(sql)"
    }
}
