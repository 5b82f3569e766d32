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
        /// The threads of which it has not heard, and will not.
        var owed = RecentlyUsed<String, Bool>(limit: 1000)

        mutating func mark(_ thread: String) {
            newest += 1
            marks[thread] = newest
        }
    }
    private let state = Mutex(State())

    /// The place of now, to be taken before a question.
    var now: Int { state.withLock { $0.newest } }

    /// The customer reads the thread. ``end(_:isTold:)`` follows. Returns whether the platform may not have heard of an
    /// earlier time yet.
    @discardableResult
    func begin(_ thread: String) -> Bool {
        state.withLock { state in
            state.mark(thread)
            defer { state.untold[thread, default: 0] += 1 }
            return state.untold[thread] != nil || state.owed[thread] != nil
        }
    }

    /// The platform has heard of it, or will not; nil: there was nothing to tell.
    func end(_ thread: String, isTold: Bool? = nil) {
        state.withLock { state in
            state.mark(thread)
            let rest = (state.untold[thread] ?? 0) - 1
            assert(rest >= 0, "begin comes first")
            state.untold[thread] = rest > 0 ? rest : nil
            if let isTold { state.owed[thread] = isTold ? nil : true }
        }
    }

    /// Whether the customer has read the thread since, or is just reading it: then no count is taken.
    func isMarked(_ thread: String, since place: Int) -> Bool {
        state.withLock { $0.untold[thread] != nil || ($0.marks[thread] ?? 0) > place }
    }
}
