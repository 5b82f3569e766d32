import Glibc

/// An address of IPv4 or IPv6, without a port.
public struct NetworkAddress: Sendable, Hashable {
    /// In the order of the network: 4 bytes for IPv4, 16 for IPv6.
    public let bytes: [UInt8]

    /// An address of IPv4.
    public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) { bytes = [a, b, c, d] }

    /// Nil unless there are 4 or 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Nil unless the text is an address as `inet_pton` reads it: four decimal numbers, or IPv6 without a zone.
    public init?(_ text: String) {
        // C would stop at a NUL byte.
        guard !text.utf8.contains(0) else { return nil }
        var room = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &room) == 1 {
            bytes = Array(room.prefix(4))
        } else if inet_pton(AF_INET6, text, &room) == 1 {
            bytes = room
        } else {
            return nil
        }
    }

    /// As `inet_ntop` writes it, without brackets.
    public var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return ""
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
