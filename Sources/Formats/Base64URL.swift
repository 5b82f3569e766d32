/// Base64 for URLs, headers and tokens (RFC 4648, section 5): `-` and `_`, no padding.
///
/// ```swift
/// let text = Base64URL.encode([0xFB, 0xFF])
/// print(text, Base64URL.decode(text) ?? [])  // -_8 [251, 255]
/// ```
public enum Base64URL {
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var bits = 0
        var count = 0
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[bits >> count & 63])
            }
        }
        if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Takes the standard alphabet (`+` and `/`) as well, and right padding.
    ///
    /// Nil for any other character, for a length that no bytes have, and for unused bits that are not zero: one value
    /// has one spelling in each alphabet.
    public static func decode(_ text: String) -> [UInt8]? {
        var digits = text.utf8[...]
        if digits.last == UInt8(ascii: "=") {
            guard digits.count % 4 == 0 else { return nil }
            digits.removeLast()
            if digits.last == UInt8(ascii: "=") { digits.removeLast() }
        }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 3 / 4)
        var bits = 0
        var count = 0
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        guard bits & (1 << count - 1) == 0 else { return nil }
        return bytes
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func value(of digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
