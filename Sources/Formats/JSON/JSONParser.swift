/// Reads JSON text (RFC 8259, and of RFC 7493: no lone surrogate).
///
/// This is the one reader of JSON's grammar. It checks the text and notes the place of each value, but makes none of
/// them. ``parse(_:limitsMarks:)`` then makes all values; bodies of requests and stored rows are read so. ``JSONText`` makes only
/// the values that are asked for; frames of platforms are read so, because they repeat large objects that nobody needs.
///
/// Throws ``JSONSyntaxError`` with the byte at which the text went wrong. It reads at most 64 levels deep, so that
/// hostile nesting costs nothing.
///
/// ```swift
/// do {
///     _ = try JSONParser.parse(Array(#"{"text":}"#.utf8))
/// } catch {
///     print(error.offset, error.reason)  // byte 8 is no value
/// }
/// ```
public struct JSONParser {
    public static let maximumDepth = 64

    private let text: UnsafeBufferPointer<UInt8>
    private let limitsMarks: Bool
    private var position = 0
    private var nodes: [JSONNode] = []

    /// Reads a whole text. Also refuses a member that appears twice in its object (RFC 7493), and a number beyond the
    /// range of `Double`.
    ///
    /// - Parameter limitsMarks: refuses a string with a run of more than ``CombiningMarks/maximumRun`` marks. For texts
    ///   of clients; what is stored was checked when it came.
    public static func parse(_ bytes: [UInt8], limitsMarks: Bool = false) throws(JSONSyntaxError) -> JSONValue {
        let result = bytes.withUnsafeBufferPointer { text -> Result<JSONValue, JSONSyntaxError> in
            do throws(JSONSyntaxError) {
                return .success(try JSONValue(text: text, nodes: try nodes(of: text, limitsMarks: limitsMarks)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The text's values, in the text's order.
    static func nodes(
        of text: UnsafeBufferPointer<UInt8>, limitsMarks: Bool = false
    ) throws(JSONSyntaxError) -> [JSONNode] {
        // Places are counted in 32 bits.
        guard text.count < Int(Int32.max) else { throw JSONSyntaxError(reason: "the text is too long", offset: 0) }
        var parser = JSONParser(text: text, limitsMarks: limitsMarks)
        parser.skipSpace()
        try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == text.count else { throw parser.error("there is more text after the value") }
        return parser.nodes
    }

    private init(text: UnsafeBufferPointer<UInt8>, limitsMarks: Bool) {
        self.text = text
        self.limitsMarks = limitsMarks
        nodes.reserveCapacity(min(text.count / 8 + 1, 4096))
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) {
        guard let byte = peek else { throw error("the text ends where a value should be") }
        switch byte {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "t"): try literal("true", .true)
        case UInt8(ascii: "f"): try literal("false", .false)
        case UInt8(ascii: "n"): try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw error("no value begins with this byte")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) {
        let node = try open(.object, depth: depth)
        if skip(UInt8(ascii: "}")) { return close(node) }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw error("a member's name must be a string") }
            try string()
            skipSpace()
            guard skip(UInt8(ascii: ":")) else { throw error("a colon must follow the member's name") }
            skipSpace()
            try value(depth: depth + 1)
            skipSpace()
            if skip(UInt8(ascii: "}")) { return close(node) }
            guard skip(UInt8(ascii: ",")) else { throw error("a comma or a closing brace must follow") }
            skipSpace()
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) {
        let node = try open(.array, depth: depth)
        if skip(UInt8(ascii: "]")) { return close(node) }
        while true {
            try value(depth: depth + 1)
            skipSpace()
            if skip(UInt8(ascii: "]")) { return close(node) }
            guard skip(UInt8(ascii: ",")) else { throw error("a comma or a closing bracket must follow") }
            skipSpace()
        }
    }

    private mutating func string() throws(JSONSyntaxError) {
        position += 1
        let start = position
        var isASCII = true
        var isPlain = true
        var mayHaveMarks = false
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                if !isASCII { try checkUTF8(from: start) }
                append(.string, from: start, isPlain: isPlain)
                if limitsMarks, mayHaveMarks || !isASCII { try checkMarks() }
                position += 1
                return
            case UInt8(ascii: "\\"):
                isPlain = false
                if position + 1 < text.count, text[position + 1] == UInt8(ascii: "u") { mayHaveMarks = true }
                try escape()
            case 0..<0x20:
                throw error("a control character must be escaped")
            default:
                if byte >= 0x80 { isASCII = false }
                position += 1
            }
        }
        throw error("the text ends inside a string")
    }

    private func checkUTF8(from start: Int) throws(JSONSyntaxError) {
        let bytes = UnsafeBufferPointer(rebasing: text[start..<position])
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw JSONSyntaxError(reason: "the string is not valid UTF-8", offset: start)
        }
    }

    /// Checks the string that was appended last.
    private func checkMarks() throws(JSONSyntaxError) {
        let node = nodes[nodes.count - 1]
        // A mark has two bytes or more.
        guard node.range.count > 2 * CombiningMarks.maximumRun else { return }
        if CombiningMarks.areTooMany(in: node.string(in: text).unicodeScalars) {
            throw JSONSyntaxError(
                reason: "the string has more than \(CombiningMarks.maximumRun) combining marks in a row",
                offset: Int(node.start))
        }
    }

    private mutating func escape() throws(JSONSyntaxError) {
        let start = position
        position += 1
        guard let byte = peek else { throw error("the text ends inside a string") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            let alone = JSONSyntaxError(reason: "an escaped surrogate has no partner", offset: start)
            switch try codeUnit() {
            case 0xDC00..<0xE000: throw alone
            case 0xD800..<0xDC00:
                guard skip(UInt8(ascii: "\\")), peek == UInt8(ascii: "u"), (0xDC00..<0xE000).contains(try codeUnit())
                else { throw alone }
            default: break
            }
        default: throw JSONSyntaxError(reason: "no such escape", offset: start)
        }
    }

    /// Reads `uXXXX`.
    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
        position += 1
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Hexadecimal.value(of: byte) else {
                throw error("four hexadecimal digits must follow \\u")
            }
            code = code << 4 | UInt16(digit)
            position += 1
        }
        return code
    }

    private mutating func number() throws(JSONSyntaxError) {
        let start = position
        var isPlain = true
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) {
            isPlain = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isPlain = false
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
        append(.number, from: start, isPlain: isPlain)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        if position == start { throw error("a digit must follow") }
    }

    private mutating func literal(_ word: StaticString, _ kind: JSONKind) throws(JSONSyntaxError) {
        let start = position
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard text[position...].starts(with: expected) else { throw error("no value begins with this byte") }
        position += expected.count
        append(kind, from: start)
    }

    private mutating func append(_ kind: JSONKind, from start: Int, isPlain: Bool = true) {
        nodes.append(
            JSONNode(
                kind: kind, isPlain: isPlain, start: Int32(truncatingIfNeeded: start),
                end: Int32(truncatingIfNeeded: position), next: Int32(truncatingIfNeeded: nodes.count + 1)))
    }

    private mutating func open(_ kind: JSONKind, depth: Int) throws(JSONSyntaxError) -> Int {
        guard depth < Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        append(kind, from: position)
        position += 1
        skipSpace()
        return nodes.count - 1
    }

    private mutating func close(_ node: Int) {
        nodes[node].end = Int32(truncatingIfNeeded: position)
        nodes[node].next = Int32(truncatingIfNeeded: nodes.count)
    }

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func error(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: position) }
}

/// Where and why a text is not JSON.
public struct JSONSyntaxError: Error, Sendable, Equatable {
    public var reason: String
    /// The byte at which reading stopped, counted from 0.
    public var offset: Int
}

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
