import ChatModel
import ChatStore

/// The view of a thread collection: which threads it shows, and which changes follow from an event (collections 2).
///
/// A value without store and clock. It has every matching thread up to and including the place `edge`; when there are
/// no more threads, it has all that match.
struct ThreadView {
    struct Row: CollectionRow {
        var key: ThreadKey
        var item: CollectionItem
    }

    let query: ThreadQuery
    let capacity: Int
    private(set) var rows = CountedRows<Row>()
    /// How far pages were read. It moves back when the view is full and its last row leaves.
    private(set) var edge = ThreadKey.first
    private(set) var hasNext = true
    /// Whether the first page has come, or the list was found empty. Before that no live thread is inserted (1.2).
    private(set) var isOpen = false
    /// Rows have left because they had too many bytes: a further page would only leave again.
    private var isShrunk = false
    private var keys: [CollectionItem.Name: ThreadKey] = [:]

    init(query: ThreadQuery, capacity: Int) {
        self.query = query
        self.capacity = capacity
    }

    /// Whether the view takes no further page.
    var isFull: Bool { rows.count >= capacity || isShrunk }

    private func covers(_ key: ThreadKey) -> Bool { isOpen && (!hasNext || key <= edge) }

    /// The list was found empty: the first live thread can be inserted, because nothing is missing before it.
    mutating func openEmpty() {
        guard !isOpen else { return }
        (isOpen, hasNext) = (true, false)
    }

    /// Takes the page that follows the edge. Rows beyond the capacity are dropped.
    mutating func merge(_ page: ThreadSlice, into changes: inout [CollectionChange]) {
        isOpen = true
        hasNext = page.hasMore
        guard let last = page.threads.last else { return }
        let added = page.threads.map {
            Row(key: $0.key, item: CollectionItem(id: $0.id, owner: $0.owner, json: $0.json))
        }
        // A full view ends here. More rows would push out the first ones.
        let room = max(0, capacity - rows.count)
        if added.count > room { hasNext = true }
        let taken = added.prefix(room)
        edge = added.count > room ? taken.last?.key ?? edge : last.key
        guard !taken.isEmpty else { return }
        let start = rows.count
        rows.append(contentsOf: taken)
        for row in taken { keys[row.item.name] = row.key }
        changes.append(.insert(.succeeded, Array(start..<rows.count), taken.map(\.item)))
    }

    /// A thread was created or has changed. Follows the table of collections 2.3.
    mutating func apply(_ fact: ThreadFact, into changes: inout [CollectionChange]) {
        let name = fact.item.name
        let isWanted = fact.isWanted(by: query)
        let key = query.key(of: fact.thread, owner: name.owner, fact.team)
        guard let old = keys[name], let position = index(of: old) else {
            if isWanted { insert(Row(key: key, item: fact.item), into: &changes) }
            return
        }
        guard isWanted, covers(key) else {
            return remove(name, into: &changes)
        }
        if key == old {
            guard rows[position].item.json != fact.item.json else { return }
            rows[position].item = fact.item
            changes.append(.update(.succeeded, [fact.item]))
            return
        }
        rows.remove(at: position)
        keys[name] = key
        let target = insertionIndex(of: key)
        rows.insert(Row(key: key, item: fact.item), at: target)
        changes.append(target == position ? .update(.succeeded, [fact.item]) : .move(target, fact.item))
    }

    /// Removes the last rows until at least so many bytes have gone. Returns false when there are no rows.
    mutating func shrink(by bytes: Int, into changes: inout [CollectionChange]) -> Bool {
        var left = bytes
        let count = rows.reversed().prefix { row in
            defer { left -= row.item.byteCount }
            return left > 0
        }.count
        guard count > 0 else { return false }
        let names = rows.suffix(count).map(\.item.name)
        rows.removeLast(count)
        for name in names { keys[name] = nil }
        (hasNext, isShrunk, edge) = (true, true, rows.last?.key ?? .first)
        changes.append(.remove(.succeeded, names.map(\.id), owners: names.compactMap(\.owner)))
        return true
    }

    private mutating func insert(_ row: Row, into changes: inout [CollectionChange]) {
        guard covers(row.key) else { return }
        let index = insertionIndex(of: row.key)
        if rows.count >= capacity, let last = rows.last {
            if index == rows.count {
                (hasNext, edge) = (true, last.key)
                return
            }
            rows.removeLast()
            keys[last.item.name] = nil
            (hasNext, edge) = (true, rows.last?.key ?? row.key)
            changes.append(.removal(of: last.item.name))
        }
        rows.insert(row, at: index)
        keys[row.item.name] = row.key
        if hasNext { edge = max(edge, row.key) }
        changes.append(.insert(.succeeded, [index], [row.item]))
    }

    /// The account does not see the thread any more.
    mutating func remove(_ name: CollectionItem.Name, into changes: inout [CollectionChange]) {
        guard let key = keys.removeValue(forKey: name), let index = index(of: key) else { return }
        rows.remove(at: index)
        isShrunk = false
        changes.append(.removal(of: name))
    }

    /// Everything leaves; the next fetch begins anew.
    mutating func clear(into changes: inout [CollectionChange]) {
        self = ThreadView(query: query, capacity: capacity)
        changes.append(.clear)
    }

    /// The index of the first row after a place.
    private func insertionIndex(of key: ThreadKey) -> Int {
        var (lower, upper) = (0, rows.count)
        while lower < upper {
            let middle = (lower + upper) / 2
            if rows[middle].key <= key { lower = middle + 1 } else { upper = middle }
        }
        return lower
    }

    private func index(of key: ThreadKey) -> Int? {
        let index = insertionIndex(of: key) - 1
        return index >= 0 && rows[index].key == key ? index : nil
    }
}

/// A page of threads as it was read.
struct ThreadSlice: Sendable {
    var threads: [PlacedThread]
    var hasMore: Bool
}

/// A thread as an event of the log describes it to one account, or to the desk.
struct ThreadFact: Sendable {
    var thread: ChatThread
    /// The account's own part of the thread; nil for the desk.
    var membership: Membership?
    /// What the desk alone sees; nothing for an account.
    var team = ThreadTeam()
    var item: CollectionItem

    func isWanted(by query: ThreadQuery) -> Bool {
        if let membership { return query.contains(thread, membership) }
        return item.owner.map { query.contains(thread, team, of: $0) } ?? false
    }
}

extension CollectionChange {
    fileprivate static func removal(of name: CollectionItem.Name) -> CollectionChange {
        .remove(.succeeded, [name.id], owners: name.owner.map { [$0] } ?? [])
    }
}
