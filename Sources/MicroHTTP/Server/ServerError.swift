#if canImport(Glibc)
    import Glibc
#endif

/// Why a server could not start.
public enum ServerError: Error, Sendable, CustomStringConvertible {
    /// Another process listens there.
    case addressInUse(Listener)
    /// The process may not bind there (a port under 1024, a directory it cannot write).
    case permissionDenied(Listener)
    /// Not a numeric address, not an address of this machine, or a socket path that is too long or no socket.
    case invalidAddress(Listener)
    /// No listener was given.
    case noListeners
    /// ``HTTPServer/start()`` was called before; a server starts once.
    case alreadyStarted
    /// The system refused something else: which call, and its `errno`.
    case system(call: String, errno: Int32)
    /// libmicrohttpd would not start.
    case library
    /// This libmicrohttpd stores heads in a way in which the request gate cannot detect malformed ones (`LayoutCheck`).
    case unknownLayout(version: String)

    public var description: String {
        switch self {
        case .addressInUse(let listener): "\(listener): address already in use"
        case .permissionDenied(let listener): "\(listener): permission denied"
        case .invalidAddress(let listener): "\(listener): not an address that can be listened on"
        case .noListeners: "no address to listen on was given"
        case .alreadyStarted: "this server was started before"
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .library: "libmicrohttpd did not start"
        case .unknownLayout(let version):
            "libmicrohttpd \(version) cannot be used: the server cannot check the heads that it parses"
        }
    }
}
