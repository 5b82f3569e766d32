/// The calls of one kind that wait for their turn. It is pure.
///
/// The lower levels go first, and the accounts of one level take turns. But where some calls have passed those of another
/// urgency, one of these goes next: each urgency has a part of all calls, so that none starves while another has many.
struct CallLine: Sendable {
    struct Waiter: Sendable {
        var number: Int
        var urgency: RequestGate.Urgency
        var scope: String?
        var account: Int64?
        /// The urgency, and the steps by which a busy account's calls fall back.
        var level: Int
        /// How many calls of its account waited when it came: accounts of one level take turns.
        var turn: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    /// The first one goes next.
    private var waiters: [Waiter] = []
    private var counts = Array(repeating: 0, count: RequestGate.Urgency.allCases.count)
    /// How many calls have passed those of each urgency that wait.
    private var passed = Array(repeating: 0, count: RequestGate.Urgency.allCases.count)

    /// So many calls may pass those of another urgency.
    static let patience = 4

    var count: Int { waiters.count }

    mutating func add(_ waiter: Waiter) {
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
        return take(at: place)
    }

    private mutating func take(at place: Int) -> Waiter {
        let waiter = waiters.remove(at: place)
        let urgency = waiter.urgency.rawValue
        counts[urgency] -= 1
        if counts[urgency] == 0 { passed[urgency] = 0 }
        return waiter
    }
}
