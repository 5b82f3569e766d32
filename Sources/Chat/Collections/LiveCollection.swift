import Bounds
import ChatModel
import ChatStore
import DequeModule
import Formats
import Synchronization

/// One collection: its view, which the log keeps up to date, and the latest events for its followers. All of it is
/// behind one lock, and may be used on any thread.
public final class LiveCollection: Sendable {
    /// How many events are kept for followers that come back.
    public static let keptEvents = 1000
    /// How many changes may wait while the store is read. When more come, the view is cleared.
    static let waitingLimit = 1000

    public let id: String
    public let owner: CollectionOwner
    /// The thread of a message collection, and at the desk its owner; nil for a thread collection.
    let thread: String?
    let threadOwner: ThreadOwner?
    /// See ``CollectionDefinition/holder``.
    public let holder: String?
    /// New after each restart of the gateway, when the view begins at version 0 again.
    public let incarnation: String
    public let createdAt: Timestamp
    let state: Mutex<State>
    let now: @Sendable () -> Timestamp

    struct State {
        var definition: CollectionDefinition
        /// About what the definition takes, as it was when the collection was made.
        let definitionBytes: Int
        // One of the two; they are changed in place, so that no row is copied.
        var messages: MessageView?
        var threads: ThreadView?
        /// For a collection of replies: the message that they answer, as it is now.
        var parent: CollectionItem?
        var version: Int64 = 0
        var events: Deque<CollectionEvent> = []
        var eventBytes = 0
        /// Counts ``byteCount`` for the collection's holder and the process.
        let memory: ByteCounter
        /// The log's position up to which changes are in the view.
        var applied: Int64 = 0
        /// How many reads of the store are not merged yet. While there are any, changes wait.
        var readings = 0
        var waiting: [LogChange] = []
        var waitingBytes = 0
        /// Grows when the view is cleared. A page that was read before is dropped.
        var generation = 0
        var fetching: Set<FetchDirection> = []
        /// The directions in which the last fetch brought nothing although there is more.
        var standing: Set<FetchDirection> = []
        var isRemoved = false
        /// The service has threads that the store does not have yet.
        var serviceHasMore = false
        var lease: CollectionLease
    }

    /// - Parameters:
    ///   - memory: the counter of its holder.
    ///   - now: the clock by which it counts as unused.
    init(
        record: CollectionRecord, definition: CollectionDefinition, owner: CollectionOwner, incarnation: String,
        memory: ByteCounter, now: @escaping @Sendable () -> Timestamp
    ) {
        id = record.id
        createdAt = record.createdAt
        self.owner = owner
        self.incarnation = incarnation
        self.now = now
        thread = definition.thread
        threadOwner = definition.owner
        holder = definition.holder
        let counter = ByteCounter(limit: memory.limit, within: memory)
        let bytes = record.definition.count
        counter.reserveAnyway(bytes)
        var state = State(
            definition: definition, definitionBytes: bytes, memory: counter, lease: CollectionLease(lastUse: now()))
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

    /// What a follower at some version needs.
    public enum Backlog: Sendable {
        case events([CollectionEvent])
        /// The events after that version are not kept any more, or the version is ahead of the collection: the follower
        /// needs a snapshot. The value is the version of now.
        case lost(Int64)
        /// The collection was removed.
        case removed
    }

    /// The events after a version, oldest first, at most `limit`. Call again with the last one's version for more.
    public func events(after version: Int64, limit: Int = 256) -> Backlog {
        state.withLock { state in
            if state.isRemoved { return .removed }
            let missing = state.version - version
            guard missing >= 0, missing <= Int64(state.events.count) else { return .lost(state.version) }
            let start = state.events.count - Int(missing)
            return .events(Array(state.events[start..<min(state.events.count, start + limit)]))
        }
    }

    /// Applies a change of the log, or lets it wait. Returns whether the view has new events.
    ///
    /// - Parameter completeness: of the thread's rows. It must be read after the change was committed.
    func applyChange(_ change: LogChange, _ completeness: HistoryCompleteness) -> Bool {
        state.withLock { state in
            if state.isRemoved || change.offset <= state.applied { return false }
            if state.readings > 0 { return state.wait(change) }
            return state.apply(change, completeness)
        }
    }

    func withLease<T>(_ body: (inout CollectionLease, Timestamp) -> T) -> T {
        state.withLock { body(&$0.lease, now()) }
    }

    /// Changes the view for a reason outside of the log. Returns whether it has new events; false for a removed
    /// collection.
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
        return (threads.hasNext || serviceHasMore) && !threads.isFull
    }

