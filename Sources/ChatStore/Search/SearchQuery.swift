/// What a user looks for: words, `"words in this order"` and prefixes such as `begin*`. All of them must occur.
///
/// Every text can be read. Only quoted words reach SQLite, so no text can use FTS5's operators.
package struct SearchQuery: Equatable {
    /// The query as an FTS5 expression; nil when it has no word, which finds nothing.
    package let expression: String?

    package init(_ text: String) {
        var terms: [String] = []
        var rest = text.unicodeScalars.filter { $0.value >= 0x20 }[...]
        while let first = rest.first {
            let term: Substring.UnicodeScalarView
            if first == "\"" {
                rest.removeFirst()
                term = Substring(String(String.UnicodeScalarView(rest.prefix { $0 != "\"" }))).unicodeScalars
                rest = rest.dropFirst(term.count).dropFirst()
                var isPrefix = false
                while rest.first == "*" {
                    isPrefix = true
                    rest.removeFirst()
                }
                Self.add(String(term), isPrefix: isPrefix, to: &terms)
            } else if first.properties.isWhitespace {
                rest.removeFirst()
            } else {
                let word = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }
                rest = rest.dropFirst(word.count)
                Self.add(String(String.UnicodeScalarView(word)), isPrefix: word.last == "*", to: &terms)
            }
        }
        expression = terms.isEmpty ? nil : terms.joined(separator: " AND ")
    }

    private static func add(_ term: String, isPrefix: Bool, to terms: inout [String]) {
        guard term.unicodeScalars.contains(where: isWordCharacter) else { return }
        terms.append("\"\(term.replacing("\"", with: ""))\"\(isPrefix ? " *" : "")")
    }

    /// As the index's tokenizer sees it: letters and numbers.
    private static func isWordCharacter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}
