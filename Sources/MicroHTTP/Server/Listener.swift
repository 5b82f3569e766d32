/// Where a server waits for connections.
public enum Listener: Sendable, Hashable, CustomStringConvertible {
    /// A numeric IPv4 or IPv6 address and a port; port 0 takes any free one (see ``HTTPServer/addresses``).
    case tcp(host: String, port: UInt16)
    /// A socket file of mode 0600. A stale file (nobody answers) is replaced, a live one is an error.
    case unix(path: String)

    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// Where a server really listens: as ``Listener``, with the port that the kernel chose.
public typealias BoundAddress = Listener
