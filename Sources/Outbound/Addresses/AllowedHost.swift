import HTTPClientPort

/// An entry of `--push-allow-host`: a host, at one port or at any.
package struct AllowedHost: Sendable, Hashable {
    private let entry: HostAndPort

    /// Reads `host` or `host:port`, where the host is a name or an address. An IPv6 address needs brackets where a port
    /// follows. Nil for anything else.
    package init?(_ text: String) {
        let isBare = NetworkAddress(text)?.isIPv4 == false
        guard let entry = HostAndPort(isBare ? "[\(text)]" : text) else { return nil }
        self.entry = entry
    }

    /// Addresses are compared as addresses: two spellings of one are the same.
    func matches(_ target: TargetAddress) -> Bool {
        guard entry.port == nil || entry.port == target.port else { return false }
        return entry.host == target.host || entry.literal != nil && entry.literal == target.literal
    }
}
