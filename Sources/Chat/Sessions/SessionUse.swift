import ChatModel
import ChatStore
import Formats
import Synchronization

/// The time as it was at the last ``tick(_:)``: what is noted for each request costs no system call.
public final class CoarseClock: Sendable {
    private let milliseconds: Atomic<Int64>

    init(_ now: Timestamp) { milliseconds = Atomic(now.milliseconds) }

    /// To be called about once a minute.
    public func tick(_ now: Timestamp) { milliseconds.store(now.milliseconds, ordering: .relaxed) }

    var now: Int64 { milliseconds.load(ordering: .relaxed) }
}

/// When a session was used last. Every request notes it in memory; the store learns it about once an hour.
final class SessionUse: Sendable {
    private let clock: CoarseClock
    private let last: Atomic<Int64>
    private let stored: Atomic<Int64>

    /// How much the store may lag behind, in milliseconds.
    private static let lag: Int64 = 3_600_000

    init(_ record: SessionRecord, clock: CoarseClock) {
        self.clock = clock
        last = Atomic(record.lastUsedAt.milliseconds)
        stored = Atomic(record.lastUsedAt.milliseconds)
    }

    /// A session is never used before it was made, although the coarse clock may still be there.
    func note() {
        let now = clock.now
        if now > last.load(ordering: .relaxed) { last.store(now, ordering: .relaxed) }
    }

    var time: Timestamp { Timestamp(milliseconds: last.load(ordering: .relaxed)) }

    /// The time, if the store should learn it; that it does is noted.
    func takeUnstored() -> Timestamp? {
        let time = last.load(ordering: .relaxed)
        guard time - stored.load(ordering: .relaxed) >= Self.lag else { return nil }
        stored.store(time, ordering: .relaxed)
        return Timestamp(milliseconds: time)
    }
}
