import Bounds
import Glibc

/// Which requests and connections are given up when there is no room. A request that is still being received gives way,
/// so a client that sends slowly cannot keep others out.
extension Loop {
    var tooManyRequests: HTTPRefusal { refusal(.full(limit: 0)) }

    /// What a sender is told that gets no place.
    func refusal(
        _ reason: PlaceRefusal, full code: String = "tooManyRequests", _ things: String = "requests"
    ) -> HTTPRefusal {
        switch reason {
        case .full: HTTPRefusal(status: 503, code: code, detail: "Too many \(things) at once.")
        case .share(let share, let limit):
            HTTPRefusal(
                status: 429, code: "shareExceeded",
                detail: "You have \(share) \(things) at once already, your share of \(limit).")
        }
    }

    /// A request's body begins to come. At ``ServerConfiguration/maxIncomplete`` a 64th of that number gives way; where
    /// its holder has its share, a 64th of that, the oldest of that holder. Several at once, because to find them every
    /// connection is looked at.
    /// - Returns: why there is no place, because none can give way; nil when it has one.
    func beginBody(_ connection: Connection) -> PlaceRefusal? {
        if let reason = bodyPlaces.takePlace(connection.holder) {
            switch reason {
            case .full: makeRoomForBodies(max(1, configuration.maxIncomplete / 64), besides: connection)
            case .share(let share, _):
                makeRoomForBodies(max(1, share / 64), of: connection.holder, refusal(reason), besides: connection)
            }
            if let reason = bodyPlaces.takePlace(connection.holder) { return reason }
        }
        connection.isIncomplete = true
        statistics.requestsIncomplete = bodyPlaces.taken
        return nil
    }

    /// A request's body is complete, or will not be.
    func endBody(_ connection: Connection) {
        guard connection.isIncomplete else { return }
        connection.isIncomplete = false
        bodyPlaces.giveBack(connection.holder)
        statistics.requestsIncomplete = bodyPlaces.taken
    }

    /// What holders have shares of, in a refusal.
    static let bytesOfBodies = "bytes of bodies and answers"

    /// Counts the bytes of an answer. One of up to ``smallAnswer`` is sent in any case, because it may report something
    /// that is done already, and no share of its holder counts it: to find the holder would cost each request more.
    /// - Returns: why there is no room for it; nil when it is counted.
    func hold(answer count: Int, for connection: Connection) -> PlaceRefusal? {
        guard count <= Self.smallAnswer else {
            let holder = connection.request.map { handler.holder(of: $0) } ?? connection.holder
            return hold(count, for: connection, memoryShares.counter(of: holder))
        }
        if hold(count, for: connection, memory) != nil {
            memory.reserveAnyway(count)
            connection.memory = memory
            connection.held = count
        }
        return nil
    }

    /// Counts bytes that are kept in memory for a connection. Other connections give way if there is no room.
    ///
    /// - Parameter counter: the same for all bytes of one body.
    /// - Returns: why there is no room for them; nil when they are counted.
    func hold(_ count: Int, for connection: Connection, _ counter: ByteCounter) -> PlaceRefusal? {
        if counter.room < count { makeRoomInMemory(count, in: counter, besides: connection) }
        guard counter.reserve(count) else { return counter.refusal(of: count) }
        connection.memory = counter
        connection.held += count
        return nil
    }

    /// Counts off all bytes that were held for the connection.
    func release(_ connection: Connection) {
        connection.memory?.giveBack(connection.held)
        connection.memory = nil
        connection.held = 0
    }

    /// Connections of the lowest rank give way first, and among them those that hold most bytes, so that few must go.
    /// Where a holder has its share, only its own do. If giving up all of them would not make enough room, none is given
    /// up.
    private func makeRoomInMemory(_ count: Int, in counter: ByteCounter, besides newcomer: Connection) {
        let reason = counter.refusal(of: count)
        let isShare = if case .share = reason { true } else { false }
        var candidates: [(rank: Int, connection: Connection)] = []
        for connection in connections where connection.held > 0 && connection !== newcomer {
            if isShare, connection.memory !== counter { continue }
            switch connection.phase {
            case .body: candidates.append((connection.rank, connection))
            case .answering: candidates.append((2, connection))
            default: break
            }
        }
        let free = candidates.reduce(counter.room) { $0 + $1.connection.held }
        guard free >= count else { return }
        candidates.sort {
            ($0.rank, $1.connection.held, $0.connection.since) < ($1.rank, $0.connection.held, $1.connection.since)
        }
        for candidate in candidates {
            giveUp(candidate.connection, refusal(reason, Self.bytesOfBodies))
            if counter.room >= count { return }
        }
    }

    /// The oldest requests whose body is still coming give way, those of unknown senders first.
    /// - Parameter holder: only its own give way; nil: all may.
    private func makeRoomForBodies(
        _ count: Int, of holder: Holder? = nil, _ refusal: HTTPRefusal? = nil, besides newcomer: Connection
    ) {
        // A body that its sink has paused waits for the server, not for its client, so it does not give way.
        let incomplete = connections.filter {
            $0.isIncomplete && $0.phase == .body && $0 !== newcomer && (holder == nil || $0.holder == holder)
        }
        giveUp(count, of: incomplete.map { ($0.rank, $0) }, refusal)
    }

    /// Gives up `count` candidates: the lowest rank first, and the oldest first within a rank.
    func giveUp(
        _ count: Int, of candidates: [(rank: Int, connection: Connection)], _ refusal: HTTPRefusal? = nil
    ) {
        let ordered = candidates.sorted { ($0.rank, $0.connection.since) < ($1.rank, $1.connection.since) }
        for candidate in ordered.prefix(count) {
            if candidate.connection.keepsAnswer {
                endInput(of: candidate.connection)
            } else {
                giveUp(candidate.connection, refusal ?? tooManyRequests)
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

extension Connection {
    /// Where its request stands among those that give way while they come: unknown senders first.
    fileprivate var rank: Int { holder == .nobody ? 0 : 1 }
}
