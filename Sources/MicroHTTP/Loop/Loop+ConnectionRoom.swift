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
