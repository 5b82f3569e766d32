import Synchronization

/// A clock that moves only when a test says so.
public final class ManualClock: Clock, Sendable {
    public struct Instant: InstantProtocol {
        public var offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var next = 0
        var sleepers: [Int: (deadline: Instant, wake: CheckedContinuation<Void, any Error>)] = [:]
    }
    private let state = Watched(State())

    public init() {}

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .zero }

    /// How many sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// How many have ever begun to sleep.
    public var sleepCount: Int { state.withLock { $0.next } }

    /// How long the first of the sleepers still sleeps; nil if nobody does.
    public var nextWaking: Duration? {
        state.withLock { state in state.sleepers.values.map { state.now.duration(to: $0.deadline) }.min() }
    }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                enum Outcome { case sleeps, due, cancelled }
                let outcome = state.change { state -> Outcome in
                    if Task.isCancelled { return .cancelled }
                    if deadline <= state.now { return .due }
                    state.sleepers[id] = (deadline, continuation)
                    return .sleeps
                }
                switch outcome {
                case .sleeps: break
                case .due: continuation.resume()
                case .cancelled: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            state.change { $0.sleepers.removeValue(forKey: id) }?.wake.resume(throwing: CancellationError())
        }
    }

    /// Moves the time, and wakes those whose time has come, the earliest first.
    public func advance(by duration: Duration) {
        let due = state.change { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.wake.resume() }
    }
}
