/// Reads what headers are made of: tokens, quoted strings, and `;name=value` (RFC 9110, 5.6).
struct ParameterScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x09 { position += 1 }
    }

    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    mutating func token() -> String? {
        let start = position
        while let byte = next, Self.isToken(byte) { position += 1 }
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quotedString() -> String? {
        guard skip("\"") else { return nil }
        var value: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return String(validating: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { return nil }
                position += 1
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    /// The rest: parameters up to the end, names in lower case. Nil when it is not well-formed.
    mutating func parameters() -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        while true {
            skipSpace()
            if next == nil { return parameters }
            guard skip(";") else { return nil }
            skipSpace()
            if next == nil { return parameters }
            guard let name = token()?.lowercased() else { return nil }
            skipSpace()
            guard skip("=") else { return nil }
            skipSpace()
            guard let value = next == UInt8(ascii: "\"") ? quotedString() : token(),
                !parameters.contains(where: { $0.name == name })
            else { return nil }
            parameters.append((name, value))
        }
    }
}
