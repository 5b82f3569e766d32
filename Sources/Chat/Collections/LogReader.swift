import Bounds
import ChatModel
import ChatStore
import Formats
import Synchronization

/// Reads the log for the collections, or for the notifications. It takes events from the writer's thread into an inbox,
/// and handles them in a task, in the order of the log, one batch at a time. The handler may wait, for example for the
/// store: later events wait in the inbox.
final class LogReader: Sendable {
    /// Called with events in the order of the log. Nil says that events were dropped, because more waited than the
    /// inbox may hold.
    typealias Handler = @Sendable ([LogEvent]?) async -> Void

    private struct Inbox {
        var events: [LogEvent] = []
        var byteCount = 0
        var head: Int64 = 0
        var isOverrun = false
        /// ``EventFeed/restarts`` as of the last events.
        var restarts = 0
        var isDraining = false
        /// Everything up to here was handled.
        var reached: Int64 = 0
        /// Who waits for an offset to be reached.
        var waiting: [(offset: Int64, reached: Answer<Void>)] = []
    }

    private let inbox = Mutex(Inbox())
    private let subscription = Mutex<Subscription?>(nil)
    private let capacity: Int
    private let clock: any Clock<Duration>
    private let patience: Duration

    /// - Parameters:
    ///   - capacity: how many bytes of events may wait.
    ///   - patience: how long ``reach(_:)`` waits.
    ///   - isWanted: whether an event concerns this reader. It runs on the writer's thread, so it must be quick.
    init(
        _ feed: EventFeed, capacity: Int = ByteBound.inbox.bytes, clock: any Clock<Duration> = ContinuousClock(),
        patience: Duration = .seconds(10), isWanted: @escaping @Sendable (LogEvent) -> Bool,
        handler: @escaping Handler
    ) {
        self.capacity = capacity
        self.clock = clock
        self.patience = patience
        let made = feed.subscribe { [weak self, weak feed] events in
            guard let self, let feed else { return }
            receive(events, head: feed.head, restarts: feed.restarts, isWanted, handler)
        }
        subscription.withLock { $0 = made }
        let (head, restarts) = (feed.head, feed.restarts)
        inbox.withLock { inbox in
            inbox.head = max(inbox.head, head)
            inbox.restarts = max(inbox.restarts, restarts)
            if !inbox.isDraining { inbox.reached = inbox.head }
        }
    }

    deinit { subscription.withLock { $0 }?.cancel() }

    private func receive(
        _ events: [LogEvent], head: Int64, restarts: Int, _ isWanted: (LogEvent) -> Bool, _ handler: @escaping Handler
    ) {
        // An ephemeral event comes on any thread, when the head's own events may still be on their way here.
        guard events.isEmpty || events.contains(where: { $0.offset != nil }) else { return }
        let starts = inbox.withLock { inbox in
            for event in events where event.offset != nil && !inbox.isOverrun && isWanted(event) {
                inbox.events.append(event)
                inbox.byteCount += event.byteCount
            }
            // After a restart of the log, events are missing that were never told.
            let isWhole = restarts == inbox.restarts
            inbox.restarts = restarts
            if inbox.byteCount > capacity || !isWhole {
                inbox.isOverrun = true
                (inbox.events, inbox.byteCount) = ([], 0)
            }
            // Not the last event's offset: history may have moved the log's head without one.
            inbox.head = max(inbox.head, head)
            if inbox.isDraining { return false }
            // Nothing to handle, and nobody waits: most commits concern no collection.
            if inbox.events.isEmpty, !inbox.isOverrun, inbox.waiting.isEmpty {
                inbox.reached = inbox.head
                return false
            }
            inbox.isDraining = true
            return true
        }
        if starts { Task { [weak self] in await self?.drain(handler) } }
    }

    private func drain(_ handler: Handler) async {
        while true {
            let next = inbox.withLock { inbox -> (events: [LogEvent]?, head: Int64) in
                defer { (inbox.events, inbox.byteCount, inbox.isOverrun) = ([], 0, false) }
                return (inbox.isOverrun ? nil : inbox.events, inbox.head)
            }
            if next.events?.isEmpty != true { await handler(next.events) }
            let (due, isDone) = inbox.withLock { inbox in
                inbox.reached = next.head
                let due = inbox.waiting.filter { $0.offset <= next.head }
                inbox.waiting.removeAll { $0.offset <= next.head }
                inbox.isDraining = inbox.head > next.head || inbox.isOverrun
                return (due, !inbox.isDraining)
            }
            for one in due { one.reached.resolve(()) }
            if isDone { return }
            await Task.yield()
        }
    }

    /// Waits until all events up to an offset were handled, for ``patience`` at most. The offset must have been
    /// committed, otherwise nothing may ever reach it. Returns whether it was reached.
    @discardableResult
    func reach(_ offset: Int64) async -> Bool {
        let awaited = inbox.withLock { inbox -> Answer<Void>? in
            guard inbox.reached < offset else { return nil }
            let reached = Answer<Void>()
            inbox.waiting.append((offset, reached))
            return reached
        }
        guard let awaited else { return true }
        if await awaited.value(within: patience, on: clock) != nil { return true }
        inbox.withLock { $0.waiting.removeAll { $0.reached === awaited } }
        return false
    }
}

/// An event of the log, decoded once for all collections that it concerns.
struct LogChange: Sendable {
    enum Kind: Sendable {
        case message(MessageFact, isNew: Bool)
        case messageRemoved(String, reason: String?)
        /// Messages that were created up to this time are hidden from the account, or removed for all.
        case historyReset(Timestamp)
        case replyInfo(ReplyInfoChange)
        /// A thread, as one account or the desk sees it.
        case thread(ThreadFact)
        case threadRemoved(CollectionItem.Name)
    }

