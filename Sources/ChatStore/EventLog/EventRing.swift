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
