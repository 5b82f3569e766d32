import ChatModel
import ChatStore
import Formats

/// What a fetch reads from the store. It is made under the view's lock, at the moment from which the view's changes
/// wait, and used after it without the lock.
protocol StoreReading: Sendable {
    associatedtype Page: Sendable

    /// The stretch in which the rows have no holes; asked before the store is read.
    func bound(_ collections: Collections) async throws(ChatError) -> HistoryExtent
    func read(_ transaction: ReadTransaction, within extent: HistoryExtent) throws -> Page
}

/// A page of messages.
struct MessageReading: StoreReading {
    let audience: Audience
    let thread: String
    let owner: ThreadOwner?
    let filter: MessageFilter
    let limit: Int
    let direction: FetchDirection
    let isFirst: Bool
    let low: MessagePosition
    let high: MessagePosition

    struct Page: Sendable {
        var thread: Int64
        var slice: MessageSlice
        /// The direction that was read. A first fetch of `next` reads `previous` when nothing is newer than the
        /// viewpoint.
        var direction: FetchDirection
        /// Whether there are more messages on the viewpoint's other side.
        var beyond: Bool
        var parent: CollectionItem?
        var unsent: [MessageFact]
        /// The page ended at a hole before it was full: the service may bring more.
        var isShort: Bool
        var edge: MessagePosition
        var extent: HistoryExtent
        var waitDirection: FetchDirection { direction }
    }

    init(collection: LiveCollection, definition: CollectionDefinition, view: MessageView, direction: FetchDirection) {
        audience = collection.audience
        thread = definition.thread ?? ""
        owner = definition.owner
        filter = view.filter
        limit = definition.limit
        self.direction = direction
        isFirst = !view.isOpen
        low = view.low
        high = view.high
    }

    func isStillTrue(for view: MessageView) -> Bool {
        view.isOpen != isFirst
            && (direction == .previous ? view.low == low : view.high == high && (isFirst || view.hasNext))
    }

    func bound(_ collections: Collections) async throws(ChatError) -> HistoryExtent {
        do {
            let histories = try await collections.histories(of: audience)
            return try await histories.messages.completeness(of: thread).extent(direction == .previous ? low : high)
        } catch {
            throw ChatError.unreadable(error)
        }
    }

    func read(_ transaction: ReadTransaction, within extent: HistoryExtent) throws -> Page {
        guard let record = try transaction.thread(thread, of: audience, owner: owner) else {
            throw ChatError.unknownThread(thread)
        }
        var beyond = false
        var direction = direction
        if isFirst {
            let hasNewer =
                try extent.high != nil
                || !transaction.messages(of: record, filter, after: high, bound: nil, limit: 1).rows.isEmpty
            let hasOlder =
                try extent.low != nil
                || !transaction.messages(of: record, filter, upTo: low, bound: nil, limit: 1).rows.isEmpty
            // Nothing beyond the viewpoint: either direction gives the page that ends at the newest message (3.3).
            if direction == .next, !hasNewer { direction = .previous }
            beyond = direction == .previous ? hasNewer : hasOlder
        }
        let end = direction == .previous ? extent.low : extent.high
        // Live rows may stand beyond the hole at which a place without end is answered.
        let top = isFirst ? extent.high.map { min($0, low) } ?? low : low
        let rows =
            direction == .previous
            ? try transaction.messages(of: record, filter, upTo: top, bound: end, limit: limit)
            : try transaction.messages(of: record, filter, after: high, bound: end, limit: limit)
        return Page(
            thread: record.number,
            slice: MessageSlice(messages: rows.rows, hasMore: rows.hasMore || end != nil),
            direction: direction, beyond: beyond, parent: try transaction.parent(of: filter, in: record),
            unsent: isFirst ? try transaction.unsent(of: audience, thread: thread) : [],
            isShort: rows.rows.count < limit && !rows.hasMore && end != nil,
            edge: end ?? (direction == .previous ? low : high),
            extent: extent)
    }
}

