import ChatModel

/// One look at the rows of a store for one check, and whom to tell what is wrong.
final class Inspection {
    let rows: ReadTransaction
    let head: Int64
    let floor: Int64
    let report: (String) -> Void
    /// How many rows were looked at one by one.
    private(set) var count = 0

    init(rows: ReadTransaction, head: Int64, floor: Int64, report: @escaping (String) -> Void) {
        (self.rows, self.head, self.floor, self.report) = (rows, head, floor, report)
    }

    var db: Session { rows.db }

    /// The most rows that are read at once: an engine may hold them all in memory.
    static let portion = 256

    /// Goes through a table whose rows have a number, in its order.
    ///
    /// - Parameter columns: the first is the number.
    func each<Row>(
        _ columns: String, of table: String, key: String = "number", _ map: (SQLRow) throws -> Row,
        _ look: (Row) throws -> Void
    ) throws {
        try eachPortion(columns, of: table, key: key, map) { for row in $0 { try look(row) } }
    }

    /// The same, with some rows at a time.
    func eachPortion<Row>(
        _ columns: String, of table: String, key: String = "number", _ map: (SQLRow) throws -> Row,
        _ look: ([Row]) throws -> Void
    ) throws {
        var last = Int64.min
        while true {
            let found = try db.all(
                "SELECT \(columns) FROM \(table) WHERE \(key) > ? ORDER BY \(key) LIMIT ?",
                [.integer(last), .integer(Int64(Self.portion))]
            ) { row in
                last = row.integer(0)
                return try map(row)
            }
            count += found.count
            if !found.isEmpty { try look(found) }
            guard found.count == Self.portion else { return }
        }
    }

    /// Goes through a table whose rows have a text as their key, in its order.
    ///
    /// - Parameter columns: the first is the key.
    func eachText<Row>(
        _ columns: String, of table: String, key: String = "id", _ map: (SQLRow) throws -> Row,
        _ look: (Row) throws -> Void
    ) throws {
        // The empty text may be a key.
        var last: String?
        while true {
            let found = try db.all(
                "SELECT \(columns) FROM \(table) WHERE \(key) \(last == nil ? ">=" : ">") ? ORDER BY \(key) LIMIT ?",
                [.text(last ?? ""), .integer(Int64(Self.portion))]
            ) { row in
                last = row.text(0)
                return try map(row)
            }
            count += found.count
            for row in found { try look(row) }
            guard found.count == Self.portion else { return }
        }
    }

    /// Reports the first rows of a table that a condition holds for, each by the text of an expression.
    ///
    /// For tables that are read as a whole. The comment says so: see ``QueryPlans``.
    func find(_ expression: String, in table: String, where condition: String, _ words: (String) -> String) throws {
        let found = try db.all(
            "/* check */ SELECT \(expression) FROM \(table) WHERE \(condition) LIMIT \(Self.portion)", []
        ) { $0.text(0) }
        for one in found { report(words(one)) }
    }

    func countRows(_ more: Int) { count += more }

    func exists(_ sql: String, _ values: [SQLValue]) throws -> Bool {
        try db.first(sql, values) { _ in true } == true
    }

    /// The number that a query returns; 0 for null and for no row.
    func number(_ sql: String, _ values: [SQLValue] = []) throws -> Int64 {
        try db.first(sql, values) { $0.integer(0) } ?? 0
    }

    /// A value from stored JSON. What cannot be read is reported.
    func decoded<T>(_ name: String, _ decode: () throws -> T) -> T? {
        do { return try decode() } catch {
            report("\(name): its JSON cannot be read")
            return nil
        }
    }

    /// Reports a column that does not repeat what the JSON beside it has.
    func compare<T: Equatable>(_ name: String, _ column: String, _ stored: T, _ expected: T) {
        if stored != expected { report("\(name): \(column) is \(stored), and should be \(expected)") }
    }

    /// The same for a text that somebody wrote: it is not told.
    func compareText(_ name: String, _ column: String, _ stored: String?, _ expected: String?) {
        if stored != expected { report("\(name): \(column) is not that of its JSON") }
    }

    /// Reports an offset that no event can have had.
    func checkOffset(_ name: String, _ column: String, _ offset: Int64) {
        if offset > head { report("\(name): \(column) is \(offset), beyond the log's head \(head)") }
    }
}
