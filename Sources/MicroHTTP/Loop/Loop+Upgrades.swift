import CMicroHTTPD
import Glibc

/// Connections that leave HTTP. Their new owner gets a duplicate of the socket, so that the library can be done with
/// its own at once: it would forbid to close it, and must not be stopped before it was given back.
extension Loop {
    func upgradeResponse(_ upgrade: HTTPUpgrade, for connection: Connection) -> OpaquePointer? {
        guard let made = MHD_create_response_for_upgrade(onUpgrade, nil) else { return nil }
        connection.upgrade = upgrade
        return made
    }

    /// The 101 is out, and the library has suspended the connection.
    fileprivate func upgraded(
        _ connection: Connection, early: UnsafeRawBufferPointer, socket: Int32, handle: OpaquePointer
    ) {
        connection.phase = .upgraded
        // The library is in the middle of this connection: it takes it back after its turn.
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
