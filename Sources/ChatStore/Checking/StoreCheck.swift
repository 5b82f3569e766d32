import ChatModel

/// One rule that the rows of every store keep, on either engine. It reads, and changes nothing.
package struct StoreCheck: Sendable {
    /// A short name, which each line about a broken rule begins with.
    package let name: String
    let run: @Sendable (Inspection) throws -> Void

    /// All rules, in the order in which they are looked at.
    package static let all =
        engine + positions + accounts + access + threads + members + messages + replies + log + deliveries + attachments
        + usage + extras
}

/// What a broken rule was seen at: a table and its keys, never a text that somebody wrote.
package struct StoreFault: Sendable, Equatable, CustomStringConvertible {
    /// The name of the ``StoreCheck``.
    package let check: String
    package let detail: String

    package var description: String { "\(check): \(detail)" }
}

/// What became of one check.
package struct CheckedPart: Sendable, Equatable {
    package let check: String
    /// How many rows were looked at one by one.
    package let rows: Int
    package let faults: Int
}

extension StoreReader {
    /// Looks whether the rows keep all rules, on one snapshot. Calls `report` for each fault, and returns how many there
    /// were.
    ///
    /// - Parameter end: told each check after it has run.
    @discardableResult
    package func inspect(
        checks: [StoreCheck] = StoreCheck.all, end: (CheckedPart) -> Void = { _ in }, report: (StoreFault) -> Void
    ) throws -> Int {
        var faults = 0
        try read { faults = try $0.inspect(checks: checks, end: end, report: report) }
        return faults
    }
}

extension ReadTransaction {
    /// The same on the snapshot of this transaction.
    package func inspect(
        checks: [StoreCheck] = StoreCheck.all, end: (CheckedPart) -> Void = { _ in }, report: (StoreFault) -> Void
    ) throws -> Int {
        var total = 0
        let (head, floor) = (try headOffset(), try meta("floor"))
        for check in checks {
            var faults = 0
            let rows = try withoutActuallyEscaping({ (detail: String) in
                faults += 1
                report(StoreFault(check: check.name, detail: detail))
            }) { report in
                let inspection = Inspection(rows: self, head: head, floor: floor, report: report)
                try check.run(inspection)
                return inspection.count
            }
            end(CheckedPart(check: check.name, rows: rows, faults: faults))
            total += faults
        }
        return total
    }
}

extension ChatStore {
    /// What is wrong with this store's rows. For tests.
    package func faults() throws -> [StoreFault] {
        let reader = try backend.makeReader()
        defer { reader.close() }
        var faults: [StoreFault] = []
        try reader.inspect { faults.append($0) }
        return faults
    }
}

extension StoreCheck {
    /// What each engine keeps in its own way: its file, its commits, and the numbers that it draws.
    static let engine = [
        StoreCheck(name: "engine") { look in
            switch look.db {
            case .lite: try look.checkFile()
            case .engine: try look.checkCommits()
            }
        },
        StoreCheck(name: "numbers") { look in
            for table in numberedTables {
                let last = try look.number("SELECT max(number) FROM \(table)")
                let drawn = try look.number(look.db.lastNumberQuery(table))
                guard last > drawn else { continue }
                look.report("\(table): its last number is \(last), and only \(drawn) were given out")
            }
        },
    ]

    /// Tables whose numbers are never used again.
    static let numberedTables = ["thread", "contact", "target", "delivery", "audit"]
}

extension DatabaseSession {
    /// The query for the last number that was drawn for a table; no row, or null, before the first.
    func lastNumberQuery(_ table: String) -> String {
        switch self {
        case .lite: SQLiteConnection.lastNumberQuery(table)
        case .engine:
            """
            SELECT last_value FROM pg_sequences WHERE schemaname = current_schema() \
            AND sequencename = '\(table)_number_seq'
            """
        }
    }
}

extension Inspection {
    /// SQLite's own look at pages and indexes. It tells at most some faults.
    fileprivate func checkFile() throws {
        try db.query("/* check */ PRAGMA integrity_check(20)", []) { row in
            let words = row.text(0)
            if words != "ok" { report("the database file: \(words)") }
            return true
        }
    }

    /// Each commit begins where the one before has ended. There is one row of what exists once.
    fileprivate func checkCommits() throws {
        for table in ["identity", "writer"] {
            let count = try number("SELECT count(*) FROM \(table)")
            if count != 1 { report("\(table): it has \(count) rows, and should have one") }
        }
        var last: (number: Int64, place: Int64)?
        try each("number, first, place", of: "committed", { ($0.integer(0), $0.integer(1), $0.integer(2)) }) { row in
            let (number, first, place) = row
            if first > place { report("commit \(number): it begins at \(first) and ends at \(place)") }
            if let last, last.number + 1 == number, last.place != first {
                report("commit \(number): it begins at \(first), and the one before has ended at \(last.place)")
            }
            last = (number, place)
        }
        try find(
            "attachment", in: "filePart",
            where: """
                number = 0 AND NOT EXISTS (SELECT 1 FROM attachment WHERE attachment.id = filePart.attachment)
                AND NOT EXISTS (SELECT 1 FROM arrivingFile WHERE arrivingFile.attachment = filePart.attachment)
                """
        ) { "attachment \($0) is missing, and has a file" }
    }
}

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

    var db: DatabaseSession { rows.db }

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
