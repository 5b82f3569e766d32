import ChatModel

/// One rule that the rows of every store keep, on either engine. It reads, and changes nothing.
package struct StoreCheck: Sendable {
    /// A short name, which each line about a broken rule begins with.
    package let name: String
    let run: @Sendable (Inspection) throws -> Void

    /// All rules, in the order in which they are looked at.
    package static let all =
        positions + accounts + threads + members + messages + replies + log + deliveries + attachments
}

/// What a broken rule was seen at.
package struct StoreFault: Sendable, Equatable, CustomStringConvertible {
    /// The name of the ``StoreCheck``.
    package let check: String
    package let detail: String

    package var description: String { "\(check): \(detail)" }
}

/// One look at a store: a snapshot of its rows, the folder of its files, and whom to tell what is wrong.
struct Inspection {
    /// The folder of the files, and how the digest of one of them is had.
    struct Files {
        let folder: String
        /// The SHA-256 of a file's bytes; nil when it cannot be read.
        let digest: (_ path: String) -> [UInt8]?
    }

    let rows: ReadTransaction
    /// Nil: the files are not looked at.
    let files: Files?
    let head: Int64
    let floor: Int64
    let report: (String) -> Void

    var db: Session { rows.db }

    /// The most rows that are read at once: an engine may hold them all in memory.
    private static let portion = 128

    /// Goes through a table whose rows have a number, in its order.
    ///
    /// - Parameter columns: the first is the number.
    func each<Row>(
        _ columns: String, of table: String, key: String = "number", _ map: (SQLRow) throws -> Row,
        _ look: (Row) throws -> Void
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
            for row in found { try look(row) }
            guard found.count == Self.portion else { return }
        }
    }

    /// Goes through a table whose rows have a text as their key, in its order.
    func eachText<Row>(
        _ columns: String, of table: String, key: String = "id", _ map: (SQLRow) throws -> Row,
        _ look: (Row) throws -> Void
    ) throws {
        var last = ""
        while true {
            let found = try db.all(
                "SELECT \(columns) FROM \(table) WHERE \(key) > ? ORDER BY \(key) LIMIT ?",
                [.text(last), .integer(Int64(Self.portion))]
            ) { row in
                last = row.text(0)
                return try map(row)
            }
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

    func exists(_ sql: String, _ values: [SQLValue]) throws -> Bool {
        try db.first(sql, values) { _ in true } == true
    }

    func count(_ sql: String, _ values: [SQLValue]) throws -> Int64 { try db.first(sql, values) { $0.integer(0) } ?? 0 }

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

    /// Reports an offset that no event can have had.
    func checkOffset(_ name: String, _ column: String, _ offset: Int64) {
        if offset > head { report("\(name): \(column) is \(offset), beyond the log's head \(head)") }
    }
}

extension StoreReader {
    /// Looks whether the rows, and the files in the folder, keep all rules, on one snapshot. Calls `report` for each
    /// fault, and returns how many there were.
    ///
    /// - Parameters:
    ///   - files: the folder of the files; nil when they are not to be looked at.
    ///   - digest: the SHA-256 of the file at a path; nil when it cannot be read.
    ///   - begin: told the name of each check before it runs.
    package func inspect(
        checks: [StoreCheck] = StoreCheck.all, files: String?, digest: @escaping (String) -> [UInt8]?,
        begin: (String) -> Void = { _ in }, report: (StoreFault) -> Void
    ) throws -> Int {
        var faults = 0
        try read { transaction in
            let (head, floor) = (try transaction.headOffset(), try transaction.meta("floor"))
            for check in checks {
                begin(check.name)
                try withoutActuallyEscaping({ (detail: String) in
                    faults += 1
                    report(StoreFault(check: check.name, detail: detail))
                }) { report in
                    try check.run(
                        Inspection(
                            rows: transaction, files: files.map { Inspection.Files(folder: $0, digest: digest) },
                            head: head, floor: floor, report: report))
                }
            }
        }
        return faults
    }
}

extension ChatStore {
    /// What is wrong with this store's rows. For tests.
    package func faults() throws -> [StoreFault] {
        let reader = try backend.makeReader()
        defer { reader.close() }
        var faults: [StoreFault] = []
        _ = try reader.inspect(files: nil, digest: { _ in nil }) { faults.append($0) }
        return faults
    }
}
