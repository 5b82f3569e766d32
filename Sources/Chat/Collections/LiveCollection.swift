import ChatModel
import ChatStore
import DequeModule
import Formats
import Synchronization

/// One collection of a session or of the desk: its view, kept true by the log, and the events that its followers have yet to get.
public final class LiveCollection: Sendable {
    /// Events that are kept for followers who come back.
    public static let keptEvents = 1000
    /// Bytes of them. The newest is kept in any case.
    public static let keptBytes = 4 << 20
    /// Changes that wait while the store is read; when there are more the view begins anew.
    static let waitingLimit = 1000

    public let id: String
    public let owner: CollectionOwner
    /// Of a message collection: the thread whose messages it shows, and whose that is at the desk.
    let thread: String?
    let threadOwner: ThreadOwner?
    /// See ``CollectionDefinition/holder``.
    public let holder: String?
    /// New whenever a view begins at version 0 anew, after a restart.
    public let incarnation: String
    public let createdAt: Timestamp
    let state: Mutex<State>
    let now: @Sendable () -> Timestamp

    struct State {
        var definition: CollectionDefinition
        // One of the two; they are changed in place, so that no row is copied.
        var messages: MessageView?
        var threads: ThreadView?
        /// Of a reply collection: the message that is replied to, as it is now.
        var parent: CollectionItem?
        var version: Int64 = 0
        var events: Deque<CollectionEvent> = []
        var eventBytes = 0
        /// The changes of the log up to here are in the view.
        var applied: Int64 = 0
        /// Readings of the store that have not been merged: meanwhile changes wait.
        var readings = 0
        var waiting: [LogChange] = []
        /// Grows when the view begins anew: what was read before is not merged.
        var generation = 0
        var fetching: Set<FetchDirection> = []
        /// Where the last fetch brought nothing, though there is more.
        var standing: Set<FetchDirection> = []
        var isRemoved = false
        /// The service has threads that the store does not have yet.
        var serviceHasMore = false
        var lease: Lease
    }

    /// - Parameter now: the clock by which it counts as unused.
    init(
        record: CollectionRecord, definition: CollectionDefinition, owner: CollectionOwner, incarnation: String,
        now: @escaping @Sendable () -> Timestamp
    ) {
        id = record.id
        createdAt = record.createdAt
        self.owner = owner
        self.incarnation = incarnation
        self.now = now
        thread = definition.thread
        threadOwner = definition.owner
        holder = definition.holder
        var state = State(definition: definition, lease: Lease(lastUse: now()))
        switch definition.kind {
        case .threads(let query): state.threads = ThreadView(query: query, capacity: definition.capacity)
        case .messages(_, let filter, let viewpoint):
            state.messages = MessageView(filter: filter, viewpoint: viewpoint, capacity: definition.capacity)
        }
        self.state = Mutex(state)
    }

    public var definition: CollectionDefinition { state.withLock { $0.definition } }
    public var version: Int64 { state.withLock { $0.version } }
    public var isRemoved: Bool { state.withLock { $0.isRemoved } }
    var audience: Audience { owner.audience }

    /// What followers behind a version have to get.
    public enum Backlog: Sendable {
        case events([CollectionEvent])
        /// The version is ahead, or what followed it is no longer kept: a snapshot is needed. The version of now.
        case lost(Int64)
        /// The collection was removed.
        case removed
    }

    /// The events after a version, at most so many.
    public func events(after version: Int64, limit: Int = 256) -> Backlog {
        state.withLock { state in
            if state.isRemoved { return .removed }
            let missing = state.version - version
            guard missing >= 0, missing <= Int64(state.events.count) else { return .lost(state.version) }
            let start = state.events.count - Int(missing)
            return .events(Array(state.events[start..<min(state.events.count, start + limit)]))
        }
    }

    /// Takes a change of the log. Returns whether the view changed by it.
    ///
    /// - Parameter completeness: of the thread's rows; read after the change.
    func take(_ change: LogChange, _ completeness: HistoryCompleteness) -> Bool {
        state.withLock { state in
            if state.isRemoved || change.offset <= state.applied { return false }
            if state.readings > 0 { return state.wait(change) }
            return state.apply(change, completeness)
        }
    }

    /// Reads or changes how long it is kept.
    func withLease<T>(_ body: (inout Lease, Timestamp) -> T) -> T {
        state.withLock { body(&$0.lease, now()) }
    }

