/// Checks a JSON text (RFC 8259, and of RFC 7493: no lone surrogate) and finds its values.
///
/// Strings hold no NUL either, not even escaped: databases cut texts there.
/// It reads at most 64 levels deep: hostile nesting costs nothing. A name that
/// occurs twice in an object is left to the reader, who takes the first.
struct JSONScanner {
    static let maximumDepth = 64

    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0
    private(set) var nodes: [JSONIndex.Node] = []

    init(text: UnsafeBufferPointer<UInt8>) {
        self.text = text
        nodes.reserveCapacity(min(text.count / 8, 4096))
    }

    mutating func scan() throws(WireError) {
        skipSpace()
        try value(depth: 0)
        skipSpace()
        guard position == text.count else { throw error("there is more after the value") }
    }

    private mutating func value(depth: Int) throws(WireError) {
        guard let byte = peek else { throw error("the text ends where a value should be") }
        switch byte {
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "t"): try literal("true", .true)
        case UInt8(ascii: "f"): try literal("false", .false)
        case UInt8(ascii: "n"): try literal("null", .null)
        default: try number()
        }
    }

    private mutating func object(depth: Int) throws(WireError) {
        let node = try open(.object, depth: depth)
        if take(UInt8(ascii: "}")) { return close(node) }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw error("a member's name must be a string") }
            try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("a colon must follow the member's name") }
            skipSpace()
            try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: "}")) { return close(node) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or a closing brace must follow") }
            skipSpace()
        }
    }

    private mutating func array(depth: Int) throws(WireError) {
        let node = try open(.array, depth: depth)
        if take(UInt8(ascii: "]")) { return close(node) }
        while true {
            try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: "]")) { return close(node) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or a closing bracket must follow") }
            skipSpace()
        }
    }

    private mutating func string() throws(WireError) {
        position += 1
        var node = JSONIndex.Node(kind: .string, start: Int32(position))
        var isASCII = true
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                node.end = Int32(position)
                node.next = Int32(nodes.count + 1)
                if !isASCII, String(validating: text[Int(node.start)..<position], as: UTF8.self) == nil {
                    throw error("the string is not valid UTF-8")
                }
                nodes.append(node)
                position += 1
                return
            case UInt8(ascii: "\\"):
                node.hasEscape = true
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

    private mutating func escape() throws(WireError) {
        position += 1
        switch peek {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            switch try codeUnit() {
            case 0xDC00..<0xE000: throw error("a surrogate stands alone")
            case 0xD800..<0xDC00:
                guard take(UInt8(ascii: "\\")), peek == UInt8(ascii: "u"),
                      (0xDC00..<0xE000).contains(try codeUnit())
                else { throw error("a surrogate stands alone") }
            default: break
            }
        default: throw error("no such escape")
        }
    }

    /// Reads `uXXXX`.
    private mutating func codeUnit() throws(WireError) -> UInt32 {
        position += 1
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = hexadecimalValue(byte) else {
                throw error("four hexadecimal digits must follow \\u")
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    private mutating func number() throws(WireError) {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        append(.number, from: start)
    }

    private mutating func digits() throws(WireError) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        if position == start { throw error("this byte begins no value") }
    }

    private mutating func literal(_ word: StaticString, _ kind: JSONIndex.Kind) throws(WireError) {
        let start = position
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard text[position...].starts(with: expected) else { throw error("this byte begins no value") }
        position += expected.count
        append(kind, from: start)
    }

    private mutating func append(_ kind: JSONIndex.Kind, from start: Int) {
        nodes.append(
            JSONIndex.Node(kind: kind, start: Int32(start), end: Int32(position), next: Int32(nodes.count + 1)))
    }

    private mutating func open(_ kind: JSONIndex.Kind, depth: Int) throws(WireError) -> Int {
        guard depth < Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        nodes.append(JSONIndex.Node(kind: kind, start: Int32(position)))
        position += 1
        skipSpace()
        return nodes.count - 1
    }

    private mutating func close(_ node: Int) {
        nodes[node].end = Int32(position)
        nodes[node].next = Int32(nodes.count)
    }

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func error(_ reason: String) -> WireError { WireError(.notJSON, "\(reason), byte \(position)") }
}
