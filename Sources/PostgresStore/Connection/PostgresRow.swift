import ChatStore
import CPostgreSQL

/// The rows of a result, in binary form, and the current one of them. The result lives as long as the object.
final class PostgresRow: EngineRow {
    private let functions: libpq
    private let result: OpaquePointer
    private var row: CInt = 0

    init(functions: libpq, result: OpaquePointer) {
        self.functions = functions
        self.result = result
    }

    deinit { functions.clear(result) }

    var count: Int { Int(functions.ntuples(result)) }

    /// Calls `body` at each row until it returns false.
    func forEach(_ body: (PostgresRow) throws -> Bool) rethrows {
        for index in 0..<functions.ntuples(result) {
            row = index
            if try !body(self) { return }
        }
    }

    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: functions.getvalue(result, row, column), count: Int(functions.getlength(result, row, column)))
    }

    package func isNull(_ column: Int32) -> Bool { functions.getisnull(result, row, column) != 0 }

    /// A whole number of any of PostgreSQL's types; the sum of bigints is `numeric`. 0 for null and for other types.
    package func integer(_ column: Int32) -> Int64 {
        guard !isNull(column) else { return 0 }
        let bytes = bytes(column)
        switch functions.ftype(result, column) {
        case PostgresType.int8 where bytes.count == 8:
            return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case PostgresType.int4 where bytes.count == 4:
            return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case PostgresType.int2 where bytes.count == 2:
            return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case PostgresType.bool: return bytes.first == 1 ? 1 : 0
        case PostgresType.numeric: return Self.whole(bytes)
        default: return 0
        }
    }

    /// The whole part of a `numeric`: digits to the base 10,000 after a count, a weight, a sign and a scale. What is too
    /// large for 64 bits becomes the greatest number.
    private static func whole(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        func short(_ index: Int) -> Int16 {
            guard 2 * index + 2 <= bytes.count else { return 0 }
            return Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self))
        }
        let (count, weight, isNegative) = (Int(short(0)), Int(short(1)), short(2) == 0x4000)
        var number: Int64 = 0
        guard weight >= 0 else { return 0 }
        for digit in 0...weight {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10_000)
            let (sum, overflows) = product.addingReportingOverflow(digit < count ? Int64(short(4 + digit)) : 0)
            if isTooLarge || overflows { return isNegative ? .min : .max }
            number = sum
        }
        return isNegative ? -number : number
    }

    package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    package func withBlob<T>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        try body(bytes(column))
    }
}

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
