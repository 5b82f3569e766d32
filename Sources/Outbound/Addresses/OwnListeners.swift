import HTTPClientPort

/// Where the gateway itself listens: a notification must not come back to it.
package struct OwnListeners: Sendable {
    private struct Listener: Hashable {
        var address: NetworkAddress
        var port: UInt16
    }

    private var listeners: Set<Listener> = []
    /// Ports at which all addresses of the machine listen.
    private var openPorts: Set<UInt16> = []
    private var machine: Set<NetworkAddress>

    /// - Parameters:
    ///   - listeners: addresses with ports. 0.0.0.0 and :: stand for all addresses of the machine.
    ///   - machine: the addresses of the machine's interfaces; loopback is known.
    package init(_ listeners: [(address: NetworkAddress, port: UInt16)] = [], machine: [NetworkAddress] = []) {
        self.machine = Set(machine)
        for listener in listeners {
            if listener.address.bytes.allSatisfy({ $0 == 0 }) {
                openPorts.insert(listener.port)
            } else {
                for address in [listener.address] + listener.address.embeddedIPv4 {
                    self.listeners.insert(Listener(address: address, port: listener.port))
                }
            }
        }
    }

    func contain(_ address: NetworkAddress, port: UInt16) -> Bool {
        ([address] + address.embeddedIPv4).contains { address in
            if listeners.contains(Listener(address: address, port: port)) { return true }
            guard openPorts.contains(port) else { return false }
            return machine.contains(address) || AddressScope(of: address) == .private("loopback")
        }
    }
}
