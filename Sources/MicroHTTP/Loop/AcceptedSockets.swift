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

/// Which connections are given up when all are taken, or the process has no descriptor left.
///
/// Whoever has shown nothing gives way to whoever has: a stranger may open connections as fast as they are closed, and
/// those of known senders stay meanwhile. Addresses would not tell the two apart: on one machine and behind a proxy all
/// come from one.
extension Loop {
    /// In what order connections give way. Within a step the oldest go first.
    private enum Step: Int {
        /// Given up before, and kept for an answer.
        case givenUp
        /// Of an unknown sender: idle, or with a request that is still coming.
        case strangers
        /// An answer that an unknown sender has not taken within ``timeForStrangersAnswer``.
        case strangersAnswer
        /// Of a known sender, and idle, or its head is coming.
        case idle
        /// Of a known sender, whose body is coming.
        case incomplete
        /// An answer that takes longer than the idle timeout.
        case slow
    }

    /// How long an unknown sender may take for its answer when others need the connection.
    private static let timeForStrangersAnswer: Nanoseconds = 1_000_000_000

    /// Ends up to 64 connections (a 64th of the limit, if that is less).
    func makeRoomForConnections() {
        let candidates = connections.compactMap { connection in
            step(of: connection).map { (rank: $0.rawValue, connection: connection) }
        }
        giveUp(max(1, min(64, maxConnections / 64)), of: candidates)
    }

    /// Nil for a connection that does not give way.
    private func step(of connection: Connection) -> Step? {
        if connection.keepsAnswer { return .givenUp }
        if connection.isShut { return nil }
        switch connection.phase {
        case .idle, .head: return isKnown(connection) ? .idle : .strangers
        case .body where connection.isIncomplete: return isKnown(connection) ? .incomplete : .strangers
        case .answering:
            guard connection.since < now - Self.timeForStrangersAnswer else { return nil }
            if !isKnown(connection) { return .strangersAnswer }
            return connection.since < now - configuration.idleTimeout.nanoseconds ? .slow : nil
        default: return nil
        }
    }

    /// Whether a request on this connection had a known sender. The handler is asked about each request at most once,
    /// and only here.
    private func isKnown(_ connection: Connection) -> Bool {
        if let known = connection.isKnown { return known }
        guard let head = connection.request ?? connection.last else { return false }
        let isKnown = handler.holder(of: head) != .nobody
        connection.isKnown = isKnown
        return isKnown
    }
}

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
    func takeOver(_ other: Int32) -> Int32? {
        let taken = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard taken >= 0 else { return nil }
        if dup3(descriptor, other, Int32(O_CLOEXEC)) >= 0 { return taken }
        Glibc.close(taken)
        return nil
    }

    func close() { Glibc.close(descriptor) }
}

/// Sockets that were answered before everything that the client sent was read.
///
/// If such a socket were closed, the kernel would send a reset, and the client could lose the answer, for example a
/// 413. So a duplicate of it stays open for reading, and all bytes that still come are thrown away, until the client
/// closes or a second is over. For the loop's thread only.
struct LingeringSockets {
    private static let limit = 256
    private static let time: Nanoseconds = 1_000_000_000
    private var entries: [(descriptor: Int32, until: Nanoseconds)] = []

    /// When the first entry is over; `.max` when there is none.
    var due: Nanoseconds { entries.first?.until ?? .max }

    /// Keeps a duplicate of the socket. Beyond 256 sockets nothing is kept, and the client may then see a reset.
    mutating func add(_ descriptor: Int32, now: Nanoseconds, _ poller: borrowing Poller) {
        guard entries.count < Self.limit else { return }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }
        shutdown(copy, Int32(SHUT_WR))
        entries.append((copy, now + Self.time))
        poller.add(copy, .lingering(copy), .read)
    }

    /// Throws away what has come.
    mutating func drain(_ descriptor: Int32, _ poller: borrowing Poller) {
        guard let index = entries.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        let received = withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) {
            recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        if received > 0 || (received < 0 && (errno == EAGAIN || errno == EINTR)) { return }
        entries.remove(at: index)
        end(descriptor, poller)
    }

    /// Closes the sockets whose second is over.
    mutating func expire(now: Nanoseconds, _ poller: borrowing Poller) {
        while let first = entries.first, first.until <= now {
            entries.removeFirst()
            end(first.descriptor, poller)
        }
    }

    /// Closes all sockets at once; for the end of the loop.
    mutating func closeAll(_ poller: borrowing Poller) {
        for entry in entries { end(entry.descriptor, poller) }
        entries = []
    }

    private func end(_ descriptor: Int32, _ poller: borrowing Poller) {
        poller.remove(descriptor)
        close(descriptor)
    }
}
