/// A JSON text that has been checked, with the place of each of its values.
///
/// Frames of the platform repeat large objects that nobody reads. So the text is
/// scanned once, and strings and numbers are made only of what is asked for.
final class JSONIndex: Sendable {
    enum Kind: UInt8, Sendable {
        case null, `true`, `false`, number, string, array, object
    }

    /// One value. Values stand in the order of the text; the members of an object as name, value, name, value.
    struct Node: Sendable {
        var kind: Kind
        /// A string with at least one backslash.
        var hasEscape = false
        /// The value's bytes; of a string those between its quotes.
        var start: Int32
        var end: Int32 = 0
        /// The node after this one and all that it contains.
        var next: Int32 = 0
    }

    let bytes: [UInt8]
    let nodes: [Node]

    /// Throws ``WireError/Kind/tooLarge`` beyond `limit` bytes, ``WireError/Kind/notJSON`` when the text is none.
    init(_ bytes: [UInt8], limit: Int) throws(WireError) {
        guard bytes.count <= min(limit, Int(Int32.max)) else {
            throw WireError(.tooLarge, "\(bytes.count) bytes, at most \(limit) are read")
        }
        let scanned = bytes.withUnsafeBufferPointer { text -> Result<[Node], WireError> in
            var scanner = JSONScanner(text: text)
            do throws(WireError) {
                try scanner.scan()
                return .success(scanner.nodes)
            } catch {
                return .failure(error)
            }
        }
        self.bytes = bytes
        nodes = try scanned.get()
    }

    static let emptyObject = JSONIndex()

    private init() {
        bytes = Array("{}".utf8)
        nodes = [Node(kind: .object, start: 0, end: 2, next: 1)]
    }

    func slice(_ node: Int) -> ArraySlice<UInt8> { bytes[Int(nodes[node].start)..<Int(nodes[node].end)] }

    /// The text of a string node, its escapes resolved. The scanner has checked them.
    func string(_ node: Int) -> String {
        guard nodes[node].hasEscape else { return String(decoding: slice(node), as: UTF8.self) }
        return String(decoding: Self.unescaped(slice(node)), as: UTF8.self)
    }

    func isName(_ node: Int, _ name: StaticString) -> Bool {
        let expected = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        if nodes[node].hasEscape { return Self.unescaped(slice(node)).elementsEqual(expected) }
        let start = Int(nodes[node].start)
        guard Int(nodes[node].end) - start == expected.count else { return false }
        for offset in 0..<expected.count where bytes[start + offset] != expected[offset] { return false }
        return true
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = text.startIndex
        func unit(at start: Int) -> UInt32 {
            text[start..<start + 4].reduce(0) { $0 << 4 | UInt32(hexadecimalValue($1) ?? 0) }
        }
        while position < text.endIndex {
            let byte = text[position]
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                position += 1
                continue
            }
            let escape = text[position + 1]
            position += 2
            switch escape {
            case UInt8(ascii: "b"): result.append(8)
            case UInt8(ascii: "f"): result.append(12)
            case UInt8(ascii: "n"): result.append(10)
            case UInt8(ascii: "r"): result.append(13)
            case UInt8(ascii: "t"): result.append(9)
            case UInt8(ascii: "u"):
                var code = unit(at: position)
                position += 4
                if (0xD800..<0xDC00).contains(code) {
                    code = 0x10000 + (code - 0xD800) << 10 + (unit(at: position + 2) - 0xDC00)
                    position += 6
                }
                result.append(contentsOf: UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
            default: result.append(escape)
            }
        }
        return result
    }
}

func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
