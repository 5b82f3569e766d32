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
