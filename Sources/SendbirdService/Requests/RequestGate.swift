import Chat
import ChatModel
import Synchronization

/// Lets an application's calls begin one after the other, as its ``RequestBudget`` allows: the most urgent first, and those of a
/// busy account later than others'.
///
/// May be used from any task.
final class RequestGate: Sendable {
    /// Who goes first when there is not enough for all.
    enum Urgency: Int, Sendable {
        /// What a customer does, and what is asked because an answer was lost.
        case deed
        /// What somebody waits for.
        case page
        case focus, applicationPoll, accountPoll
    }

    private struct Waiter {
        var number: Int
        var kind: RequestBudget.Kind
        var scope: String?
        var account: Int64?
        /// The lower ones go first.
        var level: Int
        /// How many calls of its account waited when it came: accounts of one level take turns.
        var turn: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var budget: RequestBudget
        var shares = CallShares()
        /// The first one begins next.
        var waiters: [Waiter] = []
        /// Those that were made and do not wait yet. Who is cancelled meanwhile is taken out.
        var coming: Set<Int> = []
        var newest = 0
        var timer: (due: Duration, task: Task<Void, Never>)?

        func waiting(of account: Int64?) -> Int { account == nil ? 0 : waiters.count { $0.account == account } }

        mutating func began(_ kind: RequestBudget.Kind, _ account: Int64?, at now: Duration) {
            guard let account else { return }
            shares.began(account, limit: budget.limit(of: kind, at: now), at: now)
        }
    }
    private let state: Mutex<State>
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration

    /// The most calls that wait. Who comes then is refused.
    static let limit = 2000
    /// The most of them that are one account's.
    static let share = limit / 8

    init(_ budget: RequestBudget, clock: any Clock<Duration>) {
        state = Mutex(State(budget: budget))
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    /// Returns when a call may begin. Throws `notConnected` when the task is cancelled, `serverError` when too many
    /// wait.
    ///
    /// - Parameter account: whose it is. One that has made many calls lately lets others pass.
    func pass(
        _ kind: RequestBudget.Kind, scope: String?, _ urgency: Urgency, of account: Int64? = nil
    ) async throws(ChatError) {
        let number = state.withLock { state -> Int? in
            guard state.waiters.count < Self.limit, state.waiting(of: account) < Self.share else { return nil }
            state.newest += 1
            state.coming.insert(state.newest)
            return state.newest
        }
        guard let number else { throw ChatError(.serverError, "Too many calls to the platform wait for their turn.") }
        let mayBegin = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(
                    number: number, kind: kind, scope: scope, account: account, level: urgency.rawValue, turn: 0,
                    continuation: continuation)
                enqueue(waiter)
            }
        } onCancel: {
            cancel(number)
        }
        guard mayBegin else { throw ChatError(.notConnected, "The call to the platform was cancelled.") }
    }

    /// Lets a call begin if it need not wait.
    func passAtOnce(_ kind: RequestBudget.Kind, of account: Int64?) -> Bool {
        let now = elapsed()
        return state.withLock { state in
            guard state.waiters.isEmpty, state.budget.take(kind, at: now) == nil else { return false }
            state.began(kind, account, at: now)
            return true
        }
    }

    /// The platform has refused a call because there were too many.
    func refused(_ kind: RequestBudget.Kind, for time: Duration) {
        let now = elapsed()
        state.withLock { $0.budget.refused(kind, for: time, at: now) }
    }

    /// GETs a second now.
    var getLimit: Int {
        let now = elapsed()
        return state.withLock { $0.budget.limit(of: .get, at: now) }
    }

    /// How many calls wait.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    private func enqueue(_ waiter: Waiter) {
        let now = elapsed()
        let waits = state.withLock { state in
            guard state.coming.remove(waiter.number) != nil else { return false }
            var waiter = waiter
            if let account = waiter.account {
                waiter.turn = state.waiting(of: account)
                waiter.level += state.shares.steps(
                    of: account, waiting: waiter.turn, limit: state.budget.limit(of: waiter.kind, at: now), at: now)
            }
            let place =
                state.waiters.firstIndex { (waiter.level, waiter.turn) < ($0.level, $0.turn) } ?? state.waiters.endIndex
            state.waiters.insert(waiter, at: place)
            return true
        }
        if waits { proceed() } else { waiter.continuation.resume(returning: false) }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state -> Waiter? in
            if state.coming.remove(number) != nil { return nil }
            guard let place = state.waiters.firstIndex(where: { $0.number == number }) else { return nil }
            return state.waiters.remove(at: place)
        }
        waiter?.continuation.resume(returning: false)
    }

    /// Lets go whom the budget allows, and looks again when it allows the next one.
    private func proceed() {
        let now = elapsed()
        let going = state.withLock { state -> [Waiter] in
            var (going, staying): ([Waiter], [Waiter]) = ([], [])
            var next: Duration?
            for waiter in state.waiters {
                if let wait = state.budget.take(waiter.kind, scope: waiter.scope, at: now) {
                    staying.append(waiter)
                    next = min(next ?? wait, wait)
                } else {
                    going.append(waiter)
                    state.began(waiter.kind, waiter.account, at: now)
                }
            }
            state.waiters = staying
            setTimer(next.map { now + $0 }, at: now, &state)
            return going
        }
        for waiter in going { waiter.continuation.resume(returning: true) }
    }

    private func setTimer(_ due: Duration?, at now: Duration, _ state: inout State) {
        if let timer = state.timer, let due, timer.due <= due { return }
        state.timer?.task.cancel()
        state.timer = nil
        guard let due else { return }
        let alarm = clock.alarm(in: due - now)
        let task = Task { [weak self] in
            guard (try? await alarm()) != nil else { return }
            self?.state.withLock { $0.timer = nil }
            self?.proceed()
        }
        state.timer = (due, task)
    }
}
