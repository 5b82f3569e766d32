import Formats

/// A place in the event log, written `<epoch>-<offset>`.
///
/// The epoch names one incarnation of the log (it is made with the database); the
/// offset is the last event that was seen. Offsets only grow, with gaps.
///
/// ```swift
/// let cursor = Cursor("3f2a-128")
/// print(cursor?.epoch ?? "", cursor?.offset ?? 0)  // 3f2a 128
/// ```
public struct Cursor: Sendable, Hashable, CustomStringConvertible {
    public var epoch: String
    public var offset: Int64

    public init(epoch: String, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }

    public var description: String { "\(epoch)-\(offset)" }

    /// The same text in ASCII, which each event of the log has.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        // A number of 64 bits has at most 20 characters.
        bytes.reserveCapacity(epoch.utf8.count + 21)
        bytes.append(contentsOf: epoch.utf8)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(contentsOf: String(offset).utf8)
        return bytes
    }

    /// Nil unless the text is an epoch of 1 to 32 letters and digits, a hyphen, and a decimal offset.
    public init?(_ text: String) {
        guard text.utf8.count <= 64, let hyphen = text.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        let epoch = text[..<hyphen]
        let digits = text[text.index(after: hyphen)...]
        guard (1...32).contains(epoch.utf8.count),
            epoch.utf8.allSatisfy({
                ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
                    || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
            }),
            let offset = Int64(digits: digits)
        else { return nil }
        self.init(epoch: String(epoch), offset: offset)
    }
}
