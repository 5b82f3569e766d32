/// The one rule for ids of sessions, threads, messages, channels and customers.
///
/// An id is kept as it came, and ids are compared byte by byte. Clients and remote platforms make ids of their own. If
/// a client's id breaks the rule, the request is refused; if a platform's does, what it names is left out.
public enum Identifier {
    /// In bytes, which are characters.
    public static let maximumLength = 128

    /// Whether the text has 1 to 128 characters of printable ASCII, the space included.
    ///
    /// Inlinable, because every id in a request's path is checked.
    @inlinable public static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...maximumLength).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
