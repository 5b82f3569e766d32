/// Bytes as hexadecimal digits, two for each byte (RFC 4648, section 8).
public enum Hexadecimal {
    /// In lower case.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes { digits += [digit(byte >> 4), digit(byte & 15)] }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The character of one digit: `0` to `9`, `a` to `f`. Of a larger number, that of its low four bits.
    public static func digit(_ value: UInt8) -> UInt8 {
        let value = value & 15
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The value of one digit of either case. Nil for any other character.
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

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
