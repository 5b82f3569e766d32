/// Reads JSON text (RFC 8259, and of RFC 7493: no duplicate member, no lone surrogate).
///
/// Throws ``JSONSyntaxError`` with the byte at which the text went wrong. It reads
/// at most 64 levels deep, so that hostile nesting costs nothing.
public struct JSONParser {
    public static let maximumDepth = 64

    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0

    public static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONValue {
        let result = bytes.withUnsafeBufferPointer { text -> Result<JSONValue, JSONSyntaxError> in
            var parser = JSONParser(text: text)
            do throws(JSONSyntaxError) {
                return .success(try parser.document())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(text: UnsafeBufferPointer<UInt8>) { self.text = text }

    private mutating func document() throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard position == text.count else { throw error("there is more after the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard let byte = peek else { throw error("the text ends where a value should be") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw error("this byte begins no value")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        position += 1
        var members: [JSONMember] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object([]) }
        // Up to some members a scan is fastest; beyond, a set keeps hostile objects linear.
        var seen: Set<ExactText> = []
        while true {
            guard peek == UInt8(ascii: "\"") else { throw error("a member's name must be a string") }
            let start = position
            let name = try string()
            let isDuplicate = members.count < 16
                ? members.contains { $0.name.hasSameBytes(as: name) } : seen.contains(ExactText(name))
            if isDuplicate { throw JSONSyntaxError(reason: "the member appears twice", offset: start) }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("a colon must follow the member's name") }
            skipSpace()
            members.append(JSONMember(name: name, value: try value(depth: depth + 1)))
            if members.count == 16 {
                seen = Set(members.map { ExactText($0.name) })
            } else if members.count > 16 {
                seen.insert(ExactText(name))
            }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or a closing brace must follow") }
            skipSpace()
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        position += 1
        var items: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            items.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(items) }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or a closing bracket must follow") }
            skipSpace()
        }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if peek == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try utf8(text[start..<position], from: start)
        }
        var bytes = Array(text[start..<position])
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try utf8(bytes, from: start)
            case UInt8(ascii: "\\"):
                try escape(into: &bytes)
            case 0..<0x20:
                throw error("a control character must be escaped")
            default:
                bytes.append(byte)
                position += 1
            }
        }
        throw error("the text ends inside a string")
    }

    private func utf8(_ bytes: some Collection<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw JSONSyntaxError(reason: "the string is not valid UTF-8", offset: start)
        }
        return string
    }

    private mutating func escape(into bytes: inout [UInt8]) throws(JSONSyntaxError) {
        let start = position
        position += 1
        guard let byte = peek else { throw error("the text ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(8)
        case UInt8(ascii: "f"): bytes.append(12)
        case UInt8(ascii: "n"): bytes.append(10)
        case UInt8(ascii: "r"): bytes.append(13)
        case UInt8(ascii: "t"): bytes.append(9)
        case UInt8(ascii: "u"):
            var code = UInt32(try hexadecimal())
            if (0xD800..<0xDC00).contains(code), position + 1 < text.count,
               text[position] == UInt8(ascii: "\\"), text[position + 1] == UInt8(ascii: "u") {
                position += 2
                let low = UInt32(try hexadecimal())
                guard (0xDC00..<0xE000).contains(low) else {
                    throw JSONSyntaxError(reason: "a surrogate stands alone", offset: start)
                }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else {
                throw JSONSyntaxError(reason: "a surrogate stands alone", offset: start)
            }
            bytes.append(contentsOf: String(Character(scalar)).utf8)
        default: throw JSONSyntaxError(reason: "no such escape", offset: start)
        }
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek else { throw error("the text ends inside an escape") }
            guard let digit = Hexadecimal.value(of: byte) else {
                throw error("four hexadecimal digits must follow \\u")
            }
            code = code << 4 | UInt16(digit)
            position += 1
        }
        return code
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let spelling = String(decoding: text[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(spelling) { return .integer(integer) }
        guard let number = Double(spelling), number.isFinite else {
            throw JSONSyntaxError(reason: "the number is too large", offset: start)
        }
        return .number(number)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        if position == start { throw error("a digit must follow") }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard text[position...].starts(with: expected) else { throw error("this byte begins no value") }
        position += expected.count
        return value
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

    private func error(_ reason: String) -> JSONSyntaxError { JSONSyntaxError(reason: reason, offset: position) }
}

/// Where and why a text is not JSON.
public struct JSONSyntaxError: Error, Sendable, Equatable {
    public var reason: String
    /// The byte at which reading stopped, counted from 0.
    public var offset: Int
}
