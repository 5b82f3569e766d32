import ChatModel
import ChatStore
import Formats

/// The view of a message collection: which messages it shows, and which changes follow from an event (collections 3).
///
/// A value without store and clock. It covers the part of the thread from above `low` up to and including `high`, and
/// has every matching message of that part. At an end where no more messages exist, it has no limit.
struct MessageView {
    struct Row: CollectionRow {
        var position: MessagePosition
        var item: CollectionItem
    }

    let filter: MessageFilter
    let capacity: Int
    private(set) var rows = CountedRows<Row>()
    private(set) var pending = CountedRows<Row>()
    private(set) var failed = CountedRows<Row>()
    /// Where rows came last. When the view must become smaller, rows leave at the other end.
    private var growth = FetchDirection.next
    /// Where the first fetch begins. A message at exactly this place belongs to the direction `previous`.
    private(set) var viewpoint: MessagePosition
    private(set) var low: MessagePosition
    private(set) var high: MessagePosition
    private(set) var hasPrevious = true
    private(set) var hasNext = true
    /// Whether the first page has come, or the list was found empty. Before that no live message is inserted (1.2).
    private(set) var isOpen = false
    /// Whether the unconfirmed messages were read. From then on `pending` and `failed` are kept up to date.
    private var knowsUnsent = false
    private var positions: [String: MessagePosition] = [:]

    init(filter: MessageFilter, viewpoint: Timestamp?, capacity: Int) {
        self.filter = filter
        self.capacity = capacity
        self.viewpoint = Self.place(of: viewpoint)
        low = self.viewpoint
        high = self.viewpoint
    }

    private static func place(of viewpoint: Timestamp?) -> MessagePosition {
        MessagePosition(createdAt: viewpoint?.milliseconds ?? .max, number: .max)
    }

    private func covers(_ position: MessagePosition) -> Bool {
        isOpen && (position > low || !hasPrevious) && (position <= high || !hasNext)
    }

    /// About how many bytes of memory its items take.
    var byteCount: Int { rows.byteCount + pending.byteCount + failed.byteCount }

    // MARK: Pages

    /// The list was found empty: the first live message can be inserted, because nothing is missing before it.
    mutating func openEmpty() {
        guard !isOpen else { return }
        (isOpen, hasPrevious, hasNext) = (true, false, false)
    }

    /// Takes a page that was read.
    ///
    /// - Parameters:
    ///   - beyond: whether more exist on the other side of the viewpoint; counts for the first page only, as does
    ///   - extent: where what is known around the viewpoint ends.
    mutating func merge(
        _ page: MessageSlice, _ direction: FetchDirection, beyond: Bool, extent: HistoryExtent,
        into changes: inout [CollectionChange]
    ) {
        if !isOpen {
            isOpen = true
            // A viewpoint beyond what is known covers nothing there.
            if let end = extent.high { high = min(high, end) }
            low = min(low, high)
            (hasPrevious, hasNext) = direction == .previous ? (true, beyond) : (beyond, true)
        }
        let ordered = direction == .previous ? Array(page.messages.reversed()) : page.messages
        let added = ordered.map { Row(position: $0.position, item: CollectionItem(id: $0.id, json: $0.json)) }
        makeRoom(for: added.count, awayFrom: direction, &changes)
        switch direction {
        case .previous:
            hasPrevious = page.hasMore
            if let first = added.first { low = first.position.predecessor }
            rows.insert(contentsOf: added, at: 0)
        case .next:
            hasNext = page.hasMore
            if let last = added.last { high = last.position }
            rows.append(contentsOf: added)
        }
        guard !added.isEmpty else { return }
        for row in added { positions[row.item.id] = row.position }
        let start = direction == .previous ? 0 : rows.count - added.count
        changes.append(.insert(.succeeded, Array(start..<start + added.count), added.map(\.item)))
    }

    /// Takes the own messages that are not confirmed, before the list's first page. Later calls do nothing.
    mutating func merge(unsent: [MessageFact], into changes: inout [CollectionChange]) {
        guard !knowsUnsent else { return }
        knowsUnsent = true
        for fact in unsent { apply(fact, isNew: false, isAdjacent: { _ in true }, into: &changes) }
    }

    /// Removes rows at the far end, so that the view does not exceed its capacity (3.11).
    private mutating func makeRoom(
        for count: Int, awayFrom direction: FetchDirection, _ changes: inout [CollectionChange]
    ) {
        growth = direction
        leave(min(rows.count, rows.count + count - capacity), awayFrom: direction, &changes)
    }

