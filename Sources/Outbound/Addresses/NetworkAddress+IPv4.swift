import Glibc
import HTTPClientPort

extension NetworkAddress {
    /// Reads each spelling of an IPv4 address that `getaddrinfo` takes: `2130706433`, `0x7f.1`, `0177.0.0.1`.
    package init?(anySpellingOfIPv4 text: String) {
        // Only these characters: `inet_aton` ignores whatever follows a space.
        let isNumeric = text.utf8.allSatisfy { $0.isHexadecimalDigit || ".xX".utf8.contains($0) }
        var v4 = in_addr()
        guard isNumeric, text.utf8.count <= 64, inet_aton(text, &v4) != 0 else { return nil }
        self.init(bytes: withUnsafeBytes(of: v4) { Array($0) })
    }

    package var isIPv4: Bool { bytes.count == 4 }

    /// The IPv4 addresses that an IPv6 address stands for: packets to it end there, on this host or at a gateway.
    ///
    /// One for each form but Teredo, which names its server and its client; none for any other address.
    package var embeddedIPv4: [NetworkAddress] {
        guard !isIPv4 else { return [] }
        func v4(at index: Int, inverted: Bool = false) -> [NetworkAddress] {
            NetworkAddress(bytes: bytes[index..<index + 4].map { inverted ? ~$0 : $0 }).map { [$0] } ?? []
        }
        if AddressRange.forms.lastFour.contains(where: { $0.contains(self) }) {
            // The unspecified address and loopback have ranges of their own.
            return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1 ? [] : v4(at: 12)
        }
        if AddressRange.forms.sixToFour.contains(self) { return v4(at: 2) }
        if AddressRange.forms.teredo.contains(self) { return v4(at: 4) + v4(at: 12, inverted: true) }
        return []
    }
}
