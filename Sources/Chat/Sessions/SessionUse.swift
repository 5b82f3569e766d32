import ChatModel
import ChatStore
import Formats
import Synchronization

/// The time of the last ``tick(_:)``. Each request notes its time, and reading this clock needs no system call. Every
/// call may come from any thread.
public final class CoarseClock: Sendable {
    private let milliseconds: Atomic<Int64>

    init(_ now: Timestamp) { milliseconds = Atomic(now.milliseconds) }

    /// Sets the time. To be called about once a minute.
    public func tick(_ now: Timestamp) { milliseconds.store(now.milliseconds, ordering: .relaxed) }

    var now: Int64 { milliseconds.load(ordering: .relaxed) }
}

/// When a session was used last. Every request notes it in memory; it is stored about once an hour, so that requests
/// cause no writes.
final class SessionUse: Sendable {
    private let clock: CoarseClock
    private let last: Atomic<Int64>
    private let stored: Atomic<Int64>

    /// How old the stored time may become, in milliseconds.
    private static let lag: Int64 = 3_600_000

    init(_ record: SessionRecord, clock: CoarseClock) {
        self.clock = clock
        last = Atomic(record.lastUsedAt.milliseconds)
        stored = Atomic(record.lastUsedAt.milliseconds)
    }

    /// Notes a use at the coarse clock's time. The time never goes back: the coarse clock may be behind the time at
    /// which the session was made.
    func note() {
        let now = clock.now
        if now > last.load(ordering: .relaxed) { last.store(now, ordering: .relaxed) }
    }

    var time: Timestamp { Timestamp(milliseconds: last.load(ordering: .relaxed)) }

    /// The time of the last use, if it must be stored now; otherwise nil. The caller must store it: it counts as stored
    /// from here on.
    func takeUnstored() -> Timestamp? {
        let time = last.load(ordering: .relaxed)
        guard time - stored.load(ordering: .relaxed) >= Self.lag else { return nil }
        stored.store(time, ordering: .relaxed)
        return Timestamp(milliseconds: time)
    }
}
