import ChatModel
import Formats

/// What the columns `email` and `nameKey` of an account have, for the desk's search.
extension Customer {
    /// Bytes that a key has at most. An index of PostgreSQL takes rows of some 2,700 bytes.
    static let maximumKeyLength = 600

    /// The e-mail address in lower case.
    var emailKey: String? { email.flatMap(Self.key) }

    /// The whole name in lower case.
    var nameKey: String? { fullName.flatMap(Self.key) }

    /// A text as it is searched for: in lower case, without the spaces around it, and no longer than any key. Nil for
    /// one that has nothing else.
    static func key(_ text: String) -> String? {
        var key = String.UnicodeScalarView()
        var length = 0
        // No character becomes shorter, so the rest would be cut off anyway.
        for scalar in String(text.unicodeScalars.prefix(maximumKeyLength)).lowercased().unicodeScalars {
            if key.isEmpty, scalar == " " { continue }
            length += String(scalar).utf8.count
            guard length <= maximumKeyLength else { break }
            // Not every database has texts with U+0000.
            key.append(scalar == "\0" ? "\u{FFFD}" : scalar)
        }
        while key.last == " " { key.removeLast() }
        return key.isEmpty ? nil : String(key)
    }
}
