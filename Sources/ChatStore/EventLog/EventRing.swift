import ChatModel
import DequeModule

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

    init(capacity: Int, head: Int64) {
        self.capacity = capacity
        self.low = head
        self.head = head
        mark = head
    }

    /// Adds the events of one commit, oldest first, and removes the oldest ones beyond the capacity. `head` is the
    /// log's head after the commit.
    mutating func append(_ newEvents: [LogEvent], head: Int64) {
        for event in newEvents {
            events.append(event)
            byteCount += event.byteCount
            for member in event.members { byAudience[member.audience, default: []].append(event) }
        }
        self.head = head
        while byteCount > capacity, let oldest = events.popFirst() { forget(oldest) }
    }

    /// Removes all events, and goes on at this head.
    mutating func restart(at head: Int64) {
        (low, mark, self.head, byteCount) = (head, head, head, 0)
        events = []
        byAudience = [:]
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
        mark = head
    }

    private mutating func forget(_ event: LogEvent) {
        byteCount -= event.byteCount
        low = event.offset ?? low
        for member in event.members {
            byAudience[member.audience]?.removeFirst()
            if byAudience[member.audience]?.isEmpty == true { byAudience[member.audience] = nil }
        }
    }

    /// Removes the events that carry this message's text.
    mutating func scrub(message: Int64) { scrub(messages: [message]) }

    /// Removes the events that carry the text of one of these messages, in one pass. The creation of a thread stays,
    /// without its last message.
    mutating func scrub(messages: Set<Int64>) {
        let carries = { (event: LogEvent) in event.message.map(messages.contains) == true }
        var audiences: Set<Audience> = []
        var remains: [ObjectIdentifier: LogEvent] = [:]
        for event in events where carries(event) {
            byteCount -= event.byteCount
            audiences.formUnion(event.audiences)
            guard let remaining = event.withoutMessage else { continue }
            byteCount += remaining.byteCount
            remains[ObjectIdentifier(event)] = remaining
        }
        guard !audiences.isEmpty else { return }
        func scrub(_ events: inout Deque<LogEvent>) {
            for index in events.indices {
                if let remaining = remains[ObjectIdentifier(events[index])] { events[index] = remaining }
            }
            events.removeAll(where: carries)
        }
        scrub(&events)
        for audience in audiences {
            guard var theirs = byAudience.removeValue(forKey: audience) else { continue }
            scrub(&theirs)
            if !theirs.isEmpty { byAudience[audience] = theirs }
        }
    }

    /// See ``EventFeed/read(_:after:limit:)``.
    func read(_ audiences: [Audience], after offset: Int64, limit: Int) -> RingRead {
        guard offset >= low else { return .behind }
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
            if size + event.byteCount > limit, let last = result.last?.offset { return .events(result, through: last) }
            result.append(event)
            size += event.byteCount
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
}
