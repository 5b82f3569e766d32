import CMicroHTTPD
import Glibc

/// A socket that was never connected. Put in the place of another one, it lets the library close "its" descriptor
/// without harm to the connection that was behind it.
struct SpentSocket {
    private let descriptor: Int32

    init() throws(ServerError) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
    }

    /// Puts this socket in the place of another one. The number of the descriptor stays, as its owner knows it.
    ///
    /// - Returns: a new descriptor of the other socket, which belongs to the caller; nil, with nothing changed, when
    ///   the process has no descriptor left.
    func take(_ other: Int32) -> Int32? {
        let taken = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard taken >= 0 else { return nil }
        if dup3(descriptor, other, Int32(O_CLOEXEC)) >= 0 { return taken }
        Glibc.close(taken)
        return nil
    }

    func close() { Glibc.close(descriptor) }
}
