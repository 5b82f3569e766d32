import Synchronization

/// Ends calls whose time is over, all of them by one timer.
///
/// A timer for each call costs more than a quick call does. Here a call only puts itself into the bucket of its
/// deadline, and takes itself out when it ends. One task sleeps until the earliest deadline.
final class CallDeadlines: Sendable {
    /// Deadlines are rounded up to a multiple of this.
    private static let tick = Duration.milliseconds(20)

    private struct State {
        /// What cancels the calls of each deadline, which is in ticks after `start`. No bucket is empty.
        var buckets: [Int64: [Int: @Sendable () -> Void]] = [:]
        var lastCall = 0
        /// When the sleeper wakes that counts; nil when there is none.
        var wakesAt: Int64?
    }
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    /// Calls that run now.
    var count: Int { state.withLock { $0.buckets.values.reduce(0) { $0 + $1.count } } }

    /// Runs a call, and cancels it when its time is over; then it throws `HTTPCallError.timeout`.
    ///
    /// The call is cancelled, too, when the task that waits for it is. Either way this returns when the call has ended.
    func run<T: Sendable>(
        until deadline: ContinuousClock.Instant, _ call: @escaping @Sendable () async throws -> T
    ) async throws -> T {
        let task = Task { try await call() }
        let isLate = Flag()
        let entry = add(until: deadline) {
            isLate.set()
            task.cancel()
        }
        defer { remove(entry) }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        // A call that was cancelled may return what it has: half of a body.
        if isLate.isSet { throw HTTPCallError.timeout }
        try Task.checkCancellation()
        return try result.get()
    }

    /// A call's place among the deadlines.
    struct Entry: Sendable {
        fileprivate var tick: Int64
        fileprivate var number: Int
    }

    /// Puts a call into the bucket of its deadline, unless it ends before: then ``remove(_:)`` takes it out.
    func add(until deadline: ContinuousClock.Instant, _ cancel: @escaping @Sendable () -> Void) -> Entry {
        let tick = Int64(start.duration(to: deadline) / Self.tick) + 1
        let (entry, isEarliest) = state.withLock { state in
            state.lastCall += 1
            state.buckets[tick, default: [:]][state.lastCall] = cancel
            let isEarliest = state.wakesAt.map { tick < $0 } ?? true
            if isEarliest { state.wakesAt = tick }
            return (Entry(tick: tick, number: state.lastCall), isEarliest)
        }
        if isEarliest { sleep(until: tick) }
        return entry
    }

    func remove(_ entry: Entry) {
        state.withLock { state in
            state.buckets[entry.tick]?[entry.number] = nil
            if state.buckets[entry.tick]?.isEmpty == true { state.buckets[entry.tick] = nil }
        }
    }

    private func sleep(until tick: Int64) {
        Task.detached { [self] in
            try? await ContinuousClock().sleep(until: start + Self.tick * Int(tick))
            wake(at: tick)
        }
    }

    /// Cancels the calls whose time is over, and sleeps until the next deadline if there is one.
    private func wake(at tick: Int64) {
        let (late, next) = state.withLock { state -> ([@Sendable () -> Void], Int64?) in
            // A call with an earlier deadline came meanwhile: its sleeper counts.
            guard state.wakesAt == tick else { return ([], nil) }
            // By their deadlines, however late this is.
            let due = state.buckets.keys.filter { $0 <= tick }.sorted().compactMap {
                state.buckets.removeValue(forKey: $0)
            }
            state.wakesAt = state.buckets.keys.min()
            return (due.flatMap(\.values), state.wakesAt)
        }
        for cancel in late { cancel() }
        if let next { sleep(until: next) }
    }
}

/// A fact that becomes true once. Any thread may set and read it.
final class Flag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
