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
