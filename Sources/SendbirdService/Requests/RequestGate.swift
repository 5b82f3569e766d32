import Chat
import ChatModel
import Synchronization

/// Lets an application's calls begin one after the other, as its ``RequestBudget`` allows: the most urgent first, and those of a
/// busy account later than others'.
///
/// May be used from any task.
final class RequestGate: Sendable {
    /// Who goes first when there is not enough for all. Each has a part of all calls (``CallLine``).
    enum Urgency: Int, Sendable, CaseIterable {
        /// What a customer does, and what is asked because an answer was lost.
        case deed
        /// What somebody waits for.
        case page
        case focus, applicationPoll
    }

    private struct State {
        var budget: RequestBudget
        var shares = CallShares()
        var lines: [RequestBudget.Kind: CallLine] = [:]
        /// How many calls of each account wait.
        var counts: [Int64: Int] = [:]
        /// How many calls of all accounts wait: those of polls.
        var pollCount = 0
        /// Those that were made and do not wait yet. Who is cancelled meanwhile is taken out.
        var coming: Set<Int> = []
        var newest = 0
        var timer: (due: Duration, task: Task<Void, Never>)?

        var waitingCount: Int { lines.values.reduce(0) { $0 + $1.count } }

        func waiting(of account: Int64?) -> Int { account.flatMap { counts[$0] } ?? 0 }

        mutating func add(_ waiter: CallLine.Waiter, _ kind: RequestBudget.Kind) {
            lines[kind, default: CallLine()].add(waiter, behind: waiting(of: waiter.account))
            if let account = waiter.account { counts[account, default: 0] += 1 } else { pollCount += 1 }
        }

        /// One has left the lines.
        mutating func left(_ waiter: CallLine.Waiter) {
            guard let account = waiter.account else {
                pollCount -= 1
                return
            }
            guard let count = counts[account] else { return }
            counts[account] = count > 1 ? count - 1 : nil
        }

        /// Takes out those that the budget allows to begin. Returns in how long the next one may, too.
        mutating func begin(at now: Duration) -> (going: [CallLine.Waiter], wait: Duration?) {
            var (going, wait): ([CallLine.Waiter], Duration?) = ([], nil)
            for kind in RequestBudget.Kind.allCases {
                guard var line = lines.removeValue(forKey: kind) else { continue }
                while line.count > 0 {
                    if let pause = budget.wait(kind, at: now) {
                        wait = min(wait ?? pause, pause)
                        break
                    }
                    var scopeWait: Duration?
                    let next = line.next { waiter in
                        guard let pause = waiter.scope.flatMap({ budget.wait(inScope: $0, at: now) }) else {
                            return true
                        }
                        scopeWait = min(scopeWait ?? pause, pause)
                        return false
                    }
                    guard let next else {
                        if let scopeWait { wait = min(wait ?? scopeWait, scopeWait) }
                        break
                    }
                    _ = budget.take(kind, scope: next.scope, at: now)
                    began(kind, next.account, at: now)
                    left(next)
                    going.append(next)
                }
                lines[kind] = line
            }
            return (going, wait)
        }

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
    /// The most of them that are polls'.
    static let pollShare = limit / 2

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
            guard state.waitingCount < Self.limit, state.waiting(of: account) < Self.share,
                account != nil || state.pollCount < Self.pollShare
            else { return nil }
            state.newest += 1
            state.coming.insert(state.newest)
            return state.newest
        }
        guard let number else { throw ChatError(.serverError, "Too many calls to the platform wait for their turn.") }
        let mayBegin = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = CallLine.Waiter(
                    number: number, urgency: urgency, scope: scope, account: account, level: urgency.rawValue,
                    continuation: continuation)
                enqueue(waiter, kind)
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
            guard state.waitingCount == 0, state.budget.take(kind, at: now) == nil else { return false }
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
    var waitingCount: Int { state.withLock { $0.waitingCount } }

    private func enqueue(_ waiter: CallLine.Waiter, _ kind: RequestBudget.Kind) {
        let now = elapsed()
        let waits = state.withLock { state in
            guard state.coming.remove(waiter.number) != nil else { return false }
            var waiter = waiter
            if let account = waiter.account {
                waiter.level += state.shares.steps(
                    of: account, waiting: state.waiting(of: account), limit: state.budget.limit(of: kind, at: now),
                    at: now)
            }
            state.add(waiter, kind)
            return true
        }
        if waits { proceed() } else { waiter.continuation.resume(returning: false) }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state -> CallLine.Waiter? in
            if state.coming.remove(number) != nil { return nil }
            for kind in RequestBudget.Kind.allCases {
                guard let waiter = state.lines[kind]?.remove(number) else { continue }
                state.left(waiter)
                return waiter
            }
            return nil
        }
        waiter?.continuation.resume(returning: false)
    }

    /// Lets go whom the budget allows, and looks again when it allows the next one.
    private func proceed() {
        let now = elapsed()
        let going = state.withLock { state in
            let (going, wait) = state.begin(at: now)
            setTimer(wait.map { now + $0 }, at: now, &state)
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
