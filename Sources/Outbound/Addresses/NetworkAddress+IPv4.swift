import Glibc

/// An IPv4 or IPv6 address, as its 4 or 16 bytes in network order.
package struct IPAddress: Sendable, Hashable {
    package let bytes: [UInt8]

    private init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) { bytes = [a, b, c, d] }

    /// Nil unless there are 4 or 16 bytes.
    package init?(networkBytes: some Collection<UInt8>) {
        guard networkBytes.count == 4 || networkBytes.count == 16 else { return nil }
        bytes = Array(networkBytes)
    }

    /// Reads what `inet_pton` reads: four decimal numbers, or an IPv6 address without brackets and without a zone.
    package init?(_ text: String) {
        // C would stop at a NUL byte. No address is longer than 45 characters.
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = withUnsafeBytes(of: v6) { Array($0) }
        } else {
            return nil
        }
    }

    /// Reads each spelling of an IPv4 address that `getaddrinfo` takes: `2130706433`, `0x7f.1`, `0177.0.0.1`.
    package init?(anySpellingOfIPv4 text: String) {
        // Only these characters: `inet_aton` ignores whatever follows a space.
        let isNumeric = text.utf8.allSatisfy { $0.isHexadecimalDigit || ".xX".utf8.contains($0) }
        var v4 = in_addr()
        guard isNumeric, text.utf8.count <= 64, inet_aton(text, &v4) != 0 else { return nil }
        bytes = withUnsafeBytes(of: v4) { Array($0) }
    }

    package var isIPv4: Bool { bytes.count == 4 }

    /// As `inet_ntop` writes it, without brackets.
    package var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The IPv4 addresses that an IPv6 address stands for: packets to it end there, on this host or at a gateway.
    ///
    /// One for each form but Teredo, which names its server and its client; none for any other address.
    package var embeddedIPv4: [IPAddress] {
        guard !isIPv4 else { return [] }
        func v4(at index: Int, inverted: Bool = false) -> IPAddress {
            IPAddress(bytes: bytes[index..<index + 4].map { inverted ? ~$0 : $0 })
        }
        if AddressRange.forms.lastFour.contains(where: { $0.contains(self) }) {
            // The unspecified address and loopback have ranges of their own.
            return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1 ? [] : [v4(at: 12)]
        }
        if AddressRange.forms.sixToFour.contains(self) { return [v4(at: 2)] }
        if AddressRange.forms.teredo.contains(self) { return [v4(at: 4), v4(at: 12, inverted: true)] }
        return []
    }
}
