import Synchronization

/// Wakes tests that wait for a condition, each time something that a test can see has changed.
///
/// Clocks, journals, flags, scripted platforms and the feeds of opened stores tell of each change. What does not tell is
/// looked at again after ``pause``. The changes of the whole process are one: a test that is woken by another one's
/// change looks once in vain.
public enum Changes {
    /// How long a condition that nobody tells of waits for its next look.
    public static let pause = Duration.milliseconds(5)

    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isTicking = false
    }
    private static let state = Mutex(State())
    /// A condition may use what tells of a change: then nobody is woken, else tests would wake each other without end.
    @TaskLocal static var isLooking = false

    /// Something has changed.
    public static func tell() {
        guard !isLooking else { return }
        wake { $0.count += 1 }
    }

    /// How often something has changed.
    static var count: Int { state.withLock { $0.count } }

    /// Returns when something has changed since the count, or after ``pause``.
    static func next(after count: Int) async {
        await withCheckedContinuation { continuation in
            let (isNow, ticks) = state.withLock { state in
                guard state.count == count else { return (true, false) }
                state.waiting.append(continuation)
                defer { state.isTicking = true }
                return (false, !state.isTicking)
            }
            if isNow { continuation.resume() }
            if ticks {
                Task {
                    try? await Task.sleep(for: pause)
                    wake { $0.isTicking = false }
                }
            }
        }
    }

    private static func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }
}

/// A value behind a lock; each access through ``change(_:)`` tells of a change.
public final class Watched<Value>: Sendable {
    private let value: Mutex<Value>

    public init(_ value: consuming sending Value) { self.value = Mutex(value) }

    /// Reads the value.
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result { try value.withLock(body) }

    /// Changes the value, and tells of it when the lock is free again.
    public func change<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        defer { Changes.tell() }
        return try value.withLock(body)
    }
}