    let offset: Int64
    let kind: Kind

    /// About how many bytes of memory it takes.
    var byteCount: Int {
        switch kind {
        // The message or thread is there as JSON, and decoded.
        case .message(let fact, _): 2 * fact.item.byteCount
        case .thread(let fact): 2 * fact.item.byteCount
        case .messageRemoved, .historyReset, .replyInfo, .threadRemoved: 256
        }
    }
}

/// A change of what a parent message says about its replies. The parent's item is encoded once for all collections that
/// show it, so this is an object that remembers the result.
final class ReplyInfoChange: Sendable {
    let parentID: String
    private let info: ReplyInfo
    private let known = Mutex<[(old: CollectionItem, new: CollectionItem?)]>([])

    init(parentID: String, info: ReplyInfo) {
        self.parentID = parentID
        self.info = info
    }

    /// The item with the new reply info; nil if it has this info already, or a newer one.
    func replacing(_ item: CollectionItem) -> CollectionItem? {
        known.withLock { known in
            if let found = known.first(where: { $0.old === item || $0.old.json == item.json }) { return found.new }
            let new = rewrite(item)
            known.append((item, new))
            return new
        }
    }

    private func rewrite(_ item: CollectionItem) -> CollectionItem? {
        guard var message = try? Message(canonicalJSON: item.json) else { return nil }
        if let old = message.replyInfo, old.updatedAt > info.updatedAt { return nil }
        message.replyInfo = info
        let json = message.canonicalJSON
        return json == item.json ? nil : CollectionItem(id: item.id, json: json)
    }
}

extension LogEvent {
    /// The id of the event's thread, read from the beginning of its JSON without parsing the rest. Nil when the JSON
    /// begins with another member.
    var threadIDOfMessageEvent: String? {
        let prefix = Array("{\"threadId\":\"".utf8)
        guard data.starts(with: prefix) else { return nil }
        var end = prefix.count
        while end < data.count, data[end] != UInt8(ascii: "\"") {
            if data[end] == UInt8(ascii: "\\") { return (try? JSONParser.parse(data))?["threadId"]?.string }
            end += 1
        }
        return String(decoding: data[prefix.count..<end], as: UTF8.self)
    }

    /// What happened to the thread's messages; nil for other events, and for ephemeral ones.
    func messageChange() throws -> LogChange? {
        guard let offset else { return nil }
        switch type {
        case .messageCreated, .messageUpdated:
            guard let start = data.firstRange(of: Array("\"message\":".utf8))?.upperBound else { return nil }
            // A `message.created` has no reason; reading it as an update is the same.
            let json = try JSONParser.parse(data)
            let event = try MessageUpdatedEvent(json: json)
            let message = event.message.value
            // The message is the last member, or a reason follows it.
            let bytes = json["reason"] == nil ? Array(data[start..<data.count - 1]) : event.message.bytes
            let fact = MessageFact(
                position: MessagePosition(createdAt: message.createdAt.milliseconds, number: self.message ?? offset),
                message: message,
                item: CollectionItem(id: message.id, json: bytes), reason: event.reason?.rawValue)
            return LogChange(offset: offset, kind: .message(fact, isNew: type == .messageCreated))
        case .messageRemoved:
            let event = try MessageRemovedEvent(canonicalJSON: data)
            return LogChange(offset: offset, kind: .messageRemoved(event.messageID, reason: event.reason?.rawValue))
        case .threadInfo:
            let event = try ThreadInfoEvent(canonicalJSON: data)
            let change = ReplyInfoChange(parentID: event.parentID, info: event.replyInfo)
            return LogChange(offset: offset, kind: .replyInfo(change))
        default: return nil
        }
    }

    /// The thread of this event as an account or the desk sees it; nil for ephemeral events.
    func threadChange(_ thread: ChatThread, for audience: Audience) throws -> LogChange? {
        guard let offset, let start = rangeOfThread?.lowerBound else { return nil }
        let data = data(for: audience)
        let item = CollectionItem(
            id: thread.id, owner: audience == .desk ? owner : nil, json: Array(data[start..<data.count - 1]))
        let membership = audience == .desk ? nil : membership(of: audience)
        let team = audience == .desk && !team.isEmpty ? try ThreadTeam(members: team) : ThreadTeam()
        return LogChange(
            offset: offset,
            kind: .thread(ThreadFact(thread: thread, membership: membership, team: team, item: item)))
    }

    /// Up to which time the thread's history is hidden from this audience; nil if none of it is.
    func historyChange(_ thread: ChatThread, for audience: Audience) -> LogChange? {
        let lines = [thread.historyResetAt, membership(of: audience).historyResetAt].compactMap { $0 }
        guard let offset, let line = lines.max() else { return nil }
        return LogChange(offset: offset, kind: .historyReset(line))
    }

    /// Whether the event may carry a history reset. Most do not, and then the thread need not be decoded for it.
    var mayTellHistoryReset: Bool {
        members.contains { $0.membership?.historyResetAt != nil }
            || data.firstRange(of: Array("\"historyResetAt\":".utf8)) != nil
    }

    private func membership(of audience: Audience) -> Membership {
        members.first { $0.audience == audience }?.membership ?? Membership(unreadCount: 0)
    }

    /// The thread that a `thread.created` or `thread.updated` carries.
    func decodedThread() throws -> ChatThread { try ThreadUpdatedEvent(canonicalJSON: data).thread.value }
}
