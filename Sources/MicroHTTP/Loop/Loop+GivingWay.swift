import Glibc

/// Which requests and connections are given up when there is no room. A request that is still being received gives way,
/// so a client that sends slowly cannot keep others out.
extension Loop {
    var tooManyRequests: HTTPRefusal {
        HTTPRefusal(status: 503, code: "tooManyRequests", detail: "Too many requests at once.")
    }

    /// A request's body begins to come. At ``ServerConfiguration/maxIncomplete`` a 64th of that number gives way.
    func beginBody(_ connection: Connection) {
        if statistics.requestsIncomplete >= configuration.maxIncomplete {
            makeRoomForBodies(max(1, configuration.maxIncomplete / 64), besides: connection)
        }
        connection.isIncomplete = true
        statistics.requestsIncomplete += 1
    }

    /// A request's body is complete, or will not be.
    func endBody(_ connection: Connection) {
        guard connection.isIncomplete else { return }
        connection.isIncomplete = false
        statistics.requestsIncomplete -= 1
    }

    /// Counts bytes that are kept in memory for a connection. Other connections give way if there is no room.
    /// - Returns: false when there is no room for them.
    func hold(_ count: Int, for connection: Connection) -> Bool {
        if memory + count > configuration.maxMemory { makeRoomInMemory(count, besides: connection) }
        guard memory + count <= configuration.maxMemory else { return false }
        keep(count, for: connection)
        return true
    }

    /// Counts bytes that are kept for a connection, whether there is room for them or not.
    func keep(_ count: Int, for connection: Connection) {
        connection.held += count
        memory += count
    }

    /// Counts off all bytes that were held for the connection.
    func release(_ connection: Connection) {
        memory -= connection.held
        connection.held = 0
    }

    /// Connections of the lowest rank give way first, and among them those that hold most bytes, so that few must go.
    /// If giving up all of them would not make enough room, none is given up.
    private func makeRoomInMemory(_ count: Int, besides newcomer: Connection) {
        var candidates: [(rank: Int, connection: Connection)] = []
        for connection in connections where connection.held > 0 && connection !== newcomer {
            switch connection.phase {
            case .body: candidates.append((connection.isKnown ? 1 : 0, connection))
            case .answering: candidates.append((2, connection))
            default: break
            }
        }
        let free = candidates.reduce(configuration.maxMemory - memory) { $0 + $1.connection.held }
        guard free >= count else { return }
        candidates.sort {
            ($0.rank, $1.connection.held, $0.connection.since) < ($1.rank, $0.connection.held, $1.connection.since)
        }
        for candidate in candidates {
            giveUp(candidate.connection, tooManyRequests)
            if memory + count <= configuration.maxMemory { return }
        }
    }

    /// The oldest requests whose body is still coming give way, those of unknown senders first.
    private func makeRoomForBodies(_ count: Int, besides newcomer: Connection) {
        // A body that its sink has paused waits for the server, not for its client, so it does not give way.
        let incomplete = connections.filter { $0.isIncomplete && $0.phase == .body && $0 !== newcomer }
        giveUp(count, of: incomplete.map { ($0.isKnown ? 1 : 0, $0) })
    }

    /// Ends up to 64 connections (a 64th of the limit, if that is less). They go in this order, and the oldest first
    /// within each step: connections that were given up before and still keep an answer; idle ones and those with
    /// incomplete requests of unknown senders; incomplete requests of known senders; answers that have taken longer
    /// than the idle timeout.
    func makeRoomForConnections() {
        let slow = now - max(1_000_000_000, configuration.idleTimeout.nanoseconds)
        var candidates: [(rank: Int, connection: Connection)] = []
        for connection in connections where !connection.isShut || connection.keepsAnswer {
            switch connection.phase {
            case _ where connection.keepsAnswer: candidates.append((-1, connection))
            case .idle, .head: candidates.append((0, connection))
            case .body where connection.isIncomplete: candidates.append((connection.isKnown ? 1 : 0, connection))
            case .answering where connection.since < slow: candidates.append((2, connection))
            default: break
            }
        }
        giveUp(max(1, min(64, maxConnections / 64)), of: candidates)
    }

    /// Gives up `count` candidates: the lowest rank first, and the oldest first within a rank.
    private func giveUp(_ count: Int, of candidates: [(rank: Int, connection: Connection)]) {
        let ordered = candidates.sorted { ($0.rank, $0.connection.since) < ($1.rank, $1.connection.since) }
        for candidate in ordered.prefix(count) {
            if candidate.connection.keepsAnswer {
                endInput(of: candidate.connection)
            } else {
                giveUp(candidate.connection, tooManyRequests)
            }
        }
    }

    /// Closes a connection that takes too long or gives way. If its request was still coming, the client is sent the
    /// refusal first.
    ///
    /// The library takes no answer here while a request is still coming. So the refusal is written to the socket past
    /// the library, which closes when it sees the end of its input or more of the request.
    func giveUp(_ connection: Connection, _ refusal: HTTPRefusal) {
        statistics.connectionsGivenUp += 1
        unwatch(connection)
        forgetHead(connection)
        endBody(connection)
        release(connection)
        // The library would read the bytes that are waiting before it saw the end of the input.
        discardInput(of: connection)
        let phase = connection.phase
        if phase == .head || phase == .body {
            sendPlainly(refused(refusal, connection.request), to: connection)
            connection.status = refusal.status
            connection.phase = .refused
        }
        shut(connection, keepingAnswer: phase == .body)
    }

    private func discardInput(of connection: Connection) {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
            for _ in 0..<64 where recv(connection.descriptor, buffer.baseAddress, buffer.count, 0) < buffer.count {
                return
            }
        }
    }
}
