import Chat
import ChatModel
import ChatStore
import Formats
import Synchronization

/// Wakes when the customer of a live chat has been silent for long enough.
///
/// What is due, and when, stands in the store; this only sleeps until the first of it. Nothing sleeps while nothing is due.
/// When the clock of the day is moved, what is due is moved with it: who was silent for a minute is not asked a day later, nor
/// is everybody asked at once.
final class InactivityTimer: Sendable {
    private struct State {
        var due: Timestamp?
        var task: Task<Void, Never>?
        /// What the clock of the day said when it was last looked at, and what the other clock said then.
        var lastLook: (day: Timestamp, elapsed: Duration)
        /// By how much the clock of the day was moved, which the store does not know yet.
        var move: Int64 = 0
    }
    private let state: Mutex<State>
    private let store: ChatStore
    private let clock: any Clock<Duration>
    private let positions: QueuePositions
    /// How long the timer exists, by a clock that nobody moves.
    private let elapsed: @Sendable () -> Duration

    /// Threads that are looked at in one unit, so that no send waits long.
    private static let batch = 64
    /// After a unit has failed, for instance because the disk was full.
    private static let retryInMilliseconds: Int64 = 5000
    /// Smaller moves of the clock are left alone.
    private static let smallestMove: Int64 = 10_000

    init(store: ChatStore, clock: any Clock<Duration>, positions: QueuePositions) {
        self.store = store
        self.clock = clock
        self.positions = positions
        elapsed = Self.stopwatch(clock)
        state = Mutex(State(lastLook: (store.environment.now(), .zero)))
    }

    private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Sees whether the clock of the day was moved.
    private func look(_ state: inout State) {
        let now = (day: store.environment.now(), elapsed: elapsed())
        let move = now.day.milliseconds - state.lastLook.day.milliseconds - (now.elapsed - state.lastLook.elapsed).milliseconds
        if abs(move) >= Self.smallestMove { state.move += move }
        state.lastLook = now
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Sees to it that the timer wakes at this time, or before.
    func set(_ time: Timestamp) {
        state.withLock { state in
            look(&state)
            if state.move == 0, let due = state.due, due <= time { return }
            state.task?.cancel()
            state.due = time
            // What the store has is moved first.
            let delay: Duration = state.move == 0
                ? .milliseconds(max(0, time.milliseconds - state.lastLook.day.milliseconds)) : .zero
            state.task = Task { [weak self, clock] in
                guard (try? await clock.sleep(for: delay)) != nil else { return }
                await self?.wake()
            }
        }
    }

    /// Sets the timer to what the store says, at the start.
    func start() async throws(ChatError) {
        if let next = try await store.read({ try $0.nextInactivity() }) { set(next) }
    }

    private func wake() async {
        let move = state.withLock { state in
            look(&state)
            defer { (state.due, state.task, state.move) = (nil, nil, 0) }
            return state.move
        }
        do throws(ChatError) {
            let (live, next) = try await store.write { transaction in
                var live = LiveWork()
                if move != 0 { try transaction.moveInactivity(by: move) }
                for var record in try transaction.dueForInactivity(at: transaction.now, limit: Self.batch) {
                    try live.expire(&record, in: transaction)
                }
                return (live, try transaction.nextInactivity())
            }
            live.publish(to: store.feed, self, positions)
            if let next { set(next) }
        } catch {
            guard error.code != .shuttingDown else { return }
            set(store.environment.now().advanced(byMilliseconds: Self.retryInMilliseconds))
            // Only now: it is for the next wake, and not a reason to wake at once.
            state.withLock { $0.move += move }
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
