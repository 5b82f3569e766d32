import ChatModel
import Synchronization

/// A result that is given once, and the one who waits for it; either may come first.
final class Answer<T: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Result<T, ChatError>, Never>)
        case given(Result<T, ChatError>)
        case done
    }

    private let state = Mutex(State.empty)

    func wait(_ continuation: CheckedContinuation<Result<T, ChatError>, Never>) {
        let given = state.withLock { state -> Result<T, ChatError>? in
            if case .given(let result) = state {
                state = .done
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        if let given { continuation.resume(returning: given) }
    }

    /// Later results are dropped.
    func give(_ result: Result<T, ChatError>) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<T, ChatError>, Never>? in
            switch state {
            case .empty:
                state = .given(result)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .given, .done:
                return nil
            }
        }
        waiting?.resume(returning: result)
    }
}
