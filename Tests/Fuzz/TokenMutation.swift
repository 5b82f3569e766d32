import TestSupport

/// Changes an input by whole tokens, where libFuzzer changes single bytes: a string, a number or a word of JSON, a
/// header's value.
///
/// Values that are at an end of what is allowed, or beyond it, are never met by changing bytes.
struct TokenMutation {
    private var random: SeededGenerator

    init(seed: UInt32) { random = SeededGenerator(seed: UInt64(seed)) }

    mutating func apply(to bytes: [UInt8]) -> [UInt8] {
        let tokens = Self.tokens(of: bytes)
        guard let token = tokens.randomElement(using: &random) else { return bytes }
        var result = bytes
        switch Int.random(in: 0..<8, using: &random) {
        case 0: result.replaceSubrange(token, with: bytes[tokens.randomElement(using: &random) ?? token])
        case 1: result.replaceSubrange(token, with: bytes[token] + [UInt8(ascii: ",")] + bytes[token])
        case 2: result.removeSubrange(token)
        case 3 where bytes[token].count > 2: result.replaceSubrange(token, with: long(bytes[token]))
        default: result.replaceSubrange(token, with: Array((Self.values.randomElement(using: &random) ?? "").utf8))
        }
        return result
    }

    /// The token with its middle repeated: a little, or beyond every limit.
    private mutating func long(_ token: ArraySlice<UInt8>) -> [UInt8] {
        let middle = Array(token.dropFirst().dropLast())
        let length = [16, 129, 257, 1025, 4097, 20_000].randomElement(using: &random) ?? 0
        let repeated = (0..<max(1, length / max(1, middle.count))).flatMap { _ in middle }
        return Array(token.prefix(1)) + repeated + Array(token.suffix(1))
    }

    private static let values = [
        "null", "true", "false", "0", "-1", "1", "0.5", "1e999", "-0", "9007199254740993", "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808", "123456789012345678901234567890", "\"\"", "\"x\"", "[]", "{}", "[[]]", "{\"id\":null}",
        "[null]", "\"\\ud800\"",
        "\"\\u0000\"", "\"\\n\"", "\"é\"", "\"e\u{301}\"", "\"\u{202E}\"", "\"../..\"", "\" \"",
        "\"0000-01-01T00:00:00+23:59\"",
        "\"9999-12-31T23:59:59.999-23:59\"", "\"2024-02-29T23:59:60Z\"", "\"2026-03-02T09:15:04.512Z\"",
        "\"9223372036854775807\"", "\"t1\"", "\"m1\"",
        "\"c1\"", "\"https://x\"", "\"a@b.de\"",
    ]

    /// Strings with their quotes, and runs of letters, digits and signs outside of them.
    private static func tokens(of bytes: [UInt8]) -> [Range<Int>] {
        var tokens: [Range<Int>] = []
        var position = 0
        while position < bytes.count {
            let start = position
            position += 1
            if bytes[start] == UInt8(ascii: "\"") {
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                position = min(position + 1, bytes.count)
            } else if isWord(bytes[start]) {
                while position < bytes.count, isWord(bytes[position]) { position += 1 }
            } else {
                continue
            }
            tokens.append(start..<position)
        }
        return tokens
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: byte >= 0x80
        }
    }
}
