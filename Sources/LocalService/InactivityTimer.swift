import Chat
import ChatModel
import ChatStore
import Formats
import Synchronization

/// Wakes up when the customer of a live chat has been silent for too long, and has ``LiveChatWork`` act.
///
/// The due times are rows in the store. The timer only sleeps until the earliest of them, and does not run when there
/// is none.
///
/// Due times are times of day. When the system clock is set forward or back, the timer moves all due times by the
/// same amount: otherwise a customer who was silent for a minute would be asked a day later, or all customers at
/// once.
///
/// Any task may call it.
final class InactivityTimer: Sendable {
    private struct State {
        /// When the task wakes up; nil when nothing is due.
        var due: Timestamp?
        var task: Task<Void, Never>?
        /// Both clocks at the last look: the system's time of day, and ``elapsed``. Their difference shows when the
        /// system clock was set.
        var lastLook: (day: Timestamp, elapsed: Duration)
        /// By how many milliseconds the system clock was set, as far as the due times in the store were not moved
        /// yet.
        var move: Int64 = 0
    }
    private let state: Mutex<State>
    private let store: ChatStore
    private let clock: any Clock<Duration>
    private let positions: QueueAnnouncer
    private let typing: TypingReports
    /// The time since the timer was made, by a clock that nobody sets.
    private let elapsed: @Sendable () -> Duration

    /// At most this many threads are handled in one unit, so that no send waits long.
    private static let batch = 64
    /// The pause after a unit has failed, for instance because the disk was full.
    private static let retryInMilliseconds: Int64 = 5000
    /// Smaller differences of the two clocks are ignored. In milliseconds.
    private static let smallestMove: Int64 = 10_000

    init(store: ChatStore, clock: any Clock<Duration>, positions: QueueAnnouncer, typing: TypingReports) {
        self.store = store
        self.clock = clock
        self.positions = positions
        elapsed = clock.stopwatch()
        self.typing = typing
        state = Mutex(State(lastLook: (store.environment.now(), .zero)))
    }

    /// Compares the two clocks, and adds a new difference to ``State/move``.
    private func noteClockMove(_ state: inout State) {
        let now = (day: store.environment.now(), elapsed: elapsed())
        let move =
            now.day.milliseconds - state.lastLook.day.milliseconds - (now.elapsed - state.lastLook.elapsed).milliseconds
        if abs(move) >= Self.smallestMove { state.move += move }
        state.lastLook = now
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Makes the timer wake up at this time, unless it wakes up earlier anyway.
    ///
    /// When the system clock was set since the last look, it wakes up at once and moves the due times first.
    func set(_ time: Timestamp) {
        state.withLock { state in
            noteClockMove(&state)
            if state.move == 0, let due = state.due, due <= time { return }
            state.task?.cancel()
            state.due = time
            // The due times in the store have to be moved first.
            let delay: Duration =
                state.move == 0
                ? .milliseconds(max(0, time.milliseconds - state.lastLook.day.milliseconds)) : .zero
            state.task = Task { [weak self, clock] in
                guard (try? await clock.sleep(for: delay)) != nil else { return }
                await self?.wake()
            }
        }
    }

    /// Sets the timer to the earliest due time in the store. Called once, when the service starts.
    func start() async throws(ChatError) {
        if let next = try await store.read({ try $0.nextInactivity() }) { set(next) }
    }

    /// Handles at most ``batch`` threads that are due, and sets the timer to the next due time. After a failure it
    /// tries again in 5 seconds, except while the store shuts down.
    private func wake() async {
        let move = state.withLock { state in
            noteClockMove(&state)
            defer { (state.due, state.task, state.move) = (nil, nil, 0) }
            return state.move
        }
        do throws(ChatError) {
            let (live, next) = try await store.write { transaction in
                var live = LiveChatWork()
                if move != 0 { try transaction.moveInactivity(by: move) }
                transaction.actor = .system
                for var record in try transaction.dueForInactivity(at: transaction.now, limit: Self.batch) {
                    try live.expire(&record, in: transaction)
                }
                return (live, try transaction.nextInactivity())
            }
            live.publish(to: store.feed, self, positions, typing)
            if let next { set(next) }
        } catch {
            guard error.code != .shuttingDown else { return }
            set(store.environment.now().advanced(byMilliseconds: Self.retryInMilliseconds))
            // Added after `set`: otherwise `set` would see the move and wake up at once.
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
