import Synchronization

/// Counts the bytes that something holds in memory, against its own limit and those of everything that it is part of.
///
/// Counters form a tree: the process, a kind of thing or a holder, one object. What an object takes is taken from all
/// counters above it, or from none. When a counter goes away, all that it still has is given back, so an object that
/// owns its counter cannot leak. Any thread may use it.
///
/// ```swift
/// let process = ByteCounter(limit: 1 << 20)
/// let session = ByteCounter(limit: 1 << 16, within: process)
/// print(session.reserve(60_000), session.reserve(10_000), process.used)  // true false 60000
/// session.giveBack(60_000)
/// ```
public final class ByteCounter: Sendable {
    /// In bytes.
    public let limit: Int
    private let parent: ByteCounter?
    private let count = Atomic<Int>(0)

    public init(limit: Int, within parent: ByteCounter? = nil) {
        self.limit = limit
        self.parent = parent
    }

    deinit { parent?.giveBack(used) }

    /// How many bytes are held now.
    public var used: Int { count.load(ordering: .relaxed) }

    /// How many bytes may still be taken; less than none when more is kept than there is room for.
    public var room: Int { min(limit - used, parent?.room ?? .max) }

    /// Takes bytes. Returns false, and takes none, when there is no room here or above.
    public func reserve(_ bytes: Int) -> Bool {
        let total = count.add(bytes, ordering: .relaxed).newValue
        if total <= limit, parent?.reserve(bytes) != false { return true }
        count.subtract(bytes, ordering: .relaxed)
        return false
    }

    /// Why so many bytes were not given: this counter is one holder's share and has no room for them, or what all have
    /// together is full.
    public func refusal(of bytes: Int) -> PlaceRefusal {
        let whole = parent?.limit ?? limit
        return isShare && lacks(bytes) ? .share(limit, limit: whole) : .full(limit: whole)
    }

    /// Whether this counter itself has no room for so many bytes. The counters above it are not asked.
    public func lacks(_ bytes: Int) -> Bool { limit - used < bytes }

    /// Whether it has less than what it is a part of.
    private var isShare: Bool { parent.map { limit < $0.limit } ?? false }

    /// Counts bytes that are held in any case, whether there is room for them or not.
    public func reserveAnyway(_ bytes: Int) {
        count.add(bytes, ordering: .relaxed)
        parent?.reserveAnyway(bytes)
    }

    /// Counts off bytes that were taken or kept here.
    public func giveBack(_ bytes: Int) {
        let left = count.subtract(bytes, ordering: .relaxed).newValue
        assert(left >= 0, "Only bytes that were taken or kept are given back.")
        parent?.giveBack(bytes)
    }

    /// Makes it hold so many bytes, for an object that knows its size. Fewer than before always succeed. Returns false,
    /// and changes nothing, when there is no room for more.
    ///
    /// The object's own lock must keep two such calls apart.
    public func hold(exactly bytes: Int) -> Bool {
        let more = bytes - used
        if more > 0 { return reserve(more) }
        giveBack(-more)
        return true
    }
}

/// Gives each holder a counter of its own below one counter, with the shares of ``SharedPlaces``: one named holder gets
/// at most an eighth of the bytes, unknown senders together a quarter.
///
/// A holder's counter lives as long as something of the holder's keeps it. Any thread may use this.
public final class ByteShares: Sendable {
    private struct Entry {
        weak var counter: ByteCounter?
    }

    private struct State {
        var entries: [Holder: Entry] = [:]
        /// At so many entries those without a counter are removed.
        var cleaning = 64
        /// The counter that was asked for last. A holder asks again and again, and each new counter would cost memory.
        var latest: ByteCounter?
    }

    /// How great the shares are.
    private let shares: SharedPlaces
    /// What they are taken from.
    private let source: ByteCounter
    private let state = Mutex(State())

    public init(of whole: ByteCounter) {
        shares = SharedPlaces(limit: whole.limit)
        source = whole
    }

    /// Shares of the whole, for holders who have only a part of it together.
    public init(of whole: ByteCounter, within part: ByteCounter) {
        shares = SharedPlaces(limit: whole.limit)
        source = part
    }

    /// The counter of this holder. Whoever counts with it keeps it.
    public func counter(of holder: Holder) -> ByteCounter {
        state.withLock { state in
            if let known = state.entries[holder]?.counter {
                state.latest = known
                return known
            }
            if state.entries.count >= state.cleaning {
                state.entries = state.entries.filter { $0.value.counter != nil }
                state.cleaning = max(64, 2 * state.entries.count)
            }
            let made = ByteCounter(limit: shares.share(of: holder), within: source)
            state.entries[holder] = Entry(counter: made)
            state.latest = made
            return made
        }
    }

    /// How many holders are remembered, with those of holders that hold nothing any more.
    var entryCount: Int { state.withLock { $0.entries.count } }
}