    /// Changes the view from outside the log. Returns whether it changed.
    func change(_ body: (inout State, inout [CollectionChange]) -> Void) -> Bool {
        state.withLock { state in
            if state.isRemoved { return false }
            var changes: [CollectionChange] = []
            body(&state, &changes)
            return state.append(changes)
        }
    }
}

extension LiveCollection.State {
    var isOpen: Bool { messages?.isOpen ?? threads?.isOpen ?? false }

    /// Whether a fetch in this direction may bring more.
    func hasMore(_ direction: FetchDirection) -> Bool {
        if let messages { return direction == .previous ? messages.hasPrevious : messages.hasNext }
        guard let threads, direction == .next else { return false }
        return (threads.hasNext || serviceHasMore) && threads.rows.count < threads.capacity
    }

    /// A change waits until what is being read was merged. Returns whether the view changed: it begins anew when too much waits.
    mutating func wait(_ change: LogChange) -> Bool {
        waiting.append(change)
        guard waiting.count > LiveCollection.waitingLimit else { return false }
        waiting = []
        applied = change.offset
        var changes: [CollectionChange] = []
        clear(&changes)
        return append(changes)
    }

    /// Applies the changes that waited, as far as a reading went; nil for all.
    mutating func applyWaiting(through offset: Int64?, _ completeness: HistoryCompleteness) -> Bool {
        let count = offset.map { offset in waiting.firstIndex { $0.offset > offset } ?? waiting.count } ?? waiting.count
        let due = waiting.prefix(count)
        waiting.removeFirst(count)
        var hasChanged = false
        for change in due { hasChanged = apply(change, completeness) || hasChanged }
        return hasChanged
    }

    mutating func apply(_ change: LogChange, _ completeness: HistoryCompleteness) -> Bool {
        guard change.offset > applied else { return false }
        applied = change.offset
        var changes: [CollectionChange] = []
        let parentID = messages?.filter.parentID
        switch change.kind {
        case .message(let fact, let isNew):
            let newest = messages?.rows.last?.position ?? .start
            messages?.apply(fact, isNew: isNew, isAdjacent: { completeness.joins(newest, $0) }, into: &changes)
            if fact.item.id == parentID { replaceParent(fact.item, &changes) }
        case .messageRemoved(let id, let reason):
            messages?.remove(id, reason: reason, into: &changes)
            if id == parentID { removeParent(id, &changes) }
            redact { $0.id == id }
        case .historyReset(let line):
            messages?.removeHistory(through: line, into: &changes)
            if let id = parentID, let parent, parent.isBefore(line) { removeParent(id, &changes) }
            redact { $0.isBefore(line) }
        case .replyInfo(let info):
            messages?.replaceItem(info.parentID, info.replacing, into: &changes)
            if info.parentID == parentID, let item = parent.flatMap(info.replacing) { replaceParent(item, &changes) }
        case .thread(let fact): threads?.apply(fact, into: &changes)
        case .threadRemoved(let id):
            threads?.remove(CollectionItem.Name(id: id), into: &changes)
            if messages != nil { messages?.clear(into: &changes) }
        }
        return append(changes)
    }

    private mutating func removeParent(_ id: String, _ changes: inout [CollectionChange]) {
        guard parent != nil else { return }
        parent = nil
        if isOpen { changes.append(.parentRemoved(id)) }
    }

    private mutating func replaceParent(_ item: CollectionItem, _ changes: inout [CollectionChange]) {
        guard item.json != parent?.json else { return }
        parent = item
        if isOpen { changes.append(.parentUpdated(item)) }
    }

    /// Gives the changes their versions. Returns whether there were any.
    mutating func append(_ changes: [CollectionChange]) -> Bool {
        for change in changes {
            version += 1
            events.append(CollectionEvent(version: version, change: change))
            eventBytes += change.byteCount
        }
        while events.count > LiveCollection.keptEvents || eventBytes > LiveCollection.keptBytes && events.count > 1 {
            eventBytes -= events.removeFirst().change.byteCount
        }
        return !changes.isEmpty
    }

    mutating func clear(_ changes: inout [CollectionChange]) {
        generation += 1
        serviceHasMore = false
        messages?.clear(into: &changes)
        threads?.clear(into: &changes)
    }
}
