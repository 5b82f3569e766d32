import Crypto
import Formats

extension Hexadecimal {
    /// The first 32 digits of the text's SHA-256: a short name for a text of any length.
    static func digest(_ text: String) -> String { encode(SHA256.hash(data: Array(text.utf8)).prefix(16)) }
}
