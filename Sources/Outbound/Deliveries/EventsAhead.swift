import Bounds
import ChatStore
import Formats

/// Events that were read together with others before their own attempts, so that most attempts need no read.
///
/// Nothing of a removed message may go out: the events count only as long as no message was removed since they were
/// read, and for a few seconds: what else is in them, such as a customer's name, may change as well.
struct EventsAhead {
    /// Bytes of events that are kept.
    static let capacity = ByteBound.eventsAhead.bytes

    /// How long events count after they were read.
    static let lifetimeInMilliseconds: Int64 = 5_000

    private var events: [Int64: DeliveryEvent] = [:]
    private var byteCount = 0
    /// ``EventFeed/removals`` before the events were read.
    private var removals = 0
    /// When the oldest of the events were read.
    private var readAt = Timestamp(milliseconds: 0)

    /// Adds what one read has found. What was there before goes when there is no room for both.
    ///
    /// - Parameter removals: ``EventFeed/removals`` before the events were read.
    mutating func add(_ found: [Int64: DeliveryEvent], removals: Int, at now: Timestamp) {
        let size = found.values.reduce(0) { $0 + $1.event.byteCount }
        if removals != self.removals || byteCount + size > Self.capacity || !isFresh(at: now) {
            self = EventsAhead()
            self.removals = removals
            readAt = now
        }
        guard size <= Self.capacity else { return }
        for (offset, event) in found { byteCount += event.event.byteCount - take(offset) }
        events.merge(found) { $1 }
    }

    /// Takes an event out. Nil when it was not read ahead, or does not count any more.
    ///
    /// - Parameter removals: ``EventFeed/removals`` now.
    mutating func event(at offset: Int64, removals: Int, at now: Timestamp) -> DeliveryEvent? {
        guard removals == self.removals, isFresh(at: now) else {
            self = EventsAhead()
            return nil
        }
        let event = events[offset]
        byteCount -= take(offset)
        return event
    }

    private func isFresh(at now: Timestamp) -> Bool {
        (0..<Self.lifetimeInMilliseconds).contains(now.milliseconds - readAt.milliseconds)
    }

    /// Returns the bytes of the event that was there.
    private mutating func take(_ offset: Int64) -> Int { events.removeValue(forKey: offset)?.event.byteCount ?? 0 }
}
