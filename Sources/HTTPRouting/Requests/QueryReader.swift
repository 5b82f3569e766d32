import Formats

/// The parameters of a query, percent-decoded. Unknown parameters are refused, and repeated ones unless the route
/// allows it, because ignoring them would hide a mistake of the caller.
///
/// ```swift
/// let query = try QueryReader([("limit", "20")], known: .only(["limit", "cursor"]))
/// print(query["limit"] ?? "50", query["cursor"] ?? "the first page")
/// ```
package struct QueryReader: Sendable {
    private let pairs: [(name: String, value: String)]

    /// Throws `unknownParameter`, or `invalidParameter` for a repeated one; the status is 400 for both.
    package init(_ pairs: [(name: String, value: String)], known: KnownParameters) throws(Problem) {
        self.pairs = pairs
        guard !pairs.isEmpty, case .only(let names, let repeatable, let isResumable) = known else { return }
        func isKnown(_ name: String) -> Bool {
            names.contains { $0.hasSameBytes(as: name) } || repeatable.contains { $0.hasSameBytes(as: name) }
                || isResumable && name.hasSameBytes(as: KnownParameters.resumeName)
        }
        for pair in pairs where !isKnown(pair.name) {
            let item = Problem.Item(
                .unknownParameter, pointer: "?\(pair.name)", "the operation does not know this parameter")
            throw Problem(.unknownParameter, item.detail, items: [item])
        }
        for name in names + [KnownParameters.resumeName] where pairs.lazy.filter({ $0.name == name }).count > 1 {
            throw Problem.parameter(name, "the parameter may be given once")
        }
    }

    /// The first value; nil when the parameter is missing. `?name` and `?name=` give an empty text.
    package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// All values of a repeatable parameter, in the order of the query.
    package func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// The choice with this raw value; the fallback when the parameter is missing. Throws `invalidParameter`.
    @inlinable
    package func choice<T: RawRepresentable<String> & CaseIterable>(
        _ name: String, default fallback: T
    ) throws(Problem)
        -> T
    {
        guard let text = self[name] else { return fallback }
        guard let choice = T(rawValue: text) else {
            throw Problem.parameter(name, "one of \(T.allCases.map(\.rawValue).joined(separator: ", ")) was expected")
        }
        return choice
    }

    /// An id under the same rule as in bodies and paths; nil when it is missing. Throws `invalidParameter`.
    package func identifier(_ name: String) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard Identifier.isValid(text) else {
            throw Problem.parameter(name, "\(Identifier.rule) were expected")
        }
        // Nearly always a telephone number whose plus sign was not encoded. It would find nothing, and nobody would
        // know why.
        if text.hasPrefix(" ") {
            throw Problem.parameter(name, "the value begins with a space; in a query a plus sign is written %2B")
        }
        return text
    }

    /// A text whose length in Unicode code points is in the range; nil when it is missing. Throws `invalidParameter`.
    package func text(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String? {
        guard let text = self[name] else { return nil }
        guard length.contains(text.unicodeScalars.count) else {
            throw Problem.parameter(name, "\(length.lowerBound) to \(length.upperBound) characters were expected")
        }
        return text
    }

    /// The same for a text that rows are found by: without U+0000. Throws `invalidParameter`.
    package func key(_ name: String, length: ClosedRange<Int>) throws(Problem) -> String? {
        guard let text = try text(name, length: length) else { return nil }
        guard !text.utf8.contains(0) else {
            throw Problem.parameter(name, "a text without the character U+0000 was expected")
        }
        return text
    }

    /// `true` or `false`; false when it is missing. Throws `invalidParameter` for anything else, also for an empty
    /// value.
    package func flag(_ name: String) throws(Problem) -> Bool {
        switch self[name] {
        case nil, "false": false
        case "true": true
        default: throw Problem.parameter(name, "true or false was expected")
        }
    }

    /// A whole number in the range, in decimal digits; nil when it is missing. Throws `invalidParameter`.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(digits: text), range.contains(number) else {
            throw Problem.parameter(name, "a number from \(range.lowerBound) to \(range.upperBound) was expected")
        }
        return number
    }

    /// A time as RFC 3339 has it; nil when it is missing. A space before the offset is taken for the plus sign that it
    /// is in a query which was not encoded. Throws `invalidParameter`.
    package func time(
        _ name: String, expected: String = "a time such as 2026-05-04T09:30:00Z"
    ) throws(Problem)
        -> Timestamp?
    {
        guard let text = self[name] else { return nil }
        let signed = text.lastIndex(of: " ").map { text.replacingCharacters(in: $0...$0, with: "+") }
        guard let time = Timestamp(rfc3339: text) ?? signed.flatMap({ Timestamp(rfc3339: $0) }) else {
            throw Problem.parameter(name, "\(expected) was expected")
        }
        return time
    }

    /// The same query with another place, percent-encoded and without the question mark: for links to neighbouring
    /// pages.
    ///
    /// - Parameters:
    ///   - name: the parameter that says the place.
    ///   - others: parameters that would contradict it, and are left out.
    package func replacing(_ name: String = "cursor", without others: [String] = [], cursor: String) -> String {
        var query = ""
        for pair in pairs where pair.name != name && !others.contains(pair.name) {
            query += "\(pair.name.percentEncoded)=\(pair.value.percentEncoded)&"
        }
        return query + "\(name.percentEncoded)=\(cursor.percentEncoded)"
    }
}
