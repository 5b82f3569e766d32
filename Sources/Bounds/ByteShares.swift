import Synchronization

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
