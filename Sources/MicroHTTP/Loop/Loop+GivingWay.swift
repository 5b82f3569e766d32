import Glibc

/// Which requests and connections are given up when there is no room. Requests that are still being received never
/// keep others out.
extension Loop {
    var tooManyRequests: HTTPRefusal {
        HTTPRefusal(status: 503, code: "tooManyRequests", detail: "Too many requests at once.")
    }

    /// A request's body begins to come.
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

    /// Counts bytes that are kept for a connection, if need be after others have given way.
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

    /// The connection keeps nothing any more.
    func release(_ connection: Connection) {
        memory -= connection.held
        connection.held = 0
    }

    /// Those of the lowest rank give way first, and among them those that hold most, so that few are enough. If all
    /// together were not enough, nobody gives way.
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
        // A body that its sink has paused waits for us, not for its client.
        let incomplete = connections.filter { $0.isIncomplete && $0.phase == .body && $0 !== newcomer }
        giveUp(count, of: incomplete.map { ($0.isKnown ? 1 : 0, $0) })
    }

    /// Connections that were given up before end at once. Then the oldest give way: idle ones and those of requests
    /// that are still coming, then such requests of known senders, then answers that take longer than a connection may
    /// be idle.
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

    /// Those of the lowest rank go first, and among them the oldest.
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

    /// Closes a connection that takes too long or gives way. A client whose request was coming gets an answer.
    ///
    /// The library takes no answer before a request is complete, so this one goes past it. The library closes when it
    /// sees the end of its input, or more of the request.
    func giveUp(_ connection: Connection, _ refusal: HTTPRefusal) {
        statistics.connectionsGivenUp += 1
        unwatch(connection)
        forgetHead(connection)
        endBody(connection)
        release(connection)
        // Bytes that the library has not read would hide the end behind them.
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
