/// A statement that adds one row to a table, for ``Session/add(_:_:)``.
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

/// A table to which rows are only added, for ``Session/append(_:to:)``: no key of it can be there already.
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
