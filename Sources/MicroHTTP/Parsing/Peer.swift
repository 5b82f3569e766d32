import Glibc

/// Who is at the other end of a connection.
public enum Peer: Sendable, Hashable, CustomStringConvertible {
    case tcp(SocketAddress)
    /// A process on this machine, by the user as whom it ran when it connected (`SO_PEERCRED`).
    case unix(uid: UInt32)

    public var description: String {
        switch self {
        case .tcp(let address): address.description
        case .unix(let uid): "unix:uid=\(uid)"
        }
    }
}

/// An IPv4 or IPv6 address with its port. It is stored as numbers; each access to a text property makes the text.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64
    public let port: UInt16
    public let isIPv6: Bool

    /// The address without the port: `127.0.0.1`, `::1`.
    public var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if isIPv6 {
            var address = (high.bigEndian, low.bigEndian)
            inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
        } else {
            var address = UInt32(truncatingIfNeeded: low).bigEndian
            inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The part of the address that one machine or household usually has to itself: the whole of an IPv4 address, the
    /// first 64 bits of an IPv6 address. Meant for limits that are kept per client.
    public var network: String { isIPv6 ? "\(String(high, radix: 16))::/64" : host }

    /// Whether it is this machine's own: 127.0.0.0/8 or ::1, or the first mapped into IPv6.
    public var isLoopback: Bool {
        if isIPv6, high == 0, low == 1 { return true }
        let isMapped = high == 0 && low >> 32 == 0xFFFF
        return (!isIPv6 || isMapped) && UInt8(truncatingIfNeeded: low >> 24) == 127
    }

    /// Without the port where none is known, so 0.
    public var description: String {
        if port == 0 { return host }
        return isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Reads an address from the kernel; nil when its family is neither AF_INET nor AF_INET6.
    init?(_ storage: sockaddr_storage) {
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = withUnsafeBytes(of: storage) { $0.load(as: sockaddr_in.self) }
            self.init(
                high: 0, low: UInt64(UInt32(bigEndian: address.sin_addr.s_addr)),
                port: UInt16(bigEndian: address.sin_port), isIPv6: false)
        case AF_INET6:
            let (port, high, low) = withUnsafeBytes(of: storage) { bytes in
                (
                    bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self),
                    bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
                )
            }
            self.init(
                high: UInt64(bigEndian: high), low: UInt64(bigEndian: low),
                port: UInt16(bigEndian: port), isIPv6: true)
        default:
            return nil
        }
    }

    private init(high: UInt64, low: UInt64, port: UInt16, isIPv6: Bool) {
        self.high = high
        self.low = low
        self.port = port
        self.isIPv6 = isIPv6
    }

    /// Reads a numeric address, `127.0.0.1` or `::1`; nil for all else, such as a name. The port is 0.
    public init?(host: String) {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, host, &four) == 1 {
            self.init(high: 0, low: UInt64(UInt32(bigEndian: four.s_addr)), port: 0, isIPv6: false)
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            let (high, low) = withUnsafeBytes(of: six) { bytes in
                (
                    bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                )
            }
            self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low), port: 0, isIPv6: true)
        } else {
            return nil
        }
    }

    /// The same without its port; of an IPv4 address in the form of IPv6 (RFC 4291, 2.5.5.2), the IPv4 address.
    public var unmapped: SocketAddress {
        let isMapped = isIPv6 && high == 0 && low >> 32 == 0xFFFF
        return SocketAddress(
            high: high, low: isMapped ? low & 0xFFFF_FFFF : low, port: 0, isIPv6: isIPv6 && !isMapped)
    }

    /// `127.0.0.1` and a port, for requests made without a socket.
    public static func loopback(port: UInt16) -> SocketAddress {
        SocketAddress(high: 0, low: 0x7f00_0001, port: port, isIPv6: false)
    }
}
