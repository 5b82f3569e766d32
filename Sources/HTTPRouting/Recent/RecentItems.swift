import Bounds
import Synchronization

/// The newest items of something that goes on, in memory: each with its number, which only grows. Any thread may use it.
///
/// It keeps at most ``limit`` items, and of items that have a weight at most so many bytes; the oldest are dropped. The
/// slot of a dropped item is used again, so an item that fills a slot in place needs no memory of its own.
///
/// ```swift
/// let lines = RecentItems<String>(limit: 2, blank: "")
/// for text in ["one", "two", "three"] { lines.add { $0 = text } }
/// print(lines.items(after: 0).items.map(\.item), lines.items(after: 0).missed)  // ["two", "three"] 1
/// ```
package final class RecentItems<Item: Sendable>: Sendable {
    @usableFromInline
    package struct State: Sendable {
        @usableFromInline var slots: [Item] = []
        @usableFromInline var first = 1
        @usableFromInline var last = 0
        @usableFromInline var byteCount = 0
        @usableFromInline var droppedBytes = 0
        var incarnation: String
        var waits: [Int: AsyncStream<Void>.Continuation] = [:]
        var places = SharedPlaces(limit: RecentItems.waitLimit)
        var followers: [Int: @Sendable () -> Void] = [:]
        /// Of the last one that waits or follows.
        var lastReader = 0
        var isEnded = false
        @usableFromInline var isAwaited = false

        mutating func noteReaders() { isAwaited = !waits.isEmpty || !followers.isEmpty }
    }

    /// What is kept after a number.
    package struct Page: Sendable {
        /// Oldest first.
        package var items: [(number: Int, item: Item)]
        /// The number of the newest item of all; 0 if there was none.
        package var last: Int
        /// How many items after the number are not kept any more.
        package var missed: Int
        /// How many items were dropped since the beginning, and their bytes.
        package var dropped: (count: Int, byteCount: Int)
        /// Names the sequence of numbers. It is another one after ``RecentItems/restart(as:)``.
        package var incarnation: String
    }

    /// What becomes of a reader that wants to wait.
    private enum Outcome { case waits(Int), ready, refused(PlaceRefusal) }

    /// The most items that are kept.
    package let limit: Int
    /// The most bytes of items that are kept, beside the newest one.
    @usableFromInline let byteLimit: Int
    @usableFromInline let weigh: (@Sendable (Item) -> Int)?
    @usableFromInline let blank: Item
    @usableFromInline let state: Mutex<State>

    /// The most readers that wait at the same time.
    package static var waitLimit: Int { 100 }

    /// - Parameters:
    ///   - blank: what a slot has before it is filled for the first time.
    ///   - incarnation: names the sequence of numbers for readers that come back.
    ///   - byteLimit: counts by `weigh`.
    ///   - weigh: the bytes that an item takes; nil: only the number of items is bounded.
    package init(
        limit: Int, blank: Item, incarnation: String = "", byteLimit: Int = .max,
        weigh: (@Sendable (Item) -> Int)? = nil
    ) {
        self.limit = limit
        self.blank = blank
        self.byteLimit = byteLimit
        self.weigh = weigh
        state = Mutex(State(incarnation: incarnation))
        state.withLock { $0.slots.reserveCapacity(limit) }
    }

    /// The number of the newest item; 0 if there was none.
    package var last: Int { state.withLock { $0.last } }

    /// Adds an item. The closure fills the slot, which still has an older item or the blank one.
    /// - Returns: the item's number.
    @inlinable @discardableResult
    package func add(_ fill: (inout Item) -> Void) -> Int {
        let (number, isAwaited) = state.withLock { state in
            let index = state.last % limit
            if state.last - state.first + 1 == limit { drop(&state, keepingSlot: true) }
            state.last += 1
            if index == state.slots.count { state.slots.append(blank) }
            fill(&state.slots[index])
            if let weigh {
                state.byteCount += weigh(state.slots[index])
                while state.byteCount > byteLimit, state.first < state.last { drop(&state, keepingSlot: false) }
            }
            assert(state.last - state.first < limit && state.byteCount >= 0, "Numbers lie within the ring.")
            return (state.last, state.isAwaited)
        }
        if isAwaited { wake() }
        return number
    }

    /// Forgets the oldest item.
    ///
    /// - Parameter keepingSlot: its memory is for the item that comes now.
    @usableFromInline
    func drop(_ state: inout State, keepingSlot: Bool) {
        let index = (state.first - 1) % limit
        state.first += 1
        guard let weigh else { return }
        let bytes = weigh(state.slots[index])
        state.byteCount -= bytes
        state.droppedBytes += bytes
        if !keepingSlot { state.slots[index] = blank }
    }

    /// The items with greater numbers than this one. If the number is one that no item has had yet, these are all items:
    /// it comes from an earlier run.
    ///
    /// - Parameter most: of how many items there are more, the oldest of these count.
    package func items(after number: Int, most: Int = .max) -> Page {
        state.withLock { state in
            let after = number > state.last ? 0 : number
            let start = max(after + 1, state.first)
            let end = min(state.last, most > state.last ? state.last : start - 1 + most)
            let items = start > end ? [] : (start...end).map { ($0, state.slots[($0 - 1) % limit]) }
            return Page(
                items: items, last: state.last, missed: start - after - 1,
                dropped: (state.first - 1, state.droppedBytes), incarnation: state.incarnation)
        }
    }

    /// The item with this number; nil if it is not kept any more, or not there yet.
    package func item(_ number: Int) -> Item? {
        state.withLock { state in
            guard number >= state.first, number <= state.last else { return nil }
            return state.slots[(number - 1) % limit]
        }
    }

    /// Forgets everything, and counts from 1 again. Readers that wait or follow are woken.
    package func restart(as incarnation: String) {
        state.withLock { state in
            state.slots.removeAll(keepingCapacity: true)
            (state.first, state.last, state.byteCount, state.droppedBytes) = (1, 0, 0, 0)
            state.incarnation = incarnation
        }
        wake()
    }

    /// Returns as soon as there is an item after this number, when the time is over, or after ``endWaits()``. Throws
    /// `tooManyRequests` if ``waitLimit`` others wait, and `shareExceeded` if the holder has its share of them.
    package func wait(
        after number: Int, as holder: Holder, within time: Duration, on clock: any Clock<Duration>
    ) async throws(Problem) {
        let (news, continuation) = AsyncStream.makeStream(of: Void.self)
        let outcome = state.withLock { state -> Outcome in
            if state.isEnded || state.last != number { return .ready }
            if let refusal = state.places.takePlace(holder) { return .refused(refusal) }
            state.lastReader += 1
            state.waits[state.lastReader] = continuation
            state.noteReaders()
            return .waits(state.lastReader)
        }
        switch outcome {
        case .ready: return
        case .refused(let refusal): throw Problem(refusal, of: "readers that wait")
        case .waits(let wait):
            let timer = Task {
                try? await clock.sleep(for: time)
                continuation.finish()
            }
            for await _ in news { break }
            timer.cancel()
            state.withLock { state in
                state.waits[wait] = nil
                state.places.giveBack(holder)
                state.noteReaders()
            }
        }
    }

    /// Ends all waiting, also that of readers which come later, because the gateway stops.
    package func endWaits() {
        state.withLock { $0.isEnded = true }
        wake()
    }

    /// Has a reader told of each item, until ``unfollow(_:)``.
    ///
    /// - Parameter tell: is called on the thread that adds the item, so it must be quick.
    /// - Returns: names the reader.
    package func follow(_ tell: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastReader += 1
            state.followers[state.lastReader] = tell
            state.noteReaders()
            return state.lastReader
        }
    }

    package func unfollow(_ reader: Int) {
        state.withLock { state in
            state.followers[reader] = nil
            state.noteReaders()
        }
    }

    @usableFromInline
    func wake() {
        let (waits, followers) = state.withLock { (Array($0.waits.values), Array($0.followers.values)) }
        for wait in waits { wait.finish() }
        for tell in followers { tell() }
    }
}
