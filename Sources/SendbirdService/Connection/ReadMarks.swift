import Bounds
import Synchronization

/// When the customers of an application have read what, in the order of these calls. The platform's answer to a question
/// that was asked before does not know of it yet: its count of unread messages is not taken.
///
/// An account may have several connections, and one of them reads over which another one's threads are looked at.
final class ReadMarks: Sendable {
    fileprivate struct Place: Hashable {
        var account: Int64
        var thread: String
    }

    fileprivate struct State {
        var newest = 0
        var marks = RecentlyUsed<Place, Int>(limit: 10_000)
        /// How many calls that read a thread the platform may not have heard yet.
        var untold: [Place: Int] = [:]
        /// The threads of which it has not heard, and will not.
        var owed = RecentlyUsed<Place, Bool>(limit: 10_000)

        mutating func mark(_ place: Place) {
            newest += 1
            marks[place] = newest
        }
    }
    fileprivate let state = Mutex(State())
}

/// The ``ReadMarks`` of one account.
struct AccountMarks: Sendable {
    let marks: ReadMarks
    let account: Int64

    /// The place of now, to be taken before a question.
    var now: Int { marks.state.withLock { $0.newest } }

    private func place(of thread: String) -> ReadMarks.Place { ReadMarks.Place(account: account, thread: thread) }

    /// The customer reads the thread. ``end(_:isTold:)`` follows. Returns whether the platform may not have heard of an
    /// earlier time yet.
    @discardableResult
    func begin(_ thread: String) -> Bool {
        marks.state.withLock { [place = place(of: thread)] state in
            state.mark(place)
            defer { state.untold[place, default: 0] += 1 }
            return state.untold[place] != nil || state.owed[place] != nil
        }
    }

    /// The platform has heard of it, or will not; nil: there was nothing to tell.
    func end(_ thread: String, isTold: Bool? = nil) {
        marks.state.withLock { [place = place(of: thread)] state in
            state.mark(place)
            let rest = (state.untold[place] ?? 0) - 1
            assert(rest >= 0, "begin comes first")
            state.untold[place] = rest > 0 ? rest : nil
            if let isTold { state.owed[place] = isTold ? nil : true }
        }
    }

    /// Whether the customer has read the thread since, or is just reading it: then no count is taken.
    func isMarked(_ thread: String, since before: Int) -> Bool {
        marks.state.withLock { [place = place(of: thread)] state in
            state.untold[place] != nil || (state.marks[place] ?? 0) > before
        }
    }
}
