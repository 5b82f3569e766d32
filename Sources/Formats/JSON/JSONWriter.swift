/// Writes JSON text as bytes, in the order in which it is told.
///
/// Values that Parley stores and sends are written by this writer alone, so that
/// one value has one spelling (its canonical JSON): members in a fixed order, no
/// white space, absent members left out, only the escapes that JSON demands.
///
/// ```swift
/// var json = JSONWriter()
/// json.beginObject()
/// json.name("text")
/// json.value("Hello")
/// json.name("count")
/// json.value(2)
/// json.endObject()
/// print(String(decoding: json.bytes, as: UTF8.self))  // {"text":"Hello","count":2}
/// ```
public struct JSONWriter: Sendable {
    public private(set) var bytes: [UInt8]
    private var needsComma = false

    public init(reservingCapacity capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a member's name; its value follows.
    public mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a member's name that comes from data, escaped as needed.
    public mutating func name(_ name: String) {
        value(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    public mutating func value(_ string: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { Self.escape($0, into: &bytes) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    public mutating func value(_ number: Int64) {
        separate()
        var buffer: (UInt64, UInt64, UInt64) = (0, 0, 0)
        withUnsafeMutableBytes(of: &buffer) { digits in
            var position = digits.count
            var rest = number.magnitude
            repeat {
                position -= 1
                digits[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if number < 0 {
                position -= 1
                digits[position] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: digits[position...])
        }
        needsComma = true
    }

    public mutating func value(_ json: JSONValue) {
        switch json {
        case .null: raw("null")
        case .bool(let flag): value(flag)
        case .integer(let number): value(number)
        case .number(let number): raw(Array("\(number)".utf8))
        case .string(let string): value(string)
        case .array(let items):
            beginArray()
            for item in items { value(item) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                name(member.name)
                value(member.value)
            }
            endObject()
        }
    }

    public mutating func value(_ number: Int) { value(Int64(number)) }

    public mutating func value(_ flag: Bool) { raw(flag ? "true" : "false") }

    /// Writes text that is already JSON.
    public mutating func raw(_ json: StaticString) {
        raw(UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
    }

    /// Writes bytes that are already one JSON value.
    public mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Copies runs that need no escape in one piece: most text has none.
    private static func escape(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            bytes.append(contentsOf: text[start..<index])
            start = index + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
            case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
            case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
            default:
                bytes.append(contentsOf: "u00".utf8)
                bytes.append(Hexadecimal.digit(byte >> 4))
                bytes.append(Hexadecimal.digit(byte & 15))
            }
        }
        bytes.append(contentsOf: text[start...])
    }
}
