import ChatStore

/// Events that were read together with others before their own attempts, so that most attempts need no read.
///
/// Nothing of a removed message may go out: the events count only as long as no message was removed since they were
/// read.
struct EventsAhead {
    /// Bytes of events that are kept.
    static let capacity = 4 << 20

    private var events: [Int64: DeliveryEvent] = [:]
    private var byteCount = 0
    /// ``EventFeed/removals`` before the events were read.
    private var removals = 0

    /// Adds what one read has found. What was there before goes when there is no room for both.
    ///
    /// - Parameter removals: ``EventFeed/removals`` before the events were read.
    mutating func add(_ found: [Int64: DeliveryEvent], removals: Int) {
        let size = found.values.reduce(0) { $0 + $1.event.byteCount }
        if removals != self.removals || byteCount + size > Self.capacity {
            self = EventsAhead()
            self.removals = removals
        }
        guard size <= Self.capacity else { return }
        byteCount += size
        events.merge(found) { $1 }
    }

    /// - Parameter removals: ``EventFeed/removals`` now.
    func event(at offset: Int64, removals: Int) -> DeliveryEvent? { removals == self.removals ? events[offset] : nil }
}
