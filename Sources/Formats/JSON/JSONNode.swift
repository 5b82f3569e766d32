/// What a value of a JSON text is.
public enum JSONKind: UInt8, Sendable {
    case null, `true`, `false`, number, string, array, object
}

/// The place of one value in a JSON text that ``JSONParser`` has checked.
///
/// Nodes stand in the order of the text; the members of an object as name, value, name, value.
struct JSONNode: Sendable {
    var kind: JSONKind
    /// A string without a backslash, or a number without a fraction and an exponent.
    var isPlain: Bool
    /// The value's bytes; of a string those between its quotes.
    var start: Int32
    var end: Int32
    /// The number of the node after this one and all that it contains.
    var next: Int32

    var range: Range<Int> { Int(start)..<Int(end) }

    /// The text of a string, its escapes resolved.
    func string(in text: UnsafeBufferPointer<UInt8>) -> String {
        let bytes = UnsafeBufferPointer(rebasing: text[range])
        return isPlain ? String(decoding: bytes, as: UTF8.self) : String(decoding: Self.unescaped(bytes), as: UTF8.self)
    }

    /// Whether a string, its escapes resolved, has exactly the bytes of `name`.
    func isString(_ name: StaticString, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let expected = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        let bytes = UnsafeBufferPointer(rebasing: text[range])
        return isPlain
            ? bytes.count == expected.count && bytes.elementsEqual(expected)
            : Self.unescaped(bytes).elementsEqual(expected)
    }

    /// Resolves escapes that the parser has checked.
    private static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = 0
        func codeUnit(at start: Int) -> UInt32 {
            text[start..<start + 4].reduce(0) { $0 << 4 | UInt32(Hexadecimal.value(of: $1) ?? 0) }
        }
        while position < text.count {
            guard text[position] == UInt8(ascii: "\\") else {
                result.append(text[position])
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
                var code = codeUnit(at: position)
                position += 4
                if (0xD800..<0xDC00).contains(code) {
                    code = 0x10000 + (code - 0xD800) << 10 + (codeUnit(at: position + 2) - 0xDC00)
                    position += 6
                }
                let bytes = UTF8.encode(Unicode.Scalar(code) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
                result.append(contentsOf: bytes)
            default: result.append(escape)
            }
        }
        return result
    }
}