    /// Removes rows at the far end until at least so many bytes have gone. Returns false when there are no rows.
    mutating func shrink(by bytes: Int, into changes: inout [CollectionChange]) -> Bool {
        var (count, left) = (0, bytes)
        for row in growth == .next ? AnySequence(rows) : AnySequence(rows.reversed()) {
            if left <= 0 { break }
            left -= row.item.byteCount
            count += 1
        }
        leave(count, awayFrom: growth, &changes)
        return count > 0
    }

    private mutating func leave(
        _ surplus: Int, awayFrom direction: FetchDirection, _ changes: inout [CollectionChange]
    ) {
        guard surplus > 0 else { return }
        let leaving: [Row]
        switch direction {
        case .next:
            leaving = Array(rows.prefix(surplus))
            rows.removeFirst(surplus)
            hasPrevious = true
            low = leaving[surplus - 1].position
        case .previous:
            leaving = Array(rows.suffix(surplus))
            rows.removeLast(surplus)
            hasNext = true
            high = leaving[0].position.predecessor
        }
        for row in leaving { positions[row.item.id] = nil }
        changes.append(.remove(.succeeded, leaving.map(\.item.id)))
    }

    // MARK: Live changes

    /// A message was created or has changed.
    ///
    /// - Parameter isAdjacent: whether a message at this place may join the newest row of the view without a hole.
    mutating func apply(
        _ fact: MessageFact, isNew: Bool, isAdjacent: (MessagePosition) -> Bool, into changes: inout [CollectionChange]
    ) {
        let list = fact.list
        let isWanted = filter.contains(fact.message)
        let reason = fact.reason ?? (list == .succeeded ? "resendSucceeded" : nil)
        removeUnsent(fact.item.id, unless: isWanted ? list : nil, reason: reason, into: &changes)
        if list != .succeeded {
            if isWanted, positions[fact.item.id] == nil { keepUnsent(fact, list, into: &changes) }
            return
        }
        if let position = positions[fact.item.id] {
            guard isWanted, position == fact.position, let index = index(of: position) else {
                removeRow(fact.item.id, into: &changes)
                if isWanted { insert(fact, isNew: false, isAdjacent, into: &changes) }
                return
            }
            guard rows[index].item.json != fact.item.json else { return }
            rows[index].item = fact.item
            changes.append(.update(.succeeded, [fact.item]))
        } else if isWanted {
            insert(fact, isNew: isNew, isAdjacent, into: &changes)
        }
    }

    private mutating func insert(
        _ fact: MessageFact, isNew: Bool, _ isAdjacent: (MessagePosition) -> Bool,
        into changes: inout [CollectionChange]
    ) {
        let position = fact.position
        if isOpen, !hasNext, position > (rows.last?.position ?? .start), !isAdjacent(position) {
            loseEnd()
        }
        if covers(position) {
            let index = insertionIndex(of: position)
            if rows.count >= capacity, index == 0 {
                hasPrevious = true
                low = position
            } else {
                let before = rows.count
                makeRoom(for: 1, awayFrom: .next, &changes)
                let place = index - (before - rows.count)
                rows.insert(Row(position: position, item: fact.item), at: place)
                positions[fact.item.id] = position
                changes.append(.insert(.succeeded, [place], [fact.item]))
            }
        }
        if isNew, isOpen, position > viewpointOrNewest(before: position) { changes.append(.new) }
    }

    /// The view no longer knows what comes after its newest row. It ends there until `next` is fetched.
    mutating func loseEnd() {
        guard isOpen, !hasNext else { return }
        high = rows.last?.position ?? .start
        low = min(low, high)
        hasNext = true
    }

    /// There is a hole after this place. Live messages from behind the hole, which came before the hole was known, are
    /// removed.
    mutating func end(at edge: MessagePosition, into changes: inout [CollectionChange]) {
        guard isOpen, !hasPrevious || low < edge, !hasNext || high > edge else { return }
        let count = insertionIndex(of: edge)
        let leaving = rows.suffix(rows.count - count).map(\.item.id)
        rows.removeLast(leaving.count)
        for id in leaving { positions[id] = nil }
        (low, high, hasNext) = (min(low, edge), edge, true)
        if !leaving.isEmpty { changes.append(.remove(.succeeded, leaving)) }
    }

    /// The newest row other than the one at this place. A message counts as new when it is newer than that.
    private func viewpointOrNewest(before position: MessagePosition) -> MessagePosition {
        guard let last = rows.last else { return .start }
        if last.position == position { return rows.dropLast().last?.position ?? .start }
        return last.position
    }

