/// The one rule for ids of sessions, threads, messages, channels and customers.
///
/// An id is kept as it came, and ids are compared byte by byte. Clients and remote platforms make ids of their own. If
/// a client's id breaks the rule, the request is refused; if a platform's does, what it names is left out.
///
/// Ids stand in paths, percent-encoded. The texts `.` and `..` are steps of a path in any encoding (RFC 3986, 6.2.2.3):
/// clients take them out before they send the request, which then goes to another resource. So they are no ids.
public enum Identifier {
    /// In bytes, which are characters.
    public static let maximumLength = 128

    /// The rule, for whoever gave another text.
    public static let rule = "1 to 128 printable ASCII characters other than . and .. alone"

    /// Whether the text has 1 to 128 characters of printable ASCII, the space included, and is neither `.` nor `..`.
    ///
    /// Inlinable, because every id in a request's path is checked.
    @inlinable public static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...maximumLength).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) }
            && (bytes.count > 2 || !bytes.allSatisfy { $0 == UInt8(ascii: ".") })
    }
}
