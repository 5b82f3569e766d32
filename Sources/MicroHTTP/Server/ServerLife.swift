import CMicroHTTPD
import Glibc
import Synchronization

/// new, then running, then stopped: what the server and its thread share.
///
/// `@unchecked Sendable`: all is constant or under `state`'s lock; `ended` is a semaphore.
final class ServerLife: @unchecked Sendable {
    private struct State {
        var phase = Phase.new
        var loop: Loop?
        var addresses: [BoundAddress] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private enum Phase { case new, running, stopped }

    private let handler: any HTTPHandler
    private let state = Mutex(State())
    /// Posted once at the thread's end; whoever waited posts it again for the next.
    private let ended = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init(handler: any HTTPHandler) {
        self.handler = handler
        sem_init(ended, 0, 0)
    }

    deinit {
        sem_destroy(ended)
        ended.deallocate()
    }

    var loop: Loop? { state.withLock { $0.loop } }
    var addresses: [BoundAddress] { state.withLock { $0.addresses } }

    func start(_ configuration: ServerConfiguration) throws(ServerError) {
        guard !configuration.listeners.isEmpty else { throw .noListeners }
        let isNew = state.withLock { state in
            defer { if state.phase == .new { state.phase = .running } }
            return state.phase == .new
        }
        guard isNew else { throw .alreadyStarted }
        do throws(ServerError) {
            guard try LayoutCheck.passes() else {
                throw ServerError.unknownLayout(version: String(cString: MHD_get_version()))
            }
            let loop = try Loop(configuration: configuration, handler: handler)
            try loop.open()
            state.withLock { state in
                state.loop = loop
                state.addresses = loop.listeners.map(\.address)
            }
            try run(loop)
        } catch {
            state.withLock { state in
                state.phase = .new
                state.loop = nil
                state.addresses = []
            }
            throw error
        }
    }

    private func run(_ loop: Loop) throws(ServerError) {
        var thread = pthread_t()
        let life = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<ServerLife>.fromOpaque(context!).takeRetainedValue().threadMain()
                return nil
            }, life.toOpaque())
        guard code == 0 else {
            life.release()
            loop.stopNow()
            loop.checkStop()
            throw .system(call: "pthread_create", errno: code)
        }
        pthread_detach(thread)
    }

    private func threadMain() {
        guard let loop else { return }
        loop.run()
        // Jobs that came too late still run: one may be an answer whose source wants to hear that it is over.
        for job in loop.mailbox.close(publishing: loop.statistics) { job() }
        let waiting = state.withLock { state in
            state.phase = .stopped
            defer { state.waiting = [] }
            return state.waiting
        }
        sem_post(ended)
        for continuation in waiting { continuation.resume() }
    }

    func stop(grace: Duration, then continuation: CheckedContinuation<Void, Never>) {
        let loop: Loop? = state.withLock { state in
            guard state.phase == .running, let loop = state.loop else { return nil }
            state.waiting.append(continuation)
            return loop
        }
        guard let loop else { return continuation.resume() }
        loop.mailbox.post { loop.beginDraining(grace: grace) }
    }

    /// Asks for the end without waiting.
    func requestStop() {
        guard let loop else { return }
        loop.mailbox.post { loop.stopNow() }
    }

    func stopNow() {
        guard let loop else { return }
        if loop.isLoopThread { return loop.stopNow() }
        loop.mailbox.post { loop.stopNow() }
        while sem_wait(ended) != 0 {}
        sem_post(ended)
    }
}

/// The end of the server: first it drains, then everything that is left is closed.
extension Loop {
    /// Stops accepting, and ends idle connections, incomplete heads and streams. Requests in flight may finish within
    /// `grace`. A second call can only make that time shorter.
    fileprivate func beginDraining(grace: Duration) {
        let until = monotonicNow() + max(0, grace.nanoseconds)
        switch phase {
        case .running: phase = .draining(until: until)
        case .draining(let earlier): phase = .draining(until: min(earlier, until))
        case .ended: return
        }
        closeListeners()
        for connection in connections {
            switch connection.phase {
            case .idle, .head: shut(connection)
            default: break
            }
        }
        for case let stream? in streams { drain(stream) }
    }

