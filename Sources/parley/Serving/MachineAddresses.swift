#if Outbound
    import Foundation
    import HTTPClientPort

    /// The addresses of this machine's network interfaces.
    enum MachineAddresses {
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
#endif
