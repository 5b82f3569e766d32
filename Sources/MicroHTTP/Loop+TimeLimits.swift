import Glibc

/// How long a connection may be idle, send its request and take its answer.
///
/// libmicrohttpd's own timeout begins again with every byte, so a client that sends a byte now and then would hold its
/// place for ever. Here each of the three has an end that grows only with what was sent, at a rate that a client must keep.
extension Loop {
    /// How long a client that sends nothing more may take a last answer.
    private static let timeForLastAnswer: Nanoseconds = 1_000_000_000

    /// Looks at every connection, about once a second.
    func endSlowConnections() {
        let idle = configuration.idleTimeout.nanoseconds
        let shortest = min(configuration.requestTime.nanoseconds, idle > 0 ? idle : .max)
        nextLook = now + min(1_000_000_000, max(10_000_000, shortest / 4))
        for connection in connections {
            if connection.keepsAnswer, now >= connection.since + Self.timeForLastAnswer { endInput(of: connection) }
            guard let end = end(of: connection), now >= end else { continue }
            giveUp(connection, HTTPRefusal(status: 408, code: "requestTimeout", detail: "The request did not come in time."))
        }
    }

    /// When what the connection is doing must be over; nil when it is not the client's turn.
    private func end(of connection: Connection) -> Nanoseconds? {
        if connection.isShut { return nil }
        let idle = configuration.idleTimeout.nanoseconds
        switch connection.phase {
        // A second later than the library, which sees to those that send nothing at all.
        case .idle: return idle > 0 ? connection.since + idle + 1_000_000_000 : nil
        case .head: return connection.since + configuration.requestTime.nanoseconds
        case .body where connection.isIncomplete:
            return connection.since + configuration.requestTime.nanoseconds + time(for: connection.received)
        case .answering: return idle > 0 ? connection.since + idle + time(for: connection.bytes) : nil
        default: return nil
        }
    }

    /// What so many bytes take at the slowest rate.
    private func time(for bytes: Int) -> Nanoseconds {
        Nanoseconds(clamping: bytes / max(1, configuration.slowestBody)) &* 1_000_000_000
    }
}
