import CMicroHTTPD
import Glibc

/// How long a connection may be idle, send its request and take its answer.
///
/// libmicrohttpd's own timeout begins again with every byte, so a client that sends a byte now and then would hold its
/// place for ever. Here each of the three has an end that grows only with what was sent, at a rate that a client must
/// keep.
///
/// Of an answer it sees only when it can write again, which may be a megabyte later: the kernel keeps as much for a
/// fast peer. So for an answer that takes its time its timeout is off, and what counts is what the client has
/// acknowledged: it must keep the slowest rate. What is in its own kernel is acknowledged; while that is full, nothing
/// more is for a long time, so the kernel's timeout is off too. Of a socket that is not TCP the queue must change.
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
            if idle > 0, connection.phase == .answering, !connection.isShut { watch(connection, idle) }
            guard let end = end(of: connection), now >= end else { continue }
            giveUp(
                connection,
                HTTPRefusal(status: 408, code: "requestTimeout", detail: "The request did not come in time."))
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
        case .answering:
            guard idle > 0 else { return nil }
            let end = connection.since + idle + time(for: connection.bytes)
            guard connection.isWatched else { return end }
            if let acknowledged = connection.acknowledged {
                return min(end, connection.since + idle + time(for: acknowledged))
            }
            return min(end, connection.queuedSince + idle)
        default: return nil
        }
    }

    /// Looks whether the client takes its answer, once that has not gone out in a part of the idle time.
    private func watch(_ connection: Connection, _ idle: Nanoseconds) {
        guard now >= connection.since + idle / 4 else { return }
        var queued: Int32 = 0
        let isUnknown = cmhd_queued(connection.descriptor, &queued) != 0
        if !connection.isWatched {
            guard !isUnknown, let mhd = connection.mhd else { return }
            connection.isWatched = true
            cmhd_set_timeout(mhd, 0)
            setUserTimeout(of: connection, .zero)
        } else if isUnknown || queued == connection.queued {
            return
        }
        connection.queued = queued
        connection.queuedSince = now
        let acknowledged = cmhd_acknowledged(connection.descriptor)
        connection.acknowledged = acknowledged >= 0 ? Int(acknowledged) : nil
    }

    private func setUserTimeout(of connection: Connection, _ time: Duration) {
        guard case .tcp = connection.peer, configuration.userTimeout != nil else { return }
        var milliseconds = UInt32(clamping: time.nanoseconds / 1_000_000)
        setsockopt(connection.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, 4)
    }

    /// Leaves the connection's timeout to the library again.
    func unwatch(_ connection: Connection) {
        guard connection.isWatched else { return }
        connection.isWatched = false
        if let mhd = connection.mhd { cmhd_set_timeout(mhd, configuration.idleSeconds) }
        setUserTimeout(of: connection, configuration.userTimeout ?? .zero)
    }

    /// What so many bytes take at the slowest rate.
    private func time(for bytes: Int) -> Nanoseconds {
        Nanoseconds(clamping: bytes / max(1, configuration.slowestBody)) &* 1_000_000_000
    }
}
