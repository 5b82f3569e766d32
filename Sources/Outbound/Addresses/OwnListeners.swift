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

    /// - Parameter listeners: addresses with ports. 0.0.0.0 and :: stand for all addresses of the machine.
    package init(_ listeners: [(address: NetworkAddress, port: UInt16)] = []) {
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

    /// - Parameter isOfMachine: whether one of the machine's interfaces has the address; loopback is known.
    func contain(
        _ address: NetworkAddress, port: UInt16, isOfMachine: (NetworkAddress) -> Bool
    ) -> Bool {
        ([address] + address.embeddedIPv4).contains { address in
            if listeners.contains(Listener(address: address, port: port)) { return true }
            guard openPorts.contains(port) else { return false }
            return AddressScope(of: address) == .private("loopback") || isOfMachine(address)
        }
    }
}
