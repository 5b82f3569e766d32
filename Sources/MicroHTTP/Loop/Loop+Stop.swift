import CMicroHTTPD
import Glibc

/// The end: gracefully, then for good.
extension Loop {
    /// Stops accepting, ends idle connections and streams; requests in flight may finish until the grace is over.
    func beginDraining(grace: Duration) {
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

    /// Ends a connection between two requests. One that already lies in the socket's queue is still read by the
    /// library; it could not be answered any more, so it is not carried out either.
    /// - Parameter keepingAnswer: the client may be sending still. A reset must not take the answer from it, so only
    ///   our side ends. The library closes when something comes, or after ``endInput(of:)``.
    func shut(_ connection: Connection, keepingAnswer: Bool = false) {
        connection.isShut = true
        connection.lingers = keepingAnswer
        connection.keepsAnswer = keepingAnswer
        connection.since = now
        shutdown(connection.descriptor, Int32(keepingAnswer ? SHUT_WR : SHUT_RDWR))
    }

    /// The client has had its time to take the last answer. The library sees the end of its input, and closes.
    func endInput(of connection: Connection) {
        connection.keepsAnswer = false
        shutdown(connection.descriptor, Int32(SHUT_RD))
    }

    /// Nothing more is waited for. The loop ends with this turn.
    func stopNow() {
        if case .ended = phase { return }
        closeListeners()
        phase = .draining(until: .min)
    }

    func checkStop() {
        guard case .draining(let until) = phase else { return }
        if connections.isEmpty || now >= until || isSettled { end() }
    }

    /// Whether nothing is left but connections that were ended a while ago. The library can miss an end of input that
    /// came together with the last bytes, and would then keep such a connection for the whole grace.
    private var isSettled: Bool {
        guard connections.allSatisfy(\.isShut) else {
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
        // A suspended connection at the library's stop aborts the process: all must have come back before.
        for case let stream? in streams { finish(stream, .stopped) }
        for connection in connections {
            switch connection.phase {
            case .working, .bodyPaused:
                connection.phase = .aborted
                resume(connection)
            case .streaming where connection.source != nil:  // suspended by the library's last run, not opened yet
                abandonStream(connection, .stopped)
                connection.phase = .streamBroken
                resume(connection)
            default: break
            }
        }
        opening = []
        woken = []
        // The library ends the sockets of all connections that it still has, also of one that is another's by now: it
        // must have given those back.
        var rounds = 0
        repeat {
            rounds += 1
            for daemon in daemons {
                current = daemon
                _ = MHD_run(daemon.handle)
                current = nil
            }
            closeUpgraded()
            // The run may have suspended others: those whose head or body just became complete.
            for connection in connections where [.working, .streaming, .bodyPaused].contains(connection.phase) {
                if connection.source != nil { abandonStream(connection, .stopped) }
                connection.phase = connection.phase == .streaming ? .streamBroken : .aborted
                resume(connection)
            }
            opening = []
        } while rounds < 2 || rounds < 20 && connections.contains { $0.phase == .upgraded }
        for daemon in daemons { daemon.stop() }
        daemons = []
        lingering.closeAll(poller)
    }
}
