import ChatModel
import Synchronization

/// A result that is given once, and the one who waits for it; either may come first.
///
/// An answer has no time limit of its own: who makes one also sees to it that it is given, by a ``Deadline`` for example.
public final class Answer<T: Sendable>: Sendable {
    private struct State {
        var result: Result<T, ChatError>?
        var waiter: CheckedContinuation<Result<T, ChatError>, Never>?
    }
    private let state = Mutex(State())

    public init() {}

    /// Later results are dropped.
    public func give(_ result: Result<T, ChatError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<T, ChatError>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    /// Waits until the result is given. Only one may wait at a time.
    public func value() async -> Result<T, ChatError> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<T, ChatError>? in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
