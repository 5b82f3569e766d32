import ChatStore

/// Rows that wait for others of their table, to be added with one statement: most of a small statement's cost is not
/// its row's.
///
/// They may be sent later than other statements of the transaction, but before each that names their table.
struct CollectedRows {
    typealias Statement = (sql: String, values: [SQLValue])

    private struct Waiting {
        let table: RowTable
        var values: [SQLValue] = []
        var count = 0
    }

    /// One for each table.
    private var waiting: [Waiting] = []
    private(set) var isEmpty = true
    /// Whether rows must be sent before a statement.
    private var known: [String: Bool] = [:]

    /// Adds a row. Returns the statement that is due now; nil if there is none.
    mutating func add(_ values: [SQLValue], to table: RowTable) -> Statement? {
        let index = waiting.firstIndex { $0.table.name == table.name } ?? waiting.count
        if index == waiting.count {
            waiting.append(Waiting(table: table))
            known = [:]
        }
        waiting[index].values += values
        waiting[index].count += 1
        isEmpty = false
        guard waiting[index].count == table.mostTogether, let sql = table.statements.last else { return nil }
        defer { empty(index) }
        return (sql, waiting[index].values)
    }

    private mutating func empty(_ index: Int) {
        waiting[index].values.removeAll(keepingCapacity: true)
        waiting[index].count = 0
        isEmpty = waiting.allSatisfy { $0.count == 0 }
    }

    /// The statements that add all rows that wait.
    mutating func takeAll() -> [Statement] {
        var statements: [Statement] = []
        for index in waiting.indices where waiting[index].count > 0 {
            let width = waiting[index].values.count / waiting[index].count
            var rest = waiting[index].values[...]
            for (power, sql) in waiting[index].table.statements.enumerated().reversed()
            where waiting[index].count & 1 << power != 0 {
                statements.append((sql, Array(rest.prefix(width << power))))
                rest = rest.dropFirst(width << power)
            }
            empty(index)
        }
        return statements
    }

    mutating func forget() { for index in waiting.indices { empty(index) } }

    /// Whether the rows must be sent before this statement: it may name their table, or it ends what is undone together.
    mutating func goBefore(_ sql: String) -> Bool {
        guard !isEmpty else { return false }
        if let known = known[sql] { return known }
        let isChange = ["INSERT ", "UPDATE ", "DELETE "].contains { sql.hasPrefix($0) }
        let goes = !isChange || waiting.contains { sql.contains($0.table.name) }
        // Texts with many parameters are made anew each time.
        if known.count >= Self.mostKnown { known = [:] }
        known[sql] = goes
        return goes
    }

    private static let mostKnown = 1000
}
