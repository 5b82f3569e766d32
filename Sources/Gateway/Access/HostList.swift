import ChatModel
import MicroHTTP
import Synchronization

/// The hosts that the gateway answers for. A foreign page cannot choose the Host header, so this stops DNS rebinding.
final class HostList: Sendable {
    private struct Known {
        var hosts: Set<String> = []
        var ports: Set<UInt16> = []
    }

    private static let loopback = ["127.0.0.1", "localhost", "[::1]"]
    private let allowed: Set<String>
    private let isPublic: Bool
    private let known = Mutex(Known())

    /// - Parameter allowed: names with or without a port; without, any port will do.
    init(allowed: [String], isPublic: Bool) {
        self.allowed = Set(allowed.map { $0.lowercased() })
        self.isPublic = isPublic
    }

    /// Called when the ports are known: loopback names are taken with them.
    func listen(on addresses: [BoundAddress]) {
        known.withLock { known in
            for case .tcp(let host, let port) in addresses {
                known.ports.insert(port)
                var names = Self.loopback
                if host != "0.0.0.0", host != "::" { names.append(host.contains(":") ? "[\(host)]" : host) }
                for name in names {
                    known.hosts.insert("\(name):\(port)")
                    if port == 80 { known.hosts.insert(name) }
                }
            }
        }
    }

    /// Whether a request of this peer may have this host. Who reaches the UNIX socket is no web page.
    func contains(_ host: String, peer: Peer) -> Bool {
        if case .unix = peer { return true }
        if known.withLock({ $0.hosts.contains(host) }) { return true }
        let host = host.lowercased()
        if known.withLock({ $0.hosts.contains(host) }) || allowed.contains(host) { return true }
        let (name, port) = Self.split(host)
        if allowed.contains(name) { return true }
        // A numeric address needs no DNS, so it cannot be rebound.
        return isPublic && Self.isNumeric(name) && known.withLock { $0.ports.contains(port ?? 80) }
    }

    /// Whether the host was named by `--allow-host`: only there can a proxy have put TLS in front.
    func isBehindProxy(_ host: String) -> Bool { allowed.contains(host) || allowed.contains(Self.split(host).name) }

    private static func split(_ host: String) -> (name: String, port: UInt16?) {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return (host, nil) }
        return (String(host[..<colon]), UInt16(digits: host[host.index(after: colon)...]) ?? 0)
    }

    private static func isNumeric(_ name: String) -> Bool {
        if name.hasPrefix("["), name.hasSuffix("]") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8(digits: $0) != nil }
    }
}
