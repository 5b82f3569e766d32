import Glibc

/// Leaving HTTP: after an answer with status 101 the connection's socket speaks another protocol, and is another's.
///
/// The answer needs a header `Upgrade` that names the protocol; `Connection: Upgrade` is the server's. A server that
/// stops takes none any more, and leaves those that it gave away to whoever adopted them.
public struct HTTPUpgrade: Sendable {
    /// Called once on the loop's thread when the 101 is out; never when the peer goes before.
    public let adopt: @Sendable (UpgradedSocket) -> Void

    public init(adopt: @escaping @Sendable (UpgradedSocket) -> Void) { self.adopt = adopt }
}

/// A socket that has left HTTP.
public struct UpgradedSocket: Sendable {
    /// Connected and non-blocking; closing it is the receiver's, and ends the connection.
    public let descriptor: Int32
    /// What came behind the request already.
    public let early: [UInt8]
    public let peer: Peer
}
