/// The rule for files' names and types, by whatever way a file comes: uploads, sandbox clients, platforms.
///
/// A name is a label that people see, never a path.
public enum FileName {
    /// Bytes of UTF-8.
    public static let maximumLength = 255

    /// The last part of what may be a path, without what no name should have: controls, and marks that turn the
    /// direction of writing. Cut to ``maximumLength``.
    ///
    /// - Parameter fallback: the name where nothing is left.
    public static func clean(_ name: String, or fallback: String = "file") -> String {
        // Nobody looks at megabytes of a name, also not to clean it. The ending is at the end.
        let scalars = Array(name.unicodeScalars.suffix(1 << 14))
        let last = scalars.split { $0 == "/" || $0 == "\\" }.last ?? []
        var kept = String.UnicodeScalarView()
        for scalar in last where isKept(scalar) { kept.append(scalar) }
        // A cut may leave spaces at the end, or dots alone.
        let short = shortened(String(kept).trimmed).trimmed
        guard !short.isEmpty, !short.allSatisfy({ $0 == "." }) else { return fallback }
        return short
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned: return false
        default: return true
        }
    }

    /// Cut before the ending, so that a short one stays.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > maximumLength else { return name }
        let ending = name.lastIndex(of: ".").map { name[$0...] }.flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
        // By code points: a single character may be made of any number of them.
        var start = name.unicodeScalars.dropLast(ending.unicodeScalars.count), count = start.utf8Count
        while count + ending.utf8.count > maximumLength, let last = start.popLast() { count -= UTF8.width(last) }
        return String(String.UnicodeScalarView(start)) + ending
    }

    /// A media type as headers may carry it: printable ASCII like `type/subtype`, with parameters. Anything else is
    /// `application/octet-stream`.
    public static func cleanType(_ type: String) -> String {
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }
        let parts = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isType =
            parts.count == 2
            && parts.allSatisfy { part in
                let trimmed = part.filter { $0 != UInt8(ascii: " ") }
                return !trimmed.isEmpty && trimmed.allSatisfy(isToken)
            }
        let isPrintable = type.utf8.count <= maximumLength && type.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        return isType && isPrintable ? type : "application/octet-stream"
    }

    /// RFC 9110's `tchar`.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension String.UnicodeScalarView.SubSequence {
    fileprivate var utf8Count: Int { reduce(0) { $0 + UTF8.width($1) } }
}
