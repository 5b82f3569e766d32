import HTTPClientPort

/// Who can be reached at an address.
package enum AddressScope: Sendable, Hashable {
    case `public`
    /// This machine, or a network that is somebody's own. The text names the kind of the address.
    case `private`(String)
    /// Nobody whom a notification could be for. The text names the kind of the address.
    case refused(String)

    private var severity: Int {
        switch self {
        case .public: 0
        case .private: 1
        case .refused: 2
        }
    }

    /// An IPv6 address that stands for IPv4 addresses is judged as those.
    package init(of address: NetworkAddress) {
        self = Self.byRange(address)
        for scope in address.embeddedIPv4.map(Self.byRange) where scope.severity > severity { self = scope }
    }

    private static func byRange(_ address: NetworkAddress) -> AddressScope {
        if let entry = refusedRanges.first(where: { $0.range.contains(address) }) { return .refused(entry.kind) }
        if let entry = privateRanges.first(where: { $0.range.contains(address) }) { return .private(entry.kind) }
        return .public
    }

    private typealias Entry = (range: AddressRange, kind: String)

    private static let refusedRanges: [Entry] = [
        (.v4(0, 0, 0, 0, 8), "unspecified"),
        (.v6([], 128), "unspecified"),
        (.v4(169, 254, 0, 0, 16), "link-local"),
        (.v6([0xFE80], 10), "link-local"),
        // Where clouds give away the credentials of a machine. Most use the link-local 169.254.169.254; these do not.
        (.v4(100, 100, 100, 200, 32), "a metadata service's"),  // Alibaba Cloud
        (.v4(168, 63, 129, 16, 32), "a metadata service's"),  // Azure
        (.v4(192, 0, 0, 192, 32), "a metadata service's"),  // Oracle Cloud
        (.v6([0xFD00, 0xEC2, 0, 0, 0, 0, 0, 0x254], 128), "a metadata service's"),  // AWS
        (.v6([0xFD20, 0xCE, 0, 0, 0, 0, 0, 0x254], 128), "a metadata service's"),  // Google Cloud
        (.v6([0xFD00, 0x42, 0, 0, 0, 0, 0, 0x42], 128), "a metadata service's"),  // Scaleway
        (.v4(224, 0, 0, 0, 4), "multicast"),
        (.v6([0xFF00], 8), "multicast"),
        (.v4(255, 255, 255, 255, 32), "broadcast"),
    ]

    private static let privateRanges: [Entry] = [
        (.v4(127, 0, 0, 0, 8), "loopback"),
        (.v6([0, 0, 0, 0, 0, 0, 0, 1], 128), "loopback"),
        (.v4(10, 0, 0, 0, 8), "private"),
        (.v4(172, 16, 0, 0, 12), "private"),
        (.v4(192, 168, 0, 0, 16), "private"),
        (.v4(100, 64, 0, 0, 10), "a carrier's own"),
        (.v6([0xFC00], 7), "private"),
        // Site-local, the older form of private addresses (RFC 3879).
        (.v6([0xFEC0], 10), "private"),
        // A network's own NAT64 (RFC 8215): the IPv4 address is not in a fixed place.
        (.v6([0x64, 0xFF9B, 1], 48), "private"),
        (.v4(192, 0, 0, 0, 24), "reserved"),
        // IANA's registries of special-purpose addresses: what is not globally reachable. A network may use them for
        // itself.
        (.v4(192, 0, 2, 0, 24), "reserved"),
        (.v4(198, 51, 100, 0, 24), "reserved"),
        (.v4(203, 0, 113, 0, 24), "reserved"),
        (.v4(192, 88, 99, 0, 24), "reserved"),
        (.v6([0x100, 0, 0, 0], 64), "reserved"),
        (.v6([0x2001, 2, 0], 48), "reserved"),
        (.v6([0x2001, 0x10], 28), "reserved"),
        (.v6([0x2001, 0xDB8], 32), "reserved"),
        (.v6([0x3FFF], 20), "reserved"),
        (.v6([0x5F00], 16), "reserved"),
        (.v4(198, 18, 0, 0, 15), "reserved"),
        (.v4(240, 0, 0, 0, 4), "reserved"),
    ]
}
