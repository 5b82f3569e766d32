import Glibc
import CMicroHTTPD

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

/// Connections that leave HTTP after a 101.
///
/// The new owner gets a duplicate of the socket, and the library closes its own descriptor in the same turn. Without a
/// duplicate the new owner could not close the socket itself, and the server could not stop before it was given back.
extension Loop {
    /// The library's response for a 101, after which it calls `onUpgrade`.
    func upgradeResponse(_ upgrade: HTTPUpgrade, for connection: Connection) -> OpaquePointer? {
        guard let made = MHD_create_response_for_upgrade(onUpgrade, nil) else { return nil }
        connection.upgrade = upgrade
        return made
    }

    /// The 101 has been sent, and the library has suspended the connection.
    /// - Parameter early: bytes that the client sent after its request, in the new protocol.
    fileprivate func upgraded(
        _ connection: Connection, early: UnsafeRawBufferPointer, socket: Int32, handle: OpaquePointer
    ) {
        connection.phase = .upgraded
        // The library is still working on this connection. It is told to close it after the daemons have run.
        upgradesToClose.append(handle)
        daemons[connection.daemon].mustRun = true
        guard let upgrade = connection.upgrade else { return }
        connection.upgrade = nil
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0, !isStopping else {
            if descriptor >= 0 { close(descriptor) }
            shutdown(socket, Int32(SHUT_RDWR))
            return
        }
        statistics.upgrades += 1
        upgrade.adopt(UpgradedSocket(descriptor: descriptor, early: Array(early), peer: connection.peer))
    }

    /// Tells the library that it may close its descriptors of upgraded connections. Not inside a daemon's run.
    func closeUpgraded() {
        guard !upgradesToClose.isEmpty else { return }
        for handle in upgradesToClose { _ = cmhd_close_upgraded(handle) }
        upgradesToClose = []
    }
}

private let onUpgrade: MHD_UpgradeHandler = { _, _, request, early, count, socket, handle in
    guard let request, let handle else { return }
    let connection = Unmanaged<Connection>.fromOpaque(request).takeUnretainedValue()
    connection.loop.upgraded(
        connection, early: UnsafeRawBufferPointer(start: early, count: count), socket: socket, handle: handle)
}
