import Bounds
import Synchronization

/// When the customer has read what, in the order of these calls. The platform's answer to a question that was asked
/// before does not know of it yet: its count of unread messages is not taken.
final class ReadMarks: Sendable {
    private struct State {
        var newest = 0
        /// By thread.
        var marks = RecentlyUsed<String, Int>(limit: 1000)
        /// How many calls that read a thread the platform may not have heard yet.
        var untold: [String: Int] = [:]

        mutating func mark(_ thread: String) {
            newest += 1
            marks[thread] = newest
        }
    }
    private let state = Mutex(State())

    /// The place of now, to be taken before a question.
    var now: Int { state.withLock { $0.newest } }

    /// The customer reads the thread. ``end(_:)`` follows.
    func begin(_ thread: String) {
        state.withLock { state in
            state.mark(thread)
            state.untold[thread, default: 0] += 1
        }
    }

    /// The platform has heard of it, or will not.
    func end(_ thread: String) {
        state.withLock { state in
            state.mark(thread)
            let rest = (state.untold[thread] ?? 0) - 1
            assert(rest >= 0, "begin comes first")
            state.untold[thread] = rest > 0 ? rest : nil
        }
    }

    /// Whether the customer has read the thread since, or is just reading it: then no count is taken.
    func isMarked(_ thread: String, since place: Int) -> Bool {
        state.withLock { $0.untold[thread] != nil || ($0.marks[thread] ?? 0) > place }
    }
}
