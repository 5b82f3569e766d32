import ChatModel
import Synchronization

/// Where everybody watches what changed: the log's ring, and who is told of new events.
///
/// ```swift
/// func follow(_ feed: EventFeed) {
///     switch feed.read([.everyone], after: feed.floor, limit: 1 << 16) {
///     case .events(let events, let through): print(events.count, "events up to", through)
///     case .behind: print("read the database instead: ChatStore.replay")
///     }
/// }
/// ```
public final class EventFeed: Sendable {
    /// One incarnation of the log; made with the database.
    public let epoch: String
    private let ring: Mutex<EventRing>
    private let lowest: Mutex<Int64>
    private let receivers = Mutex<[(id: Int, receive: @Sendable ([LogEvent]) -> Void)]>([])
    private let nextID = Atomic<Int>(0)
    private let removalCount = Atomic<Int>(0)
    private let restartCount = Atomic<Int>(0)

    package init(epoch: String, head: Int64, floor: Int64, capacity: Int) {
        self.epoch = epoch
        ring = Mutex(EventRing(capacity: capacity, head: head))
        lowest = Mutex(floor)
    }

    /// The offset of the last committed event.
    public var head: Int64 { ring.withLock { $0.head } }

    /// A cursor below has expired: the events after it are no longer all there.
    public var floor: Int64 { lowest.withLock { $0 } }

    public var ringByteCount: Int { ring.withLock { $0.byteCount } }

    /// Counts the commits that took a removed message's text out of the log. Whoever keeps what was read before the
    /// last one must not show it any more.
    public var removals: Int { removalCount.load(ordering: .acquiring) }

    /// Counts the times that the log went on without telling all events up to its head (``restart(at:)``). Whoever has
    /// followed it must read on from its own position, which may have expired.
    public var restarts: Int { restartCount.load(ordering: .acquiring) }

    public var headCursor: Cursor { Cursor(epoch: epoch, offset: head) }

    /// Calls `receiver` with the events of each commit, in the order of the log, and with ephemeral ones; with none
    /// when a commit moved ``head`` without an event, as old history of a remote service does.
    ///
    /// It runs on the thread that committed, after the commit and before anyone is
    /// answered, so it must be quick, and must not call back into the store.
    public func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> Subscription {
        let id = nextID.add(1, ordering: .relaxed).newValue
        receivers.withLock { $0.append((id, receiver)) }
        return Subscription { [weak self] in self?.receivers.withLock { $0.removeAll { $0.id == id } } }
    }

    /// How many listen now.
    package var subscriberCount: Int { receivers.withLock { $0.count } }

    /// Tells of something that is live only: typing, connection state, soft errors.
    ///
    /// - Parameter owner: of the conversation that it is about.
    public func publish<Event: FeedEvent>(_ event: Event, to audiences: [Audience], owner: ThreadOwner? = nil) {
        tell([
            LogEvent(
                cursor: nil, type: Event.type, data: event.data, members: audiences.map { AudienceMember($0) },
                owner: owner)
        ])
    }

    /// The events for these audiences after an offset, from memory.
    ///
    /// - Parameter limit: bytes; at least one event is returned if there is one.
    public func read(_ audiences: [Audience], after offset: Int64, limit: Int) -> RingRead {
        ring.withLock { $0.read(audiences, after: offset, limit: limit) }
    }

    /// Publishes what a commit logged. By one thread at a time, in the order of the commits.
    package func append(_ events: [LogEvent], head: Int64, scrubbed: [Int64]) {
        if !scrubbed.isEmpty { removalCount.add(1, ordering: .releasing) }
        let isNews = ring.withLock { ring in
            let isNews = !events.isEmpty || head != ring.head
            guard isNews || !scrubbed.isEmpty else { return false }
            ring.append(events, head: head)
            if !scrubbed.isEmpty { ring.scrub(messages: Set(scrubbed)) }
            return isNews
        }
        if isNews { tell(events) }
    }

    /// Drops all events in memory. The log goes on at this head, and readers before it read the database. Subscribers are
    /// told of no event, and find that ``restarts`` has grown.
    package func restart(at head: Int64) {
        removalCount.add(1, ordering: .releasing)
        ring.withLock { $0.restart(at: head) }
        restartCount.add(1, ordering: .releasing)
        tell([])
    }

    /// Drops the events that were in memory at the last call already.
    func forgetOld() { ring.withLock { $0.forgetOld() } }

    /// Drops all events in memory. Readers that have not read them read the database.
    func forgetAll() {
        ring.withLock { ring in
            ring.forgetOld()
            ring.forgetOld()
        }
    }

    /// Cursors below have expired. The floor never sinks.
    package func raiseFloor(to floor: Int64) { lowest.withLock { $0 = max($0, floor) } }

    private func tell(_ events: [LogEvent]) {
        for receiver in receivers.withLock({ $0 }) { receiver.receive(events) }
    }
}

/// Keeps a receiver subscribed until it is cancelled.
public final class Subscription: Sendable {
    private let onCancel: @Sendable () -> Void

    init(_ onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// The receiver may still be called by a commit that has begun.
    public func cancel() { onCancel() }
}
