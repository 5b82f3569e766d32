import Bounds

/// The rows of one page, in the list's order: as many as were asked for, or fewer if they have too many bytes.
///
/// A page has at least one row if the list has one, so whoever follows the pages reaches the end.
public struct BoundedRows<Row> {
    public internal(set) var rows: [Row] = []
    /// Whether the list goes on behind the last row.
    public internal(set) var hasMore = false

    public init() {}
}

extension BoundedRows: Sendable where Row: Sendable {}

/// How much of a list a page has.
struct PageSize {
    var count: Int
    var bytes = ByteBound.page.bytes
}

/// A row whose page ends by its bytes.
protocol SizedRow {
    /// About how many bytes it adds to a page.
    var byteCount: Int { get }
}

extension BoundedRows where Row: SizedRow {
    /// Adds the next row of the list. Returns false, and adds none, when the page has its size.
    mutating func add(_ row: Row, _ byteCount: inout Int, _ size: PageSize) -> Bool {
        byteCount += row.byteCount
        guard rows.count < size.count, byteCount <= size.bytes || rows.isEmpty else {
            hasMore = true
            return false
        }
        rows.append(row)
        return true
    }

    /// About how many bytes its rows have.
    var byteCount: Int { rows.reduce(0) { $0 + $1.byteCount } }

    /// Merges pages of lists into one of all their rows.
    init(_ parts: [BoundedRows], _ size: PageSize, by isBefore: (Row, Row) -> Bool) {
        if parts.count == 1 {
            self = parts[0]
            return
        }
        hasMore = parts.contains { $0.hasMore }
        // Behind the last row of a part that goes on, that part's next rows are not known.
        let end = parts.filter(\.hasMore).compactMap(\.rows.last).min(by: isBefore)
        var byteCount = 0
        for row in parts.flatMap(\.rows).sorted(by: isBefore) {
            if let end, isBefore(end, row) { return }
            guard add(row, &byteCount, size) else { return }
        }
    }
}

extension Querying {
    /// The rows of a page. The query must be in the list's order, and have a LIMIT of one row more than the page.
    func page<Row: SizedRow>(
        _ sql: String, _ values: [SQLValue], _ size: PageSize, _ map: (SQLRow) throws -> Row
    ) throws -> BoundedRows<Row> {
        var page = BoundedRows<Row>()
        var byteCount = 0
        try query(sql, values) { page.add(try map($0), &byteCount, size) }
        return page
    }
}

extension DatabaseSession {
    /// The query of a page so that no engine sends many bytes more than the page has. SQLite gives one row after the
    /// other, and is not asked for more; PostgreSQL sends all rows of a query.
    ///
    /// The row that is too much comes, too: it tells that the list goes on.
    ///
    /// - Parameter column: the column of the query that has nearly all bytes of a row.
    func bounded(_ sql: String, by column: String, _ size: PageSize) -> String {
        guard case .engine = self else { return sql }
        return """
            SELECT * FROM (
                SELECT page.*, sum(octet_length(page.\(column))) OVER (ROWS UNBOUNDED PRECEDING) AS total,
                    lag(octet_length(page.\(column)), 1, 0) OVER () AS ahead
                FROM (\(sql)) AS page
            ) AS summed WHERE total - octet_length(\(column)) - ahead <= \(size.bytes)
            """
    }
}

/// A statement that adds one row to a table, for ``DatabaseSession/add(_:_:)``.
///
/// Both of its texts are made once, so that adding a row makes none.
package struct RowAddition: Sendable {
    /// Does nothing if there is a row with the key.
    package let orNothing: String
    /// Is refused if there is a row with the key.
    package let orFailure: String

    /// - Parameters:
    ///   - insert: an `INSERT` of one row, without `ON CONFLICT`.
    ///   - key: the columns that name the row, such as `thread, id`.
    package init(_ insert: String, key: String) {
        orNothing = insert + " ON CONFLICT (\(key)) DO NOTHING"
        orFailure = insert
    }
}

/// A table to which rows are only added, for ``DatabaseSession/append(_:to:)``: no key of it can be there already.
package struct RowTable: Sendable {
    /// The table's name in the database.
    package let name: String
    /// The statements that add 1, 2, 4 rows and so on.
    package let statements: [String]

    /// How many rows the largest statement adds.
    package var mostTogether: Int { 1 << (statements.count - 1) }

    /// - Parameter doublings: how often one row is doubled in the largest statement.
    package init(_ name: String, _ columns: [String], doublings: Int) {
        self.name = name
        let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
        statements = (0...doublings).map { power in
            let rows = [String](repeating: row, count: 1 << power).joined(separator: ", ")
            return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES \(rows)"
        }
    }
}
