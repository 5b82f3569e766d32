import CMicroHTTPD
import Glibc

/// A bound, listening, non-blocking socket.
struct ListeningSocket {
    let descriptor: Int32
    let address: BoundAddress
    /// What tells our socket file from one that somebody else has put in its place meanwhile.
    private var file: (device: dev_t, inode: ino_t)?

    init(_ listener: Listener, configuration: ServerConfiguration) throws(ServerError) {
        switch listener {
        case .tcp(let host, let port):
            (descriptor, address) = try Self.openTCP(listener, host: host, port: port, configuration: configuration)
        case .unix(let path):
            descriptor = try Self.openUnix(listener, path: path, backlog: configuration.backlog)
            address = listener
            var status = stat()
            if stat(path, &status) == 0 { file = (status.st_dev, status.st_ino) }
        case .inherited(let inherited):
            guard let bound = Listener(listening: inherited) else { throw .invalidAddress(listener) }
            (descriptor, address) = (inherited, bound)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            if case .tcp = bound { Self.setOptions(descriptor, configuration) }
        }
    }

    /// The options of TCP that accepted sockets inherit, which saves two system calls each.
    private static func setOptions(_ descriptor: Int32, _ configuration: ServerConfiguration) {
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        guard let limit = configuration.userTimeout else { return }
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(clamping: limit.nanoseconds / 1_000_000))
    }

    /// Whether a connection can be accepted now.
    var hasWaiting: Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&question, 1, 0) > 0
    }

    /// Stops listening; removes the socket file if it is still ours.
    func close() {
        Glibc.close(descriptor)
        guard case .unix(let path) = address, let file else { return }
        var status = stat()
        if stat(path, &status) == 0, status.st_dev == file.device, status.st_ino == file.inode { unlink(path) }
    }

    private static func openTCP(
        _ listener: Listener, host: String, port: UInt16, configuration: ServerConfiguration
    ) throws(ServerError) -> (Int32, BoundAddress) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else { throw .invalidAddress(listener) }
        defer { freeaddrinfo(found) }
        let info = found.pointee
        let descriptor = socket(
            info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw error("socket", errno, listener) }
        setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if info.ai_family == AF_INET6 { setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1) }
        setOptions(descriptor, configuration)
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, configuration.backlog) == 0
        else {
            let code = errno
            Glibc.close(descriptor)
            throw error("bind", code, listener)
        }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &storage) { bytes in
            _ = getsockname(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return (descriptor, .tcp(host: host, port: SocketAddress(storage)?.port ?? port))
    }

    private static func openUnix(_ listener: Listener, path: String, backlog: Int32) throws(ServerError) -> Int32 {
        guard var address = unixAddress(path) else { throw .invalidAddress(listener) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw error("socket", errno, listener) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        func onAddress(_ call: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
            withUnsafeBytes(of: &address) { call($0.baseAddress!.assumingMemoryBound(to: sockaddr.self)) }
        }
        func fail(_ failure: ServerError) -> ServerError {
            Glibc.close(descriptor)
            return failure
        }
        // The mode is set on the socket before it is bound: there is no moment in which others may connect.
        fchmod(descriptor, 0o600)
        if onAddress({ bind(descriptor, $0, size) }) != 0 {
            guard errno == EADDRINUSE else { throw fail(error("bind", errno, listener)) }
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
                throw fail(.invalidAddress(listener))
            }
            let probe = socket(AF_UNIX, kind, 0)
            let answered = onAddress { connect(probe, $0, size) }
            let reason = errno
            Glibc.close(probe)
            // Only a refusal proves that nobody listens: EAGAIN is a live server with a full backlog.
            guard answered != 0, reason == ECONNREFUSED else {
                throw fail(reason == EACCES && answered != 0 ? .permissionDenied(listener) : .addressInUse(listener))
            }
            unlink(path)
            guard onAddress({ bind(descriptor, $0, size) }) == 0 else { throw fail(error("bind", errno, listener)) }
        }
        chmod(path, 0o600)
        guard listen(descriptor, backlog) == 0 else { throw fail(error("listen", errno, listener)) }
        return descriptor
    }

    private static func error(_ call: String, _ code: Int32, _ listener: Listener) -> ServerError {
        switch code {
        case EADDRINUSE: .addressInUse(listener)
        case EACCES, EPERM: .permissionDenied(listener)
        case EADDRNOTAVAIL, EINVAL, ENOENT, ENOTDIR, ENAMETOOLONG, EAFNOSUPPORT: .invalidAddress(listener)
        default: .system(call: call, errno: code)
        }
    }
}

/// The kernel's form of a socket path; nil when it is empty or too long (107 bytes).
func unixAddress(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
        guard !bytes.isEmpty, bytes.count < room.count, !bytes.contains(0) else { return false }
        room.copyBytes(from: bytes)
        return true
    }
    return fits ? address : nil
}

func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
}

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

/// Raises the process's limit of open descriptors to the hard limit.
/// - Returns: the limit in force afterwards; each connection needs one descriptor.
@discardableResult
public func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    if limit.rlim_cur < limit.rlim_max {
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
    }
    return Int(clamping: limit.rlim_cur)
}

/// The process's limit of open descriptors.
package func descriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    return Int(clamping: limit.rlim_cur)
}
