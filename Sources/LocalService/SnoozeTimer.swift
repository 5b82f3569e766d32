import Chat
import ChatModel
import ChatStore
import Formats
import Synchronization

/// Brings snoozed threads back into the desk's list when their time has come. The times are in the store; the timer sleeps
/// until the earliest one, and does not run when there is none.
///
/// A snooze ends at a time of day. So the timer looks at the clock once a minute: somebody may have set it.
///
/// Any task may call it.
final class SnoozeTimer: Sendable {
    private let due = Mutex<(time: Timestamp, task: Task<Void, Never>)?>(nil)
    private let store: ChatStore
    private let clock: any Clock<Duration>

    /// In milliseconds: the longest sleep, and the pause after a unit has failed.
    private static let (longest, pause): (Int64, Int64) = (60_000, 5000)
    /// The most threads that one unit wakes, so that no send waits long.
    private static let batch = 64

    init(store: ChatStore, clock: any Clock<Duration>) {
        self.store = store
        self.clock = clock
    }

    deinit { due.withLock { $0?.task.cancel() } }

    /// Sets the timer to the earliest time in the store. Called once, when the service starts.
    func start() async throws(ChatError) {
        if let next = try await store.read({ try $0.nextSnooze() }) { set(next) }
    }

    /// Makes the timer wake threads at this time, unless it does so earlier anyway.
    func set(_ time: Timestamp) {
        due.withLock { due in
            if let due, due.time <= time { return }
            due?.task.cancel()
            due = (time, Task { [weak self] in await self?.run(until: time) })
        }
    }

    private func run(until time: Timestamp) async {
        while true {
            let left = time.milliseconds - store.environment.now().milliseconds
            if left <= 0 { break }
            guard (try? await clock.sleep(for: .milliseconds(min(left, Self.longest)))) != nil else { return }
        }
        due.withLock { $0 = nil }
        do throws(ChatError) {
            if let next = try await wake() { set(next) }
        } catch {
            guard error.code != .shuttingDown else { return }
            set(store.environment.now().advanced(byMilliseconds: Self.pause))
        }
    }

    /// Wakes at most ``batch`` threads. Returns when the next one is due.
    private func wake() async throws(ChatError) -> Timestamp? {
        try await store.write { transaction in
            transaction.actor = .system
            for var record in try transaction.dueSnoozes(at: transaction.now, limit: Self.batch) {
                try transaction.wake(&record)
            }
            return try transaction.nextSnooze()
        }
    }
}

extension WriteTransaction {
    /// Brings the thread back into the desk's list. An open one stands there among those that wait: somebody wanted to be
    /// reminded of it. Its customer, who does not wait, learns nothing of it.
    func wake(_ record: inout ThreadRecord) throws {
        record.endSnooze()
        record.team.remindedAt = now
        try saveForDesk(&record)
    }
}
