import CMicroHTTPD
import Glibc

/// Streams in the order in which their timers are due. All timers are due within one fixed span from now.
///
/// It is a ring of slots. Adding takes O(1), and nothing is searched before the next slot is due. Entries are names and
/// not references: the entry of a closed stream stays until its slot is due, and the caller ignores it then.
struct TimerWheel {
    private let tick: Nanoseconds
    private var slots: [[StreamName]]
    /// The first tick that was not collected yet.
    private var next: Int64
    private var count = 0
    /// No entry is due before; `.max` when there is none.
    private(set) var due = Nanoseconds.max

    /// - Parameter span: the longest delay that will be asked for. Precision is a 64th of it, late rather than early.
    init(span: Nanoseconds, now: Nanoseconds) {
        tick = max(span / 64, 1_000_000)
        slots = Array(repeating: [], count: 68)
        next = now / tick
    }

    /// Adds an entry. A time in the past is due at the next tick; one beyond the span is due at its end.
    mutating func add(_ name: StreamName, at time: Nanoseconds) {
        let wanted = time / tick + 1
        let slot = min(max(wanted, next), next + Int64(slots.count) - 1)
        slots[Int(slot % Int64(slots.count))].append(name)
        count += 1
        due = min(due, slot * tick)
    }

    /// Removes and returns the entries that are due. They are in the order of their slots; the caller must ignore
    /// streams that are closed.
    mutating func collect(now: Nanoseconds) -> [StreamName] {
        guard now >= due else { return [] }
        var collected: [StreamName] = []
        let last = now / tick
        // After a long sleep, one round of the ring finds all entries.
        next = max(next, last - Int64(slots.count) + 1)
        while next <= last {
            let slot = Int(next % Int64(slots.count))
            if !slots[slot].isEmpty {
                collected.append(contentsOf: slots[slot])
                slots[slot] = []
            }
            next += 1
        }
        count -= collected.count
        assert(count >= 0, "Each entry is collected once.")
        due = .max
        if count > 0 {
            for offset in 0..<Int64(slots.count) where !slots[Int((next + offset) % Int64(slots.count))].isEmpty {
                due = (next + offset) * tick
                break
            }
        }
        return collected
    }
}

/// A stream's place in the loop's table, with a number that tells it from earlier streams in the same place.
struct StreamName: Hashable {
    let slot: Int32
    let generation: UInt32
}

/// How long a connection may be idle, send its request and take its answer.
///
/// libmicrohttpd's own timeout begins again with every byte. A client that sends one byte now and then could keep its
/// connection for ever. So here each of the three has a deadline. It moves only by the time that the bytes need at the
/// slowest allowed rate, ``ServerConfiguration/slowestBody``.
///
/// While an answer is sent, the library notices progress only when the socket is writable again. The kernel may buffer
/// a megabyte for a fast client, so that can take long. Therefore, when an answer is not sent after a quarter of the
/// idle timeout, the library's timeout is switched off, and the loop measures what the client has acknowledged: that
/// must keep the slowest rate. Bytes in the client's receive buffer are acknowledged. While that buffer is full,
/// nothing more is acknowledged for a long time, so TCP_USER_TIMEOUT is switched off too. On a socket that is not TCP,
/// the length of the send queue must change within the idle timeout.
extension Loop {
    /// How long a client that sends nothing more may take to receive the answer with which it was given up.
    private static let timeForLastAnswer: Nanoseconds = 1_000_000_000

    /// Looks at every connection, about once a second. When this process has stood still, it looks a time later: what
    /// clients have sent meanwhile is read first, for the delay is not theirs.
    func endSlowConnections() {
        let idle = configuration.idleTimeout.nanoseconds
        let shortest = min(configuration.requestTime.nanoseconds, idle > 0 ? idle : .max)
        let stoodStill = now - nextLook > 1_000_000_000 && !hasStoodStill
        nextLook = now + min(1_000_000_000, max(10_000_000, shortest / 4))
        hasStoodStill = stoodStill
        if stoodStill { return }
        var working: [Connection] = []
        for connection in connections {
            if connection.keepsAnswer, now >= connection.since + Self.timeForLastAnswer { endInput(of: connection) }
            if connection.task != nil { working.append(connection) }
            if idle > 0, connection.phase == .answering, !connection.isShut { watch(connection, idle) }
            guard let end = end(of: connection), now >= end else { continue }
            giveUp(
                connection,
                HTTPRefusal(status: 408, code: "requestTimeout", detail: "The request was not complete in time."))
        }
        endAbandonedWork(working)
    }

    /// The deadline for what the connection is doing; nil while the server is at work on it, after it was shut, and
    /// when no limit is configured.
    private func end(of connection: Connection) -> Nanoseconds? {
        if connection.isShut { return nil }
        let idle = configuration.idleTimeout.nanoseconds
        switch connection.phase {
        // A second later than the library's own timeout, which ends those that send nothing at all.
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

    /// Measures whether the client takes its answer, when the answer is not sent after a quarter of the idle timeout.
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

    /// Restores the library's and the kernel's timeouts after an answer that was watched.
    func unwatch(_ connection: Connection) {
        guard connection.isWatched else { return }
        connection.isWatched = false
        if let mhd = connection.mhd { cmhd_set_timeout(mhd, configuration.idleSeconds) }
        setUserTimeout(of: connection, configuration.userTimeout ?? .zero)
    }

    /// The time that so many bytes need at the slowest allowed rate.
    private func time(for bytes: Int) -> Nanoseconds {
        Nanoseconds(clamping: bytes / max(1, configuration.slowestBody)) &* 1_000_000_000
    }
}

/// A point on, or a length of, the kernel's monotonic clock.
typealias Nanoseconds = Int64

func monotonicNow() -> Nanoseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension Duration {
    /// Rounded down; lengths over 292 years are not expected.
    var nanoseconds: Nanoseconds {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