    /// Lets a change wait until the store was read. Returns whether the view has new events: it is cleared when too
    /// many changes wait.
    mutating func wait(_ change: LogChange) -> Bool {
        waiting.append(change)
        waitingBytes += change.byteCount
        guard waiting.count > LiveCollection.waitingLimit || waitingBytes > ByteBound.waitingChanges.bytes else {
            return false
        }
        (waiting, waitingBytes) = ([], 0)
        applied = change.offset
        var changes: [CollectionChange] = []
        clear(&changes)
        return append(changes)
    }

    /// Applies waiting changes up to a position of the log; nil applies all. Returns whether the view has new events.
    mutating func applyWaiting(through offset: Int64?, _ completeness: HistoryCompleteness) -> Bool {
        let count = offset.map { offset in waiting.firstIndex { $0.offset > offset } ?? waiting.count } ?? waiting.count
        let due = waiting.prefix(count)
        waiting.removeFirst(count)
        waitingBytes -= due.reduce(0) { $0 + $1.byteCount }
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
        case .threadRemoved(let name):
            threads?.remove(name, into: &changes)
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

    mutating func clear(_ changes: inout [CollectionChange]) {
        generation += 1
        serviceHasMore = false
        messages?.clear(into: &changes)
        threads?.clear(into: &changes)
    }
}

/// How much memory a collection takes: its definition, its rows, and the events that it keeps for followers.
extension LiveCollection.State {
    /// About how many bytes its definition, items and events take. Events share items with rows, and are counted in full: rows may
    /// leave before their events do.
    var byteCount: Int { definitionBytes + rowBytes + eventBytes }

    private var rowBytes: Int {
        (messages?.byteCount ?? threads?.rows.byteCount ?? 0) + (parent?.byteCount ?? 0)
    }

    /// Gives changes their versions and keeps them for followers. At the bounds the oldest events leave, then rows at
    /// the far end. Returns whether there were any changes.
    mutating func append(_ changes: [CollectionChange]) -> Bool {
        record(changes)
        let surplus = rowBytes - ByteBound.collectionRows.bytes
        if surplus > 0 { _ = shrink(by: surplus) }
        while !memory.hold(exactly: byteCount) {
            // A row leaves with an event of its own, which is small.
            let missing = byteCount - memory.used - memory.room
            guard forgetOldestEvent() || shrink(by: max(missing, Self.least)) else {
                // The newest event and what is not sent yet stay in any case.
                memory.reserveAnyway(byteCount - memory.used)
                break
            }
        }
        return !changes.isEmpty
    }

    /// Whether there is room for the first page of a view, and for the event that tells of it.
    var hasRoomForPage: Bool { isOpen || memory.room >= 2 * ByteBound.page.bytes }

    /// In bytes, what leaves at least where the holder or the process has no room: so it does not leave row by row.
    private static let least = 64 << 10

    private mutating func record(_ changes: [CollectionChange]) {
        for change in changes {
            version += 1
            events.append(CollectionEvent(version: version, change: change))
            eventBytes += change.byteCount
        }
        while events.count > LiveCollection.keptEvents || eventBytes > ByteBound.collectionEvents.bytes {
            guard forgetOldestEvent() else { return }
        }
    }

    /// The newest event stays. Returns whether there was another.
    private mutating func forgetOldestEvent() -> Bool {
        guard events.count > 1 else { return false }
        eventBytes -= events.removeFirst().change.byteCount
        return true
    }

    /// Lets rows at the far end leave. Returns whether any have left.
    private mutating func shrink(by bytes: Int) -> Bool {
        var changes: [CollectionChange] = []
        let hasLeft = messages?.shrink(by: bytes, into: &changes) ?? threads?.shrink(by: bytes, into: &changes) ?? false
        record(changes)
        return hasLeft
    }
}
