import CMicroHTTPD
import Glibc

/// Where a server waits for connections.
public enum Listener: Sendable, Hashable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address and a port; port 0 takes any free one (see ``HTTPServer/addresses``).
    case tcp(host: String, port: UInt16)
    /// A socket file of mode 0600. A stale file (nobody answers) is replaced, a live one is an error.
    case unix(path: String)
    /// A stream socket that listens already, because somebody else has opened it: systemd, for example. The server
    /// closes its descriptor, and does not touch the socket's file: whoever has opened the socket keeps it.
    case inherited(descriptor: Int32)

    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        case .inherited(let descriptor): "descriptor \(descriptor)"
        }
    }

    /// The address of a stream socket that listens already; nil for any other descriptor. The path of a socket in
    /// the abstract namespace begins with `@`.
    public init?(listening descriptor: Int32) {
        func option(_ name: Int32) -> Int32? {
            var value: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        guard option(SO_ACCEPTCONN) == 1, option(SO_TYPE) == Int32(SOCK_STREAM.rawValue) else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isNamed = withUnsafeMutableBytes(of: &storage) { bytes in
            getsockname(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length) == 0
        }
        guard isNamed else { return nil }
        if let address = SocketAddress(storage) {
            self = .tcp(host: address.host, port: address.port)
        } else if Int32(storage.ss_family) == AF_UNIX {
            let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
            var path = withUnsafeBytes(of: &storage) { Array($0[start..<max(start, Int(length))]) }
            // A file's path ends with a zero byte, an abstract name begins with one.
            if path.first == 0, path.count > 1 { path[0] = UInt8(ascii: "@") } else { path = path.filter { $0 != 0 } }
            self = .unix(path: String(decoding: path, as: UTF8.self))
        } else {
            return nil
        }
    }
}

/// Where a server really listens: as ``Listener``, with the port that the kernel chose.
public typealias BoundAddress = Listener
