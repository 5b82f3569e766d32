import Crypto
import Formats

/// Ids that are computed from the data folder's own id. They survive restarts, so that an app keeps its configuration. A
/// change of the computation would break stored configurations.
package struct StableIDs: Sendable {
    /// The data folder's own id, from the store.
    let seed: String

    package init(seed: String) { self.seed = seed }

    /// A UUID of version 8 (RFC 9562), always the same for a name.
    package func uuid(_ name: String) -> String {
        var bytes = Array(SHA256.hash(data: Array("\(seed)\n\(name)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { Hexadecimal.encode(bytes[$0]) }.joined(separator: "-")
    }

    /// A number, always the same for a name.
    package func number(of name: String) -> UInt64 {
        SHA256.hash(data: Array("\(seed)\n\(name)".utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the text is written as a UUID (RFC 9562), in upper or lower case and of any version.
    package static func isUUID(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count == 36
            && zip(0..., bytes).allSatisfy { place, byte in
                switch place {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default: Character(UnicodeScalar(byte)).isHexDigit
                }
            }
    }
}
