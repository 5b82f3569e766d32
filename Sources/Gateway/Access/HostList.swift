import ChatModel
import Formats
import MicroHTTP
import Synchronization

/// The hosts for which the gateway answers.
///
/// This check stops DNS rebinding: an attacker can let a name point to this machine, but the browser then sends that
/// name as Host. Any thread may use it.
final class HostList: Sendable {
    /// The hosts and ports that follow from the server's addresses.
    private struct Known {
        var hosts: Set<String> = []
        var ports: Set<UInt16> = []

        init(_ addresses: [BoundAddress] = []) {
            for case .tcp(let host, let port) in addresses {
                ports.insert(port)
                var names = HostList.loopback
                if host != "0.0.0.0", host != "::" { names.append(host.contains(":") ? "[\(host)]" : host) }
                for name in names {
                    hosts.insert("\(name):\(port)")
                    if port == 80 { hosts.insert(name) }
                }
            }
        }
    }

    private static let loopback = ["127.0.0.1", "localhost", "[::1]"]
    private let named: Mutex<Set<String>>
    private var allowed: Set<String> { named.withLock { $0 } }
    private let isPublic: Bool
    /// The host on which only what customers need is there; nil for none.
    private let customers: String?
    /// Where the server listens. The server knows its ports before it accepts a connection, so the first request
    /// already finds them here.
    private let addresses: @Sendable () -> [BoundAddress]
    private let known = Mutex(Known())

    /// - Parameters:
    ///   - allowed: names with or without a port; without one, every port is accepted.
    ///   - isPublic: whether numeric addresses with the server's port are accepted.
    ///   - addresses: asked whenever a host is not among those that are known.
    init(
        allowed: [String], isPublic: Bool, customers: String? = nil,
        addresses: @escaping @Sendable () -> [BoundAddress]
    ) {
        named = Mutex(Set(allowed.map { $0.lowercased() }))
        self.isPublic = isPublic
        self.customers = customers?.lowercased()
        self.addresses = addresses
    }

    /// Takes other names in place of those so far.
    func allow(_ names: [String]) { named.withLock { $0 = Set(names.map { $0.lowercased() }) } }

    /// Whether the condition holds for the server's addresses and the loopback names. If not, the server is asked for
    /// its addresses once more.
    private func isKnown(_ condition: (Known) -> Bool) -> Bool {
        known.withLock { known in
            if condition(known) { return true }
            known = Known(addresses())
            return condition(known)
        }
    }

    /// Whether a request of this peer may have this Host. Over the UNIX socket every host is accepted, because no web
    /// page can reach that socket.
    func contains(_ host: String, peer: Peer) -> Bool {
        if case .unix = peer { return true }
        if isKnown({ $0.hosts.contains(host) }) { return true }
        let host = host.lowercased()
        if isKnown({ $0.hosts.contains(host) }) || allowed.contains(host) { return true }
        let (name, port) = Self.split(host)
        if allowed.contains(name) { return port != 0 }
        // A numeric address needs no DNS, so it cannot be rebound.
        return isPublic && Self.isNumeric(name) && isKnown { $0.ports.contains(port ?? 80) }
    }

    /// Whether the host is that of the customers (`--customer-host`), by any port unless that has one.
    func isCustomers(_ host: String?) -> Bool {
        guard let customers, let host = host?.lowercased() else { return false }
        return host == customers || Self.split(host).name == customers
    }

    /// Whether `--allow-host` names the host. Only such a host can have a proxy with TLS in front, so only there an
    /// `https` origin is accepted.
    func isBehindProxy(_ host: String) -> Bool { allowed.contains(host) || allowed.contains(Self.split(host).name) }

    /// Separates the port from the name. An IPv6 address keeps its brackets; a port that is no number becomes 0, which
    /// matches nothing.
    private static func split(_ host: String) -> (name: String, port: UInt16?) {
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return (host, nil) }
        return (String(host[..<colon]), UInt16(digits: host[host.index(after: colon)...]) ?? 0)
    }

    /// Whether the name is an IPv4 address, or anything in brackets.
    private static func isNumeric(_ name: String) -> Bool {
        if name.hasPrefix("["), name.hasSuffix("]") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8(digits: $0) != nil }
    }
}

extension GatewayCore {
    /// Whether the request asks for the customers' host. Without such a host it reads no header: every request comes here.
    func isOnCustomersHost(_ head: HTTPRequest) -> Bool {
        configuration.customerHost != nil && hosts.isCustomers(head.headers["Host"])
    }
}
