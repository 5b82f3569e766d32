import Crypto
import Formats

/// Ids that are computed from the data folder's own id. They survive restarts, so that an app keeps its
/// configuration. A change of the computation would break stored configurations.
struct StableIDs: Sendable {
    /// The data folder's own id, from the store.
    let seed: String

    /// 100000 to 999999: like a tenant's number.
    var brand: Int { 100_000 + Int(number(of: "brand") % 900_000) }

    /// A UUID of version 8 (RFC 9562), always the same for a name.
    func uuid(_ name: String) -> String {
        var bytes = Array(SHA256.hash(data: Array("\(seed)\n\(name)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { Hexadecimal.encode(bytes[$0]) }.joined(separator: "-")
    }

    /// The server's own id of a thread.
    func thread(_ id: String) -> String { uuid("thread\n\(id)") }

    /// The server's own id of a message.
    func message(_ id: String, in thread: String) -> String { uuid("message\n\(thread)\n\(id)") }

    /// Whether the text is written as a UUID (RFC 9562), in upper or lower case and of any version.
    static func isUUID(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count == 36
            && zip(0..., bytes).allSatisfy { place, byte in
                switch place {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default: Character(UnicodeScalar(byte)).isHexDigit
                }
            }
    }

    /// Whether the text may be one of these ids: a UUID of version 8 in lower case. Apps make ids of version 4.
    func mayBeOwn(_ text: String) -> Bool { Self.isUUID(text) && Array(text.utf8)[14] == UInt8(ascii: "8") }

    /// An agent's id, which clients need as a number: itself if it is one.
    func agent(_ id: String) -> String {
        if let number = Int32(id), number >= 0, String(number) == id { return id }
        return String(1_000_000 + number(of: "agent\n\(id)") % 1_000_000_000)
    }

    private func number(of name: String) -> UInt64 {
        SHA256.hash(data: Array("\(seed)\n\(name)".utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
