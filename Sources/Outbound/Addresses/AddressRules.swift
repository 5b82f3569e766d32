import HTTPClientPort

/// Where the gateway's own requests may go.
///
/// Who chose the target decides. The operator's token opens everything anyway, so webhooks may go to this machine and
/// to private networks. A session's token is a customer's, who must not make the gateway knock on doors of its network.
/// The same holds for what a chat platform names: a message's author chose it, or may have. Who opens a session on a
/// platform holds the gateway's token, and names the platform's own URLs: any, also the sandbox of this gateway.
///
/// The rules know no network: they judge the addresses that a host was resolved to, and only these may be connected to.
/// They ask for this machine's own addresses where it matters, because those change while the gateway runs.
package struct AddressRules: Sendable {
    /// Who chose a target.
    package enum Registrar: Sendable, Hashable, CaseIterable {
        /// The holder of the gateway's token.
        case `operator`
        case session
        /// The holder of the gateway's token who opens a session on a chat platform, by the platform's own URLs.
        case opener
        /// A chat platform, by a URL in one of its events.
        case platform

        /// What a refusal says of the target's URL, and how it would be allowed; nil: anything may be reached.
        fileprivate var limits: (scheme: String, address: String)? {
            switch self {
            case .operator, .opener: nil
            case .session:
                (
                    "The URL's scheme must be https, unless --push-allow-host names its host.",
                    "A session may name it if --push-allow-host does."
                )
            case .platform:
                (
                    "The URL's scheme must be https, for it is not one of the platform's own.",
                    "A platform's event must not name it."
                )
            }
        }
    }

    /// Hosts that sessions may name though they are not public or not reached by https (`--push-allow-host`).
    package var allowedHosts: [AllowedHost]
    package var ownListeners: OwnListeners
    /// The addresses that this machine's interfaces have now. Services that only neighbours should reach may listen there.
    package var machine: @Sendable () -> [NetworkAddress]

    package init(
        allowedHosts: [AllowedHost] = [], ownListeners: OwnListeners = OwnListeners(),
        machine: @escaping @Sendable () -> [NetworkAddress] = { [] }
    ) {
        self.allowedHosts = allowedHosts
        self.ownListeners = ownListeners
        self.machine = machine
    }

    /// Judges what the URL alone tells: its scheme, and its host where that is an address. For registration.
    package func check(_ target: TargetAddress, by registrar: Registrar) throws(AddressRefusal) {
        guard target.host != "metadata.google.internal" else {
            throw AddressRefusal("The host metadata.google.internal is a metadata service.")
        }
        if let limits = registrar.limits, target.scheme != .https, !isAllowed(target, by: registrar) {
            throw AddressRefusal(limits.scheme)
        }
        if let literal = target.literal { try check(literal, of: target, by: registrar) }
    }

    /// The addresses that may be connected to: all of them, or none.
    ///
    /// - Parameter resolved: what the host was resolved to, just before the connection.
    package func permitted(
        _ resolved: [NetworkAddress], of target: TargetAddress, by registrar: Registrar
    ) throws(AddressRefusal) -> [NetworkAddress] {
        try check(target, by: registrar)
        guard !resolved.isEmpty else { throw AddressRefusal("The host \(target.host) has no address.") }
        // A literal was judged with the URL.
        for address in resolved where address != target.literal { try check(address, of: target, by: registrar) }
        return resolved
    }

    private func check(
        _ address: NetworkAddress, of target: TargetAddress, by registrar: Registrar
    ) throws(AddressRefusal) {
        if registrar != .opener, ownListeners.contain(address, port: target.port, isOfMachine: isOfMachine) {
            throw AddressRefusal("The host \(target.host) is the gateway itself at port \(target.port).")
        }
        switch AddressScope(of: address) {
        case .public:
            guard let limits = registrar.limits, !isAllowed(target, by: registrar), isOfMachine(address) else { return }
            throw AddressRefusal("The address of the host \(target.host) is this machine's own. \(limits.address)")
        case .refused(let kind):
            throw AddressRefusal("The address of the host \(target.host) is \(kind). Nothing is sent there.")
        case .private(let kind):
            guard let limits = registrar.limits, !isAllowed(target, by: registrar) else { return }
            throw AddressRefusal("The address of the host \(target.host) is \(kind). \(limits.address)")
        }
    }

    /// An IPv6 address that stands for IPv4 addresses is judged as those, too.
    private func isOfMachine(_ address: NetworkAddress) -> Bool {
        let machine = machine()
        return ([address] + address.embeddedIPv4).contains(where: machine.contains)
    }

    private func isAllowed(_ target: TargetAddress, by registrar: Registrar) -> Bool {
        registrar == .session && allowedHosts.contains { $0.matches(target) }
    }
}

extension AddressRules {
    /// These rules as they are asked before each connection. A refusal is thrown as ``AddressRefusal``.
    package func judge(_ registrar: Registrar) -> ConnectionJudge {
        { target in try permitted(target.addresses, of: TargetAddress(target), by: registrar) }
    }
}

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
