import Glibc

/// Leaves HTTP: after an answer with status 101 the connection's socket speaks another protocol, and has a new owner.
///
/// The answer needs a header `Upgrade` that names the protocol; the server adds `Connection: Upgrade`. A server that
/// stops makes no more upgrades. It does not close the sockets that it has given away.
public struct HTTPUpgrade: Sendable {
    /// Called once, on the loop's thread, when the 101 has been sent; not called if the client goes before that.
    public let adopt: @Sendable (UpgradedSocket) -> Void

    public init(adopt: @escaping @Sendable (UpgradedSocket) -> Void) { self.adopt = adopt }
}

/// A socket that has left HTTP.
public struct UpgradedSocket: Sendable {
    /// Connected and non-blocking. The receiver must close it, which ends the connection.
    public let descriptor: Int32
    /// Bytes that the client sent after its request, already in the new protocol.
    public let early: [UInt8]
    public let peer: Peer
}
