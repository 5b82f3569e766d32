import Crypto

/// Bytes in hexadecimal, small letters.
enum Hexadecimal {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The first 32 digits of the text's SHA-256: a short name for a text of any length.
    static func digest(_ text: String) -> String { encode(SHA256.hash(data: Array(text.utf8)).prefix(16)) }
}
