import Bounds

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
                memory.keep(byteCount - memory.used)
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
