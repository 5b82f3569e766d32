import Synchronization

/// Gives the first of several answers to the one who waits; the others are dropped.
final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case done
    }
    private let state = Mutex(State.open)

    var isGiven: Bool {
        state.withLock { state in
            switch state {
            case .open, .waited: false
            case .given, .done: true
            }
        }
    }

    /// Resumes the continuation with the first answer, at once if it is there already.
    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let answer = state.withLock { state -> Result<Value, any Error>? in
            guard case .given(let answer) = state else {
                state = .waited(continuation)
                return nil
            }
            state = .done
            return answer
        }
        if let answer { continuation.resume(with: answer) }
    }

    func give(_ answer: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .open:
                state = .given(answer)
                return nil
            case .waited(let continuation):
                state = .done
                return continuation
            case .given, .done: return nil
            }
        }
        waiting?.resume(with: answer)
    }
}
