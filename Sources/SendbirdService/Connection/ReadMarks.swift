import Bounds
import Synchronization

/// When the customer has read what, in the order of these calls. The platform's answer to a question that was asked
/// before does not know of it yet: its count of unread messages is not taken.
final class ReadMarks: Sendable {
    private struct State {
        var newest = 0
        /// By thread.
        var marks = RecentlyUsed<String, Int>(limit: 1000)
    }
    private let state = Mutex(State())

    /// The place of now, to be taken before a question.
    var now: Int { state.withLock { $0.newest } }

    /// The customer reads the thread, or the platform has just heard of it.
    func mark(_ thread: String) {
        state.withLock { state in
            state.newest += 1
            state.marks[thread] = state.newest
        }
    }

    func isMarked(_ thread: String, since place: Int) -> Bool { state.withLock { ($0.marks[thread] ?? 0) > place } }
}
