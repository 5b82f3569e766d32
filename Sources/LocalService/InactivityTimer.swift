import Chat
import ChatModel
import ChatStore
import Synchronization

/// Wakes when the customer of a live chat has been silent for long enough.
///
/// What is due, and when, stands in the store; this only sleeps until the first of it. Nothing sleeps while nothing is due.
final class InactivityTimer: Sendable {
    private struct State {
        var due: Timestamp?
        var task: Task<Void, Never>?
    }
    private let state = Mutex(State())
    private let store: ChatStore
    private let clock: any Clock<Duration>
    private let positions: QueuePositions

    /// Threads that are looked at in one unit, so that no send waits long.
    private static let batch = 64
    /// After a unit has failed, for instance because the disk was full.
    private static let retryInMilliseconds: Int64 = 5000

    init(store: ChatStore, clock: any Clock<Duration>, positions: QueuePositions) {
        self.store = store
        self.clock = clock
        self.positions = positions
    }

    deinit { state.withLock { $0.task }?.cancel() }

    /// Sees to it that the timer wakes at this time, or before.
    func set(_ time: Timestamp) {
        state.withLock { state in
            if let due = state.due, due <= time { return }
            state.task?.cancel()
            state.due = time
            let delay = Duration.milliseconds(max(0, time.milliseconds - store.environment.now().milliseconds))
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
        state.withLock { ($0.due, $0.task) = (nil, nil) }
        do throws(ChatError) {
            let (live, next) = try await store.write { transaction in
                var live = LiveWork()
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
        }
    }
}
