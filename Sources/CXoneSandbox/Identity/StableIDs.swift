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

    /// An agent's id, which clients need as a number: itself if it is one.
    func agent(_ id: String) -> String {
        if let number = Int32(id), number >= 0, String(number) == id { return id }
        return String(1_000_000 + number(of: "agent\n\(id)") % 1_000_000_000)
    }

    private func number(of name: String) -> UInt64 {
        SHA256.hash(data: Array("\(seed)\n\(name)".utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
