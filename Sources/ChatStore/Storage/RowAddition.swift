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
