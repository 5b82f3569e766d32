import MicroHTTP

#if Outbound
    import HTTPClientPort
    import Outbound

    /// The one judge of the addresses to which the gateway's requests go: webhooks, pushes, and files of platforms. A
    /// build without the trait `Outbound`, which sends none, has the other one below.
    struct OutgoingAddresses: Sendable {
        /// Where requests may go. The gateway's own addresses are added when it listens.
        let rules: CurrentAddressRules

        /// Throws ``SettingsError``.
        init(_ settings: Settings) throws(SettingsError) {
            rules = CurrentAddressRules(
                AddressRules(allowedHosts: try Self.allowedHosts(settings), machine: { MachineAddresses.all }))
        }

        /// Forbids requests to addresses on which the gateway itself listens.
        ///
        /// To be called once, after the server has begun to listen and before anything is sent.
        func refuse(_ listeners: [BoundAddress]) { rules.set(OwnListeners(listeners)) }

        /// The hosts to which sessions may have pushes sent although their addresses are not public.
        private static func allowedHosts(_ settings: Settings) throws(SettingsError) -> [AllowedHost] {
            try settings.strings(.pushAllowHost).map { text throws(SettingsError) in
                guard let host = AllowedHost(text) else {
                    throw SettingsError("--push-allow-host needs a host or host:port, not \(text).")
                }
                return host
            }
        }
    }

    extension OwnListeners {
        /// The TCP addresses on which a server listens. Unix sockets are left out: no URL leads to them.
        init(_ bound: [BoundAddress]) {
            let listeners = bound.compactMap { listener -> (address: NetworkAddress, port: UInt16)? in
                guard case .tcp(let host, let port) = listener, let address = NetworkAddress(host),
                    let port = UInt16(exactly: port)
                else { return nil }
                return (address, port)
            }
            self.init(listeners)
        }
    }
#else
    /// What a build without the trait `Outbound` has instead.
    struct OutgoingAddresses: Sendable {
        init(_ settings: Settings) throws(SettingsError) {}
        func refuse(_ listeners: [BoundAddress]) {}
    }
#endif
