import Synchronization

/// Raised once, seen from anywhere.
public final class Flag: Sendable {
    private let state = Atomic(false)

    public init() {}

    public var isRaised: Bool { state.load(ordering: .acquiring) }
    public func raise() {
        state.store(true, ordering: .releasing)
        Changes.tell()
    }
}

/// A list that many may add to.
public final class Journal<Entry: Sendable>: Sendable {
    private let state = Watched<[Entry]>([])

    public init() {}

    public var entries: [Entry] { state.withLock { $0 } }
    public func add(_ entry: Entry) { state.change { $0.append(entry) } }
}