/// A page of threads.
struct ThreadReading: StoreReading {
    let audience: Audience
    let query: ThreadQuery
    let edge: ThreadKey
    let limit: Int

    init(audience: Audience, limit: Int, view: ThreadView) {
        self.audience = audience
        self.limit = limit
        query = view.query
        edge = view.edge
    }

    func bound(_ collections: Collections) throws(ChatError) -> HistoryExtent { HistoryExtent() }

    func read(_ transaction: ReadTransaction, within extent: HistoryExtent) throws -> ThreadSlice {
        let found = try transaction.threads(of: audience, query, after: edge, limit: limit)
        return ThreadSlice(threads: found.rows, hasMore: found.hasMore)
    }
}

/// Whether a list is empty, and the parent of a list of replies.
struct OpeningReading: StoreReading {
    struct Page: Sendable {
        var isEmpty: Bool
        var parent: CollectionItem?
        /// The own unsent messages; nil for a thread list.
        var unsent: [MessageFact]?
    }

    let audience: Audience
    let definition: CollectionDefinition

    init(collection: LiveCollection, state: LiveCollection.State) {
        audience = collection.audience
        definition = state.definition
    }

    func bound(_ collections: Collections) async throws(ChatError) -> HistoryExtent {
        guard let thread = definition.thread else { return HistoryExtent() }
        do {
            let histories = try await collections.histories(of: audience)
            return try await histories.messages.completeness(of: thread).extent(
                MessagePosition(createdAt: .max, number: .max))
        } catch {
            throw ChatError.unreadable(error)
        }
    }

    func read(_ transaction: ReadTransaction, within extent: HistoryExtent) throws -> Page {
        switch definition.kind {
        case .threads(let query):
            return Page(isEmpty: try transaction.threads(of: audience, query, after: .first, limit: 1).rows.isEmpty)
        case .messages(let id, let filter, _):
            guard let thread = try transaction.thread(id, of: audience, owner: definition.owner) else {
                return Page(isEmpty: false)
            }
            return Page(
                isEmpty: try extent == HistoryExtent()
                    && transaction.messages(of: thread, filter, after: .start, bound: nil, limit: 1).rows.isEmpty,
                parent: try transaction.parent(of: filter, in: thread),
                unsent: try transaction.unsent(of: audience, thread: id))
        }
    }
}

extension ReadTransaction {
    /// The thread of this id as the audience sees it.
    ///
    /// - Parameter owner: at the desk: whose it is.
    func thread(_ id: String, of audience: Audience, owner: ThreadOwner?) throws -> ThreadRecord? {
        switch audience {
        case .account(let account): try thread(id, of: account)
        case .desk:
            try owner.flatMap { try deskThreads(id, onService: nil, channel: $0.channel, customer: $0.customer).first }
        case .session, .channel, .everyone: nil
        }
    }

    fileprivate func threads(
        of audience: Audience, _ query: ThreadQuery, after key: ThreadKey, limit: Int
    ) throws -> BoundedRows<PlacedThread> {
        switch audience {
        case .account(let account): try threads(of: account, query, after: key, limit: limit)
        case .desk: try deskThreads(query, after: key, limit: limit)
        case .session, .channel, .everyone: BoundedRows()
        }
    }

    /// The account's own messages that are not confirmed; the desk has none.
    fileprivate func unsent(of audience: Audience, thread: String) throws -> [MessageFact] {
        guard case .account(let account) = audience else { return [] }
        return try outgoingMessages(of: account, thread: thread).map { record in
            MessageFact(
                position: MessagePosition(createdAt: record.message.createdAt.milliseconds, number: record.number),
                message: record.message,
                item: CollectionItem(id: record.message.id, json: record.message.canonicalJSON))
        }
    }

    /// The message whose replies a list shows.
    fileprivate func parent(of filter: MessageFilter, in thread: ThreadRecord) throws -> CollectionItem? {
        guard let id = filter.parentID, let record = try message(id, in: thread) else { return nil }
        return CollectionItem(id: id, json: record.message.canonicalJSON)
    }
}
