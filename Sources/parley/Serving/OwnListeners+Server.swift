import HTTPClientPort
import MicroHTTP
import Outbound

extension OwnListeners {
    /// Where a server listens by TCP, on this machine.
    init(_ bound: [BoundAddress]) {
        let listeners = bound.compactMap { listener -> (address: NetworkAddress, port: UInt16)? in
            guard case .tcp(let host, let port) = listener, let address = NetworkAddress(host), let port = UInt16(exactly: port)
            else { return nil }
            return (address, port)
        }
        self.init(listeners, machine: MachineAddresses.all)
    }
}
