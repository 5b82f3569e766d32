import HTTPClientPort

/// Where notifications may go.
///
/// Who registers a target decides. The operator's token opens everything anyway, so webhooks may go to this machine and
/// to private networks. A session's token is a customer's, who must not make the gateway knock on doors of its network.
///
/// The rules know no network: they judge the addresses that a host was resolved to, and only these may be connected to.
package struct AddressRules: Sendable {
    /// Who registered a target.
    package enum Registrar: Sendable, Hashable {
        /// The holder of the gateway's token.
        case `operator`
        case session
    }

    /// Hosts that sessions may name though they are not public or not reached by https (`--push-allow-host`).
    package var allowedHosts: [AllowedHost]
    package var ownListeners: OwnListeners

    package init(allowedHosts: [AllowedHost] = [], ownListeners: OwnListeners = OwnListeners()) {
        self.allowedHosts = allowedHosts
        self.ownListeners = ownListeners
    }

    /// Judges what the URL alone tells: its scheme, and its host where that is an address. For registration.
    package func check(_ target: TargetAddress, by registrar: Registrar) throws(AddressRefusal) {
        guard target.host != "metadata.google.internal" else {
            throw AddressRefusal("The host metadata.google.internal is a metadata service.")
        }
        if registrar == .session, target.scheme != .https, !isAllowed(target) {
            throw AddressRefusal("The URL's scheme must be https, unless --push-allow-host names its host.")
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
        if ownListeners.contain(address, port: target.port) {
            throw AddressRefusal("The host \(target.host) is the gateway itself at port \(target.port).")
        }
        switch AddressScope(of: address) {
        case .public: return
        case .refused(let kind):
            throw AddressRefusal("The address of the host \(target.host) is \(kind). Nothing is sent there.")
        case .private(let kind):
            guard registrar == .session, !isAllowed(target) else { return }
            throw AddressRefusal(
                "The address of the host \(target.host) is \(kind). A session may name it if --push-allow-host does.")
        }
    }

    private func isAllowed(_ target: TargetAddress) -> Bool { allowedHosts.contains { $0.matches(target) } }
}

/// Why nothing is sent to an address. The sentence names the host at most: no path, no query.
package struct AddressRefusal: Error, Sendable, Equatable {
    package let detail: String

    package init(_ detail: String) { self.detail = detail }
}

extension AddressRules {
    /// These rules as they are asked before each connection. A refusal is thrown as ``AddressRefusal``.
    package func judge(_ registrar: Registrar) -> ConnectionJudge {
        { target in try permitted(target.addresses, of: TargetAddress(target), by: registrar) }
    }
}
