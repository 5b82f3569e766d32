import CMicroHTTPD
import Glibc

/// Connections: taken from the listening sockets, given to a daemon, and their end.
extension Loop {
    /// Accepts at most 64 connections of a listener in a turn, so that open connections need not wait for a burst.
    func accept(_ index: Int) {
        guard !isStopping, isAccepting else { return }
        let listener = listeners[index]
        for _ in 0..<64 {
            if openConnections >= maxConnections {
                guard listener.hasWaiting else { return }
                makeRoomForConnections()
                // The connections that give way close soon, and each close resumes accepting. If none gave way, the
                // loop tries again after 100 ms.
                acceptAgain = now + 100_000_000
                return pauseAccepting()
            }
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutableBytes(of: &storage) { bytes in
                accept4(
                    listener.descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length,
                    Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            }
            guard descriptor >= 0 else {
                switch errno {
                case EINTR, ECONNABORTED, EPROTO: continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    // The listening socket stays readable, so the loop would spin if it went on polling it. It tries
                    // again when a connection closes, or after 100 ms.
                    makeRoomForConnections()
                    acceptAgain = now + 100_000_000
                    return pauseAccepting()
                default: return
                }
            }
            add(descriptor, peer: peer(of: descriptor, storage), storage, length)
        }
    }

    /// Gives a connected socket to the next daemon, which owns it from now on, also when this fails.
    func add(_ descriptor: Int32, peer: Peer, _ storage: sockaddr_storage, _ length: socklen_t) {
        var storage = storage
        let daemon = daemons[nextDaemon]
        arriving = Connection(loop: self, descriptor: descriptor, daemon: nextDaemon, peer: peer)
        nextDaemon = (nextDaemon + 1) % daemons.count
        withUnsafeBytes(of: &storage) { bytes in
            // On a failure the library has closed the socket. If it had called `connectionStarted`, it has called
            // `connectionClosed` too.
            _ = MHD_add_connection(
                daemon.handle, descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), length)
        }
        arriving = nil
        daemon.mustRun = true
    }

    private func peer(of descriptor: Int32, _ storage: sockaddr_storage) -> Peer {
        if let address = SocketAddress(storage) { return .tcp(address) }
        var credentials: (pid: Int32, uid: UInt32, gid: UInt32) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: credentials))
        getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return .unix(uid: credentials.uid)
    }

    private func pauseAccepting() {
        guard isAccepting else { return }
        isAccepting = false
        statistics.acceptPauses += 1
        for (index, listener) in listeners.enumerated() { poller.change(listener.descriptor, .listener(index), []) }
    }

    /// Polls the listening sockets again; does nothing while the server stops.
    func resumeAccepting() {
        acceptAgain = .max
        guard !isAccepting, !isStopping else { return }
        isAccepting = true
        for (index, listener) in listeners.enumerated() { poller.change(listener.descriptor, .listener(index), .read) }
    }

    /// The library has taken the connection that ``add(_:peer:_:_:)`` gives to it.
    /// - Returns: what the library keeps as the connection's socket context.
    func connectionStarted(_ mhd: OpaquePointer) -> Connection? {
        guard let connection = arriving else { return nil }
        connection.mhd = mhd
        connection.index = connections.count
        connections.append(connection)
        statistics.connectionsAccepted += 1
        statistics.connections = openConnections
        return connection
    }

    /// The library is about to close the socket: the connection leaves the loop's lists.
    func connectionClosed(_ connection: Connection) {
        forgetHead(connection)
        connection.mhd = nil
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        connectionsChanged()
    }

    /// A connection or a stream has closed.
    func connectionsChanged() {
        statistics.connections = openConnections
        if !isAccepting { resumeAccepting() }
    }

    /// The library's connections, and the sockets of open streams.
    private var openConnections: Int { connections.count + streams.count - freeSlots.count }
}
