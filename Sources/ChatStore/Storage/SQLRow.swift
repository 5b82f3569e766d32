import ChatModel
import Synchronization

/// The current row of a statement; valid until the next step. Columns count from 0. A null reads as 0 or empty.
enum SQLRow {
    case lite(SQLiteRow)
    case remote(any RemoteRow)

    func integer(_ column: Int32) -> Int64 {
        switch self {
        case .lite(let row): row.integer(column)
        case .remote(let row): row.integer(column)
        }
    }

    func isNull(_ column: Int32) -> Bool {
        switch self {
        case .lite(let row): row.isNull(column)
        case .remote(let row): row.isNull(column)
        }
    }

    func text(_ column: Int32) -> String {
        switch self {
        case .lite(let row): row.text(column)
        case .remote(let row): row.text(column)
        }
    }

    /// The column's bytes without a copy, valid inside `body`.
    func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        switch self {
        case .lite(let row): try row.withBlob(column, body)
        case .remote(let row): try row.withBlob(column, body)
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
    /// Refused patterns, each with what to write instead.
    ///
    /// `nonisolated(unsafe)`: an expression is never changed.
    nonisolated(unsafe) private static let refused: [(pattern: Regex<Substring>, instead: String)] = [
        (/\b(?:INSERT OR|REPLACE INTO)\b/, "ON CONFLICT (key) DO .."),
        (/\bON CONFLICT DO\b/, "ON CONFLICT (key) DO .."),
        (/\bCROSS JOIN\b/, "JOIN"),
        (/\b(?:ifnull|IFNULL)\b/, "coalesce"),
        (/\b(?:json_each|JSON_EACH)\b/, "IN (?, ..)"),
        (/\bGLOB\b/, "LIKE"),
        (/\b(?:rowid|last_insert_rowid|changes)\b/, "RETURNING"),
        (/\b(?:zeroblob|randomblob|strftime|PRAGMA|MATCH)\b/, "the engine's own file"),
        (/\bIS NOT (?!NULL)/, "<>"),
        (/\bLIMIT -1/, "no LIMIT"),
        (/[\s(,=][xX]'/, "a parameter"),
        (/\b(?:max|min|MAX|MIN)\([^()]*,/, "the greater of two in Swift"),
        (/\boffset\b/, "place: the word is reserved"),
        (/\bFROM \([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:$|WHERE\b|ORDER\b|UNION\b|\))/, "a name for the query in FROM"),
        (/\+ \([^()]*(?:=|<>|!=)[^()]*\)/, "CASE WHEN .. THEN 1 ELSE 0 END"),
        (/[+-]\?/, "a parameter that was negated in Swift"),
        (/==/, "="),
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
        for (pattern, instead) in refused {
            guard let match = sql.firstMatch(of: pattern) else { continue }
            return "\(match.output): write \(instead): \(sql)"
        }
        // PostgreSQL has numbered parameters only. Those of `?` are numbered from 1, so the two forms would collide.
        guard sql.contains(/\?\d/), sql.contains(/\?(?!\d)/) else { return nil }
        return "? and ?1: write one of the two forms: \(sql)"
    }
}
