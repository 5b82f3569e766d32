import CMicroHTTPD
import Glibc

/// Connections: from the kernel's queue to a daemon, and their end.
extension Loop {
    /// Takes up to 64 connections, so that a burst does not keep those that are open waiting.
    func accept(_ index: Int) {
        guard !isStopping, isAccepting else { return }
        let listener = listeners[index]
        for _ in 0..<64 {
            if connections.count >= maxConnections {
                guard listener.hasWaiting else { return }
                makeRoomForConnections()
                // Those that give way close in a moment, which resumes accepting. If there were none, some may come up.
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
                    // The listener stays readable, so polling it would spin. A close, or a little time, may help.
                    makeRoomForConnections()
                    acceptAgain = now + 100_000_000
                    return pauseAccepting()
                default: return
                }
            }
            add(descriptor, peer: peer(of: descriptor, storage), storage, length)
        }
    }

    func add(_ descriptor: Int32, peer: Peer, _ storage: sockaddr_storage, _ length: socklen_t) {
        var storage = storage
        let daemon = daemons[nextDaemon]
        arriving = Connection(loop: self, descriptor: descriptor, daemon: nextDaemon, peer: peer)
        nextDaemon = (nextDaemon + 1) % daemons.count
        withUnsafeBytes(of: &storage) { bytes in
            // On a failure the library has closed the socket, and told us if it had told us of its start.
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

    func resumeAccepting() {
        acceptAgain = .max
        guard !isAccepting, !isStopping else { return }
        isAccepting = true
        for (index, listener) in listeners.enumerated() { poller.change(listener.descriptor, .listener(index), .read) }
    }

    /// The library has taken the connection that is being added.
    func connectionStarted(_ mhd: OpaquePointer) -> Connection? {
        guard let connection = arriving else { return nil }
        connection.mhd = mhd
        connection.index = connections.count
        connections.append(connection)
        statistics.connectionsAccepted += 1
        statistics.connections = connections.count
        return connection
    }

    /// The library is about to close the socket.
    func connectionClosed(_ connection: Connection) {
        forgetHead(connection)
        connection.mhd = nil
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        statistics.connections = connections.count
        if !isAccepting { resumeAccepting() }
    }
}
