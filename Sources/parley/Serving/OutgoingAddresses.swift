import MicroHTTP

#if Outbound
    import Foundation
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

    /// The addresses of this machine's network interfaces.
    private enum MachineAddresses {
        /// The addresses of this moment (`getifaddrs`); empty when the system does not tell them.
        static var all: [NetworkAddress] {
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return [] }
            defer { freeifaddrs(first) }
            var addresses: [NetworkAddress] = []
            var next = first
            while let entry = next?.pointee {
                if let address = entry.ifa_addr, let bytes = bytes(of: address),
                    let known = NetworkAddress(bytes: bytes)
                {
                    addresses.append(known)
                }
                next = entry.ifa_next
            }
            return addresses
        }

        /// The 4 or 16 bytes of an address in network order; nil for an interface's address of another family.
        private static func bytes(of address: UnsafeMutablePointer<sockaddr>) -> [UInt8]? {
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
                }
            case AF_INET6:
                address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
                }
            default: nil
            }
        }
    }
#else
    /// What a build without the trait `Outbound` has instead.
    struct OutgoingAddresses: Sendable {
        init(_ settings: Settings) throws(SettingsError) {}
        func refuse(_ listeners: [BoundAddress]) {}
    }
#endif
