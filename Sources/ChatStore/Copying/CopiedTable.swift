/// A table that both engines have, as it is copied: all but what there is once (``StoreImage``).
package struct CopiedTable: Sendable, Equatable {
    package enum Kind: Sendable { case integer, text, blob }

    package struct Column: Sendable, Equatable {
        package let name: String
        package let kind: Kind

        package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    package let name: String
    package let columns: [Column]

    package init(name: String, columns: [Column]) { (self.name, self.columns) = (name, columns) }

    package var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// A statement that adds some rows, whose values are in the order of the columns.
    package func insertion(of rows: Int) -> String {
        let row = "(" + columns.map { _ in "?" }.joined(separator: ", ") + ")"
        let values = Array(repeating: row, count: rows).joined(separator: ", ")
        return "INSERT INTO \(name) (\(columnNames)) VALUES \(values)"
    }

    /// A query for all rows that are copied, in any order.
    ///
    /// - Parameter floor: of the log. What is at or below it is not copied.
    package func selection(above floor: Int64) -> String {
        // The comment says that the whole table is meant: see QueryPlans.
        let all = "/* copy */ SELECT \(columnNames) FROM \(name)"
        return ["log", "audience"].contains(name) ? all + " WHERE place > \(floor)" : all
    }
}
