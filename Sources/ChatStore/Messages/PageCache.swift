import ChatModel
import Synchronization

/// The newest pages of busy threads, as bytes: the hot read path moves them and asks SQLite nothing.
///
/// A page is valid until a commit touches its thread. The writer raises the thread's
/// counter after each commit, before anyone is answered; a page remembers the counter
/// from before it was read, so that a page read while a commit lands is never kept.
final class PageCache: Sendable {
    struct Key: Hashable {
        var account: Int64
        var thread: String
        var limit: Int
    }

    private struct Entry {
        var page: PageBytes
        var thread: Int64
        var counter: UInt32

        /// About what it holds of memory, in bytes: many empty pages are not free.
        var byteCount: Int { page.body.count + 256 }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var byteCount = 0
        /// Threads share counters: a collision only forgets a page too many.
        var counters = [UInt32](repeating: 0, count: PageCache.counterCount)
    }

    private static let counterCount = 4096
    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: bytes.
    init(capacity: Int) { self.capacity = capacity }

    func page(_ key: Key) -> PageBytes? {
        state.withLock { state in
            guard let entry = state.entries[key], entry.counter == state.counters[Self.slot(entry.thread)] else { return nil }
            return entry.page
        }
    }

    /// The counter to hand to ``keep(_:for:thread:counter:)``: taken before the page is read.
    func counter(of thread: Int64) -> UInt32 { state.withLock { $0.counters[Self.slot(thread)] } }

    func keep(_ page: PageBytes, for key: Key, thread: Int64, counter: UInt32) {
        guard page.body.count < capacity / 16 else { return }
        state.withLock { state in
            guard state.counters[Self.slot(thread)] == counter else { return }
            let entry = Entry(page: page, thread: thread, counter: counter)
            if let old = state.entries.updateValue(entry, forKey: key) { state.byteCount -= old.byteCount }
            state.byteCount += entry.byteCount
            // Whatever the dictionary holds first goes first: nearly random, and cheap.
            while state.byteCount > capacity, let index = state.entries.indices.first(where: { state.entries[$0].key != key }) {
                state.byteCount -= state.entries.remove(at: index).value.byteCount
            }
        }
    }

    func invalidate(_ threads: Set<Int64>) {
        guard !threads.isEmpty else { return }
        state.withLock { state in
            for thread in threads { state.counters[Self.slot(thread)] &+= 1 }
        }
    }

    private static func slot(_ thread: Int64) -> Int { Int(thread.magnitude % UInt64(counterCount)) }
}
