import Bounds
import ChatModel
import Synchronization

/// In which order the customers of an application have changed something in their threads, and the platform was asked
/// about these. An answer to a question that was asked before a change does not know of it yet: what it says of that is not
/// taken. Nor is an answer to a question that was asked before another one whose answer was taken.
///
/// An account may have several connections, and one of them acts over which another one's threads are looked at.
final class DeedMarks: Sendable {
    /// What of a thread a deed changes.
    enum Part: CaseIterable, Sendable {
        case unreadCount, name, fields
        /// Whether it is closed or hidden for the customer, and who the customer is in it.
        case standing
    }

    fileprivate struct Place: Hashable {
        var account: Int64
        var thread: String
        var part: Part
    }

    fileprivate struct Thread: Hashable {
        var account: Int64
        var id: String
    }

    fileprivate struct State {
        var newest = 0
        /// The latest question about each thread of which the answer was taken.
        var taken = RecentlyUsed<Thread, Int>(limit: 20_000)
        var marks = RecentlyUsed<Place, Int>(limit: 10_000)
        /// How many calls that change it the platform may not have heard yet.
        var untold: [Place: Int] = [:]
        /// The readings of which it has not heard, and will not.
        var owed = RecentlyUsed<Place, Bool>(limit: 10_000)

        mutating func mark(_ place: Place) {
            newest += 1
            marks[place] = newest
        }
    }
    fileprivate let state = Mutex(State())
}

/// The ``DeedMarks`` of one account.
struct AccountMarks: Sendable {
    let marks: DeedMarks
    let account: Int64

    /// The place of a question in this order. It is taken when the call begins, not while it waits for its turn.
    func ask() -> Int {
        marks.state.withLock { state in
            state.newest += 1
            return state.newest
        }
    }

    /// An answer is taken. Returns false, and it must not be, if the answer to a later question was.
    func take(_ thread: String, askedAt place: Int) -> Bool {
        marks.state.withLock { state in
            let key = DeedMarks.Thread(account: account, id: thread)
            guard state.taken[key] ?? 0 <= place else { return false }
            state.taken[key] = place
            return true
        }
    }

    private func place(_ thread: String, _ part: DeedMarks.Part) -> DeedMarks.Place {
        DeedMarks.Place(account: account, thread: thread, part: part)
    }

    /// The customer changes a part of the thread. ``end(_:_:isTold:)`` follows. Returns whether the platform may not
    /// have heard of an earlier time yet.
    @discardableResult
    func begin(_ thread: String, _ part: DeedMarks.Part) -> Bool {
        marks.state.withLock { [place = place(thread, part)] state in
            state.mark(place)
            defer { state.untold[place, default: 0] += 1 }
            return state.untold[place] != nil || state.owed[place] != nil
        }
    }

    /// The platform has heard of it, or will not; nil: there was nothing to tell.
    func end(_ thread: String, _ part: DeedMarks.Part, isTold: Bool? = nil) {
        marks.state.withLock { [place = place(thread, part)] state in
            state.mark(place)
            let rest = (state.untold[place] ?? 0) - 1
            assert(rest >= 0, "begin comes first")
            state.untold[place] = rest > 0 ? rest : nil
            if let isTold { state.owed[place] = isTold ? nil : true }
        }
    }

    /// What the customer has changed since, or is just changing: that is not taken from the answer.
    func stale(_ thread: String, since before: Int) -> Set<DeedMarks.Part> {
        marks.state.withLock { state in
            Set(
                DeedMarks.Part.allCases.filter { part in
                    let place = place(thread, part)
                    return state.untold[place] != nil || (state.marks[place] ?? 0) > before
                })
        }
    }

    /// Does what changes a part of the thread.
    func changing<Result: Sendable>(
        _ part: DeedMarks.Part, of thread: String, _ deed: () async throws(ChatError) -> Result
    ) async throws(ChatError) -> Result {
        begin(thread, part)
        defer { end(thread, part) }
        return try await deed()
    }
}