    /// Ends a connection. The library may still read a request that is already in the socket's queue. That request is
    /// not carried out, because it could not be answered any more.
    /// - Parameter keepingAnswer: true when the client may still be sending and has an answer to receive. Then only the
    ///   server's side is shut, because a reset could destroy the answer. The library closes when more bytes come, or
    ///   after ``endInput(of:)``.
    func shut(_ connection: Connection, keepingAnswer: Bool = false) {
        connection.isShut = true
        connection.lingers = keepingAnswer
        connection.keepsAnswer = keepingAnswer
        connection.since = now
        shutdown(connection.descriptor, Int32(keepingAnswer ? SHUT_WR : SHUT_RDWR))
    }

    /// Ends a connection that kept its answer: its client has had the time to receive it. The library sees the end of
    /// its input, and closes.
    func endInput(of connection: Connection) {
        connection.keepsAnswer = false
        shutdown(connection.descriptor, Int32(SHUT_RD))
    }

    /// Stops without any grace: the loop ends with this turn.
    func stopNow() {
        if case .ended = phase { return }
        closeListeners()
        phase = .draining(until: .min)
    }

    /// While draining: ends the loop when all connections are closed or ended, or when the grace is over.
    func checkStop() {
        guard case .draining(let until) = phase else { return }
        if connections.isEmpty && hasNoStreams || now >= until || isSettled { end() }
    }

    private var hasNoStreams: Bool { streams.count == freeSlots.count }

    /// Whether all connections that are left were ended at least 250 ms ago. The library can miss an end of input that
    /// came together with the last bytes (see ``showEnd(of:)``), and would keep such a connection for the whole grace.
    private var isSettled: Bool {
        guard hasNoStreams, connections.allSatisfy(\.isShut) else {
            allShutSince = nil
            return false
        }
        let since = allShutSince ?? now
        allShutSince = since
        return now >= since + 250_000_000
    }

    private func closeListeners() {
        for listener in listeners {
            poller.remove(listener.descriptor)
            listener.close()
        }
        listeners = []
    }

    private func end() {
        phase = .ended
        // The library aborts the process when it is stopped with a suspended connection. So all are resumed before.
        for case let stream? in streams { stop(stream) }
        for connection in connections {
            switch connection.phase {
            case .admitting, .working, .bodyPaused:
                connection.phase = .aborted
                resume(connection)
            case .streaming:  // suspended in the last run, its stream is not opened yet
                abandonStream(connection, .stopped)
                connection.phase = .aborted
                resume(connection)
            default: break
            }
        }
        opening = []
        woken = []
        round = []
        // When it stops, the library shuts down the sockets of all connections that it still has. That would also end
        // upgraded connections, whose new owners have duplicates. So `closeUpgraded` must take those from it before.
        var rounds = 0
        repeat {
            rounds += 1
            for daemon in daemons {
                current = daemon
                _ = MHD_run(daemon.handle)
                current = nil
            }
            closeUpgraded()
            // The run may have suspended other connections, whose head or body has just become complete.
            for connection in connections
            where [.admitting, .working, .streaming, .bodyPaused].contains(connection.phase) {
                if connection.source != nil { abandonStream(connection, .stopped) }
                connection.phase = .aborted
                resume(connection)
            }
            opening = []
        } while rounds < 2 || rounds < 20 && connections.contains { $0.phase == .upgraded }
        for daemon in daemons { daemon.stop() }
        daemons = []
        lingering.closeAll(poller)
        spent.close()
    }
}

/// Work for which nobody waits any more.
///
/// The library does not look at the socket of a suspended connection, so it does not see that a client has left while a
/// task makes its answer. Such a client would still hold a place, a reader of the database and a processor. To watch
/// each socket would cost every request two system calls. So the loop asks the kernel once a second, with one call for
/// all, and cancels what may be cancelled: the tasks of requests that only read, and others that the handler names.
extension Loop {
    /// Cancels the tasks of these connections whose client has gone, or that take longer than
    /// ``ServerConfiguration/readTime``.
    func endAbandonedWork(_ working: [Connection]) {
        guard !working.isEmpty else { return }
        let hungUp = Int16(truncatingIfNeeded: EPOLLRDHUP.rawValue)
        var sockets = working.map { pollfd(fd: $0.descriptor, events: hungUp, revents: 0) }
        guard poll(&sockets, nfds_t(sockets.count), 0) >= 0 else { return }
        let limit = configuration.readTime.nanoseconds
        for (connection, socket) in zip(working, sockets) {
            // The events that are always reported, POLLERR and POLLHUP, mean the same.
            guard socket.revents != 0 || now - connection.started >= limit else { continue }
            statistics.requestsAbandoned += 1
            connection.task?.cancel()
            connection.task = nil
        }
    }
}
