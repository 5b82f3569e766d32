import HTTPClientPort

/// A block of addresses: all that begin with the same bits.
struct AddressRange: Sendable {
    private let prefix: [UInt8]
    private let length: Int

    /// - Parameter length: how many bits of the address count.
    static func v4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ length: Int) -> AddressRange {
        AddressRange(prefix: [a, b, c, d], length: length)
    }

    /// - Parameter groups: the first groups of 16 bits; the others are zero.
    static func v6(_ groups: [UInt16], _ length: Int) -> AddressRange {
        let bytes = groups.prefix(8).flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return AddressRange(prefix: bytes + [UInt8](repeating: 0, count: 16 - bytes.count), length: length)
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == prefix.count else { return false }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
        guard address.bytes[..<whole] == prefix[..<whole] else { return false }
        return rest == 0 || (address.bytes[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }

    /// Forms of IPv6 addresses that hold IPv4 addresses.
    static let forms = (
        // IPv4-mapped (RFC 4291), IPv4-compatible (its older form), IPv4-translated (RFC 2765), NAT64 (RFC 6052).
        lastFour: [
            v6([0, 0, 0, 0, 0, 0xFFFF], 96), v6([], 96), v6([0, 0, 0, 0, 0xFFFF], 96), v6([0x64, 0xFF9B], 96),
        ],
        // RFC 3056
        sixToFour: v6([0x2002], 16),
        // RFC 4380
        teredo: v6([0x2001, 0], 32)
    )
}
