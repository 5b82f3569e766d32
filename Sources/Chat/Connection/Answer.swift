import ChatModel
import Synchronization

/// A result that is given once, and the task that waits for it. Either may come first, on any thread.
///
/// There is no time limit here. Whoever makes an answer must see to it that a result is given, with a ``Deadline`` for
/// example; otherwise the waiting task never continues.
public final class Answer<T: Sendable>: Sendable {
    private struct State {
        var result: Result<T, ChatError>?
        var waiter: CheckedContinuation<Result<T, ChatError>, Never>?
    }
    private let state = Mutex(State())

    public init() {}

    /// Gives the result. Only the first one counts; later ones are dropped.
    public func give(_ result: Result<T, ChatError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<T, ChatError>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    /// Waits until the result is given. Only one task may wait: a second one would take the first one's place, which
    /// would then wait for ever.
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
