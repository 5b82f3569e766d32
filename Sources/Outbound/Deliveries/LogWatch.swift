import ChatStore
import Synchronization
import Bounds
import Formats

/// Collects news until the engine takes them: for the audiences that are watched, and of sessions that nobody follows any
/// more. It runs on the store's writer, and costs a look at a flag when nobody watches.
final class LogWatch: Sendable {
    struct News {
        var audiences: Set<Audience> = []
        /// Whether there are messages for devices.
        var hasMessages = false
        var left: Set<DeliveryHolder> = []

        var isEmpty: Bool { audiences.isEmpty && !hasMessages && left.isEmpty }
    }

    private struct State {
        var watched: Set<Audience> = []
        var devices: Set<Audience> = []
        var news = News()
        var isTelling = false
    }
    private let state = Mutex(State())
    private let subscription = Mutex<Subscription?>(nil)
    private let tell: @Sendable () -> Void

    /// - Parameter tell: called once for any number of news, until they are taken.
    init(tell: @escaping @Sendable () -> Void) { self.tell = tell }

    func begin(_ feed: EventFeed) {
        let made = feed.subscribe { [weak self] events in self?.addNews(events) }
        subscription.withLock { $0 = made }
    }

    func end() { subscription.withLock { $0?.cancel() } }

    /// - Parameter devices: who is told of messages alone.
    func watch(_ audiences: Set<Audience>, devices: Set<Audience>) {
        state.withLock { ($0.watched, $0.devices) = (audiences, devices) }
    }

    /// What is new since the last call.
    func takeNews() -> News {
        state.withLock { state in
            defer { (state.news, state.isTelling) = (News(), false) }
            return state.news
        }
    }

    /// The holder is done: nothing waits for it any more.
    func left(_ holder: DeliveryHolder) { changeNews { $0.news.left.insert(holder) } }

    private func addNews(_ events: [LogEvent]) {
        changeNews { state in
            guard !state.watched.isEmpty || !state.devices.isEmpty else { return }
            for event in events where event.offset != nil {
                for member in event.members {
                    if state.watched.contains(member.audience) { state.news.audiences.insert(member.audience) }
                    if event.type == .messageCreated, state.devices.contains(member.audience) {
                        state.news.hasMessages = true
                    }
                }
            }
        }
    }

    private func changeNews(_ change: (inout State) -> Void) {
        let isFirst = state.withLock { state in
            change(&state)
            guard !state.news.isEmpty, !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
        if isFirst { tell() }
    }
}

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
        for (offset, event) in found { byteCount += event.event.byteCount - removeEvent(offset) }
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
        byteCount -= removeEvent(offset)
        return event
    }

    private func isFresh(at now: Timestamp) -> Bool {
        (0..<Self.lifetimeInMilliseconds).contains(now.milliseconds - readAt.milliseconds)
    }

    /// Returns the bytes of the event that was there.
    private mutating func removeEvent(_ offset: Int64) -> Int {
        events.removeValue(forKey: offset)?.event.byteCount ?? 0
    }
}
