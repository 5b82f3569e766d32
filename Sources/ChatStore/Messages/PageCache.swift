import Bounds
import ChatModel
import Synchronization

/// Pages of busy threads, as bytes in memory, so that the most frequent reads do not ask SQLite.
///
/// A page is valid until a commit touches its thread. The writer counts generations: after each commit, before anyone
/// is answered, it stores a new generation for the threads that it touched. A page is kept with the generation from
/// before it was read, so a page that was read while a commit took place is never kept. Any thread may call it.
final class PageCache: Sendable {
    struct Key: Hashable {
        var account: Int64
        var thread: String
        var replies = ReplyFilter.alsoInThread
        var limit: Int
        /// Where the page begins; nil for the first page.
        var cursor: String?
        var beginsAtOldest = false
        var bytes = ByteBound.page.bytes
        var times = TimeRange.all
    }

    private struct Entry {
        var page: PageBytes
        var thread: Int64
        var generation: UInt64
        /// The round in which it was last read.
        var round: Int

        /// About what it holds of memory, in bytes, with the page's form: many empty pages are not free.
        var byteCount: Int { 2 * page.body.count + 4096 }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        var generation: UInt64 = 0
        /// Counts the calls of ``forgetOld()``.
        var round = 0
        /// When each thread was last touched. Threads share slots: a collision only forgets a page too many.
        var touched = [UInt64](repeating: 0, count: PageCache.slotCount)
    }

    private static let slotCount = 4096
    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: bytes.
    init(capacity: Int) { self.capacity = capacity }

    /// The page that is kept for this key; nil if there is none, or if its thread has changed since.
    func page(_ key: Key) -> PageBytes? {
        state.withLock { state in
            guard let entry = state.entries[key], state.touched[Self.slot(entry.thread)] <= entry.generation else {
                return nil
            }
            if entry.round != state.round { state.entries[key]?.round = state.round }
            return entry.page
        }
    }

    /// Removes pages that are not valid any more, and those that nobody has read since the last call.
    func forgetOld() {
        state.withLock { state in
            let (touched, round) = (state.touched, state.round)
            state.entries = state.entries.filter { _, entry in
                entry.round == round && touched[Self.slot(entry.thread)] <= entry.generation
            }
            state.byteCount = state.entries.values.reduce(0) { $0 + $1.byteCount }
            state.round += 1
        }
    }

    var pageCount: Int { state.withLock { $0.entries.count } }

    /// To be taken before a page is read, and passed to ``keep(_:for:thread:generation:)``.
    var generation: UInt64 { state.withLock { $0.generation } }

    /// Keeps a page, unless its thread has changed since the generation was taken. A page larger than a sixteenth of
    /// the capacity is not kept.
    func keep(_ page: PageBytes, for key: Key, thread: Int64, generation: UInt64) {
        guard page.body.count < capacity / 16 else { return }
        state.withLock { state in
            guard state.touched[Self.slot(thread)] <= generation else { return }
            var entry = Entry(page: page, thread: thread, generation: generation, round: state.round)
            entry.page.form = PageForm()
            if let old = state.entries.updateValue(entry, forKey: key) { state.byteCount -= old.byteCount }
            state.byteCount += entry.byteCount
            // Whatever the dictionary holds first goes first: nearly random, and cheap.
            while state.byteCount > capacity,
                let index = state.entries.indices.first(where: { state.entries[$0].key != key })
            {
                state.byteCount -= state.entries.remove(at: index).value.byteCount
            }
            assert(state.byteCount >= entry.byteCount, "What stays has its bytes counted.")
        }
    }

    /// Makes the pages of these threads invalid. Called by the writer after a commit, before it answers the units.
    func invalidate(_ threads: Set<Int64>) {
        guard !threads.isEmpty else { return }
        state.withLock { state in
            state.generation += 1
            for thread in threads { state.touched[Self.slot(thread)] = state.generation }
        }
    }

    /// Makes the pages of all threads invalid.
    func invalidateAll() {
        state.withLock { state in
            state.generation += 1
            for slot in state.touched.indices { state.touched[slot] = state.generation }
        }
    }

    private static func slot(_ thread: Int64) -> Int { Int(thread.magnitude % UInt64(slotCount)) }
}
