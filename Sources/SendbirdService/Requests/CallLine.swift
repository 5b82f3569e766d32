import Bounds

/// The calls of one kind that wait for their turn. It is pure.
///
/// The lower levels go first, and the accounts of one level take turns: each call of an account has the turn after its last
/// one's, so that it waits for one call of each other account, however many of these come and go. But where some calls have
/// passed those of another urgency, one of these goes next: each urgency has a part of all calls, so that none starves while
/// another has many.
struct CallLine: Sendable {
    struct Waiter: Sendable {
        var number: Int
        var urgency: RequestGate.Urgency
        var scope: String?
        var account: Int64?
        /// The urgency, and the steps by which a busy account's calls fall back.
        var level: Int
        /// Set by the line.
        var turn = 0
        var continuation: CheckedContinuation<Bool, Never>
    }

    /// The first one goes next.
    private var waiters: [Waiter] = []
    private var counts = Array(repeating: 0, count: RequestGate.Urgency.allCases.count)
    /// How many calls have passed those of each urgency that wait.
    private var passed = Array(repeating: 0, count: RequestGate.Urgency.allCases.count)

    /// So many calls may pass those of another urgency.
    static let patience = 4

    /// The latest turn of a call that went.
    private var turn = 0
    /// The latest turn of each account that had one lately. So many accounts are more than can wait.
    private var turns = RecentlyUsed<Int64, Int>(limit: 2 * RequestGate.limit)

    var count: Int { waiters.count }

    /// - Parameter count: how many calls of its account wait.
    mutating func add(_ waiter: Waiter, behind count: Int) {
        var waiter = waiter
        waiter.turn = turn
        if let account = waiter.account {
            // Those that were cancelled count no more.
            if let last = turns[account] { waiter.turn = max(turn, min(last, turn + count) + 1) }
            turns[account] = waiter.turn
        }
        var (low, high) = (0, waiters.count)
        while low < high {
            let middle = (low + high) / 2
            let other = waiters[middle]
            if (waiter.level, waiter.turn) < (other.level, other.turn) { high = middle } else { low = middle + 1 }
        }
        waiters.insert(waiter, at: low)
        counts[waiter.urgency.rawValue] += 1
    }

    /// Takes one out that does not wait any more.
    mutating func remove(_ number: Int) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { take(at: $0) }
    }

    /// Takes out the one that goes next; nil: none may.
    mutating func next(where mayGo: (Waiter) -> Bool) -> Waiter? {
        let overdue = RequestGate.Urgency.allCases.filter { passed[$0.rawValue] >= Self.patience }
            .max { passed[$0.rawValue] < passed[$1.rawValue] }
        let place =
            overdue.flatMap { overdue in waiters.firstIndex { $0.urgency == overdue && mayGo($0) } }
            ?? waiters.firstIndex(where: mayGo)
        guard let place else { return nil }
        let urgency = waiters[place].urgency.rawValue
        for other in passed.indices where other != urgency && counts[other] > 0 { passed[other] += 1 }
        passed[urgency] = 0
        let next = take(at: place)
        turn = max(turn, next.turn)
        return next
    }

    private mutating func take(at place: Int) -> Waiter {
        let waiter = waiters.remove(at: place)
        let urgency = waiter.urgency.rawValue
        counts[urgency] -= 1
        if counts[urgency] == 0 { passed[urgency] = 0 }
        return waiter
    }
}