    private mutating func keepUnsent(
        _ fact: MessageFact, _ list: CollectionList, into changes: inout [CollectionChange]
    ) {
        guard knowsUnsent else { return }
        var kept = list == .pending ? pending : failed
        if let index = kept.firstIndex(where: { $0.item.id == fact.item.id }) {
            guard kept[index].item.json != fact.item.json else { return }
            kept[index].item = fact.item
            changes.append(.update(list, [fact.item], reason: fact.reason))
        } else {
            let index = kept.firstIndex { $0.position > fact.position } ?? kept.count
            kept.insert(Row(position: fact.position, item: fact.item), at: index)
            changes.append(.insert(list, [index], [fact.item]))
        }
        if list == .pending { pending = kept } else { failed = kept }
    }

    /// Removes a message from the lists of unsent messages, except from the list in which it is now.
    private mutating func removeUnsent(
        _ id: String, unless list: CollectionList?, reason: String?, into changes: inout [CollectionChange]
    ) {
        if list != .pending, let index = pending.firstIndex(where: { $0.item.id == id }) {
            pending.remove(at: index)
            changes.append(.remove(.pending, [id], reason: reason == "resendSucceeded" ? nil : reason))
        }
        if list != .failed, let index = failed.firstIndex(where: { $0.item.id == id }) {
            failed.remove(at: index)
            changes.append(.remove(.failed, [id], reason: reason))
        }
    }

    /// A message is gone.
    mutating func remove(_ id: String, reason: String?, into changes: inout [CollectionChange]) {
        removeUnsent(id, unless: nil, reason: reason, into: &changes)
        removeRow(id, into: &changes)
    }

    private mutating func removeRow(_ id: String, into changes: inout [CollectionChange]) {
        guard let position = positions.removeValue(forKey: id), let index = index(of: position) else { return }
        rows.remove(at: index)
        changes.append(.remove(.succeeded, [id]))
    }

    /// Removes the messages that were created up to a time (3.12).
    mutating func removeHistory(through line: Timestamp, into changes: inout [CollectionChange]) {
        let edge = Self.place(of: line)
        let count = insertionIndex(of: edge)
        guard count > 0 else { return }
        let ids = rows.prefix(count).map(\.item.id)
        rows.removeFirst(count)
        for id in ids { positions[id] = nil }
        if low < edge { hasPrevious = false }
        changes.append(.remove(.succeeded, ids))
    }

    /// Updates a parent's row when its replies have changed. `replace` returns the new item, nil if there is no change.
    mutating func replaceItem(
        _ id: String, _ replace: (CollectionItem) -> CollectionItem?, into changes: inout [CollectionChange]
    ) {
        guard let position = positions[id], let index = index(of: position), let item = replace(rows[index].item) else {
            return
        }
        rows[index].item = item
        changes.append(.update(.succeeded, [item]))
    }

    /// Empties the view; the next fetch begins at the new viewpoint (3.7).
    mutating func reset(viewpoint: Timestamp?, into changes: inout [CollectionChange]) {
        self = MessageView(filter: filter, viewpoint: viewpoint, capacity: capacity)
        changes.append(.clear)
    }

    mutating func clear(into changes: inout [CollectionChange]) {
        let place = viewpoint
        self = MessageView(filter: filter, viewpoint: nil, capacity: capacity)
        (viewpoint, low, high) = (place, place, place)
        changes.append(.clear)
    }

    // MARK: Places

    /// The index of the first row after a place.
    private func insertionIndex(of position: MessagePosition) -> Int {
        // Most messages are the newest.
        if let last = rows.last, last.position < position { return rows.count }
        var (lower, upper) = (0, rows.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if rows[middle].position <= position { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }

    private func index(of position: MessagePosition) -> Int? {
        let index = insertionIndex(of: position) - 1
        return index >= 0 && rows[index].position == position ? index : nil
    }
}

/// A page of messages as it was read, the nearest to the view first.
struct MessageSlice: Sendable {
    var messages: [PlacedMessage]
    var hasMore: Bool
}

/// A message as an event of the log describes it.
struct MessageFact: Sendable {
    var position: MessagePosition
    var message: Message
    var item: CollectionItem
    /// Why it changed, where the event says so.
    var reason: String?

    /// The list of the collection to which the message's status assigns it.
    var list: CollectionList {
        switch message.status {
        case .pending: .pending
        case .failed: .failed
        case .sent, .delivered, .seen: .succeeded
        }
    }
}

extension MessagePosition {
    /// The place just before.
    var predecessor: MessagePosition { MessagePosition(createdAt: createdAt, number: number - 1) }
}
