#if Outbound
    import HTTPClientPort
    import MicroHTTP
    import Outbound

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
#endif
