import ChatModel
import DequeModule
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
        notifyReceivers([
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
        if isNews { notifyReceivers(events) }
    }

    /// Drops all events in memory. The log goes on at this head, and readers before it read the database. Subscribers are
    /// told of no event, and find that ``restarts`` has grown.
    package func restart(at head: Int64) {
        removalCount.add(1, ordering: .releasing)
        ring.withLock { $0.restart(at: head) }
        restartCount.add(1, ordering: .releasing)
        notifyReceivers([])
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

    private func notifyReceivers(_ events: [LogEvent]) {
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

/// The newest events of the log in memory, shared by all streams. It is bounded in bytes and in time.
///
/// Not thread-safe: ``EventFeed`` keeps it under its lock together with the head, so that a reader sees both from the
/// same moment.
struct EventRing {
    /// The ring has every event of the log with an offset greater than this.
    private(set) var low: Int64
    private(set) var head: Int64
    private(set) var byteCount = 0
    private let capacity: Int
    /// The head when ``forgetOld()`` was called last.
    private var mark: Int64
    private var events: Deque<LogEvent> = []
    /// The same events for each audience, in the order of the log, so that a reader skips nobody else's events.
    private var byAudience: [Audience: Deque<LogEvent>] = [:]
    /// The offsets of the events that carry each message's text. A commit that removes a message waits for its events to
    /// be found, so they are not searched for.
    private var carriers: [Int64: [Int64]] = [:]
    /// Where the log has leapt (``LostOffsets``). Whoever stands in such a range asks the database, which may have given the
    /// offset out.
    private var leaps: [(low: Int64, high: Int64)] = []

    init(capacity: Int, head: Int64) {
        self.capacity = capacity
        self.low = head
        self.head = head
        mark = head
    }

    /// Adds the events of one commit, oldest first, and removes the oldest ones beyond the capacity. `head` is the
    /// log's head after the commit.
    mutating func append(_ newEvents: [LogEvent], head: Int64) {
        assert(head >= self.head, "The head never sinks; a log that goes on elsewhere is restarted.")
        for event in newEvents {
            assert((event.offset ?? .max) > (events.last?.offset ?? low), "Offsets ascend.")
            if let offset = event.offset { noteLeap(to: offset - 1) }
            events.append(event)
            byteCount += event.byteCount
            if let message = event.message, let offset = event.offset { carriers[message, default: []].append(offset) }
            for member in event.members { byAudience[member.audience, default: []].append(event) }
        }
        assert((events.last?.offset ?? head) <= head, "The head is at or after the last event.")
        noteLeap(to: head)
        self.head = head
        while byteCount > capacity, let oldest = events.popFirst() { forget(oldest) }
    }

    /// The log goes on after this offset, without an event since the last one.
    private mutating func noteLeap(to offset: Int64) {
        let last = max(head, events.last?.offset ?? head)
        if offset - last >= LostOffsets.leap { leaps.append((last, offset)) }
    }

    /// Removes all events, and goes on at this head.
    mutating func restart(at head: Int64) {
        leaps = []
        (low, mark, self.head, byteCount) = (head, head, head, 0)
        events = []
        byAudience = [:]
        carriers = [:]
    }

    /// Removes the events that were in the ring at the last call already. Readers farther behind read the database.
    ///
    /// Called at intervals, it frees the memory soon after the last write, also when nothing more is written.
    mutating func forgetOld() {
        while let oldest = events.first, (oldest.offset ?? 0) <= mark {
            events.removeFirst()
            forget(oldest)
        }
        low = max(low, mark)
        leaps.removeAll { $0.high <= low }
        mark = head
    }

    private mutating func forget(_ event: LogEvent) {
        byteCount -= event.byteCount
        assert(byteCount >= 0 && (event.offset ?? low) >= low, "The oldest event goes first, with its own bytes.")
        low = event.offset ?? low
        // The oldest event is the first one of its message, too.
        if let message = event.message {
            carriers[message]?.removeFirst()
            if carriers[message]?.isEmpty == true { carriers[message] = nil }
        }
        for member in event.members {
            assert(byAudience[member.audience]?.first === event, "It is the oldest one of its audiences, too.")
            byAudience[member.audience]?.removeFirst()
            if byAudience[member.audience]?.isEmpty == true { byAudience[member.audience] = nil }
        }
    }

    /// Removes the events that carry this message's text.
    mutating func scrub(message: Int64) { scrub(messages: [message]) }

    /// Removes the events that carry the text of one of these messages, and those with one of these offsets. The creation
    /// of a thread stays, without its last message.
    ///
    /// The work grows with the events that are removed, and not with those of the ring: each of them leaves an empty one
    /// in its place (``LogEvent/isScrubbed``), because to close a gap in the middle would move what stands behind it.
    mutating func scrub(messages: Set<Int64>) {
        for number in messages {
            for offset in carriers.removeValue(forKey: number) ?? [] {
                replace(offset) { $0.withoutMessage ?? $0.scrubbed }
            }
            // A message's number is the offset of an event, and so is that of an event that goes whole.
            if number > low { replace(number) { $0.scrubbed } }
        }
    }

    /// Puts another event of the same offset and audiences in the place of an event, if the ring has it.
    private mutating func replace(_ offset: Int64, _ change: (LogEvent) -> LogEvent) {
        guard let index = events.index(of: offset) else { return }
        let (old, new) = (events[index], change(events[index]))
        events[index] = new
        byteCount += new.byteCount - old.byteCount
        if let message = old.message, new.message == nil, carriers[message] != nil {
            carriers[message]?.removeAll { $0 == offset }
            if carriers[message]?.isEmpty == true { carriers[message] = nil }
        }
        for member in old.members {
            guard let place = byAudience[member.audience]?.index(of: offset) else { continue }
            byAudience[member.audience]?[place] = new
        }
    }

    /// See ``EventFeed/read(_:after:limit:)``.
    func read(_ audiences: [Audience], after offset: Int64, limit: Int) -> RingRead {
        guard offset >= low, !leaps.contains(where: { $0.low < offset && offset < $0.high }) else { return .behind }
        // The database shows a commit just before the ring does: who has replayed it is ahead, and stays there.
        if offset >= head { return .events([], through: offset) }
        var cursors = audiences.compactMap { audience -> (events: Deque<LogEvent>, next: Int)? in
            guard let events = audience == .everyone ? self.events : byAudience[audience] else { return nil }
            let next = events.firstIndex(after: offset)
            return next < events.count ? (events, next) : nil
        }
        var result: [LogEvent] = []
        var size = 0
        // Few audiences: the smallest of their next offsets each time; an event of two audiences comes once.
        while true {
            var least: LogEvent?
            for cursor in cursors where cursor.next < cursor.events.count {
                let event = cursor.events[cursor.next]
                if least == nil || (event.offset ?? 0) < (least?.offset ?? 0) { least = event }
            }
            guard let event = least else { return .events(result, through: head) }
            if !event.isScrubbed, size + event.byteCount > limit, let last = result.last?.offset {
                return .events(result, through: last)
            }
            if !event.isScrubbed {
                result.append(event)
                size += event.byteCount
            }
            for index in cursors.indices
            where cursors[index].next < cursors[index].events.count
                && cursors[index].events[cursors[index].next] === event
            {
                cursors[index].next += 1
            }
        }
    }
}

/// What the ring has for a reader.
public enum RingRead: Sendable {
    /// All matching events up to and including offset `through`, as far as the limit allowed.
    case events([LogEvent], through: Int64)
    /// The position is older than the ring: read the database instead.
    case behind
}

extension Deque<LogEvent> {
    /// The index of the first event after an offset; offsets ascend.
    fileprivate func firstIndex(after offset: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if (self[middle].offset ?? 0) > offset { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The index of the event with an offset; nil if there is none.
    fileprivate func index(of offset: Int64) -> Int? {
        let index = firstIndex(after: offset - 1)
        return index < count && self[index].offset == offset ? index : nil
    }
}
