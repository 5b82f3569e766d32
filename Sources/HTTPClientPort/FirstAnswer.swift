import Synchronization

/// Gives the first of several answers to the one task that waits; later answers are dropped. Any thread may give one.
final class FirstAnswer<Value: Sendable>: Sendable {
    /// `waited` has a continuation and no answer yet, `given` an answer that nobody has waited for yet.
    private enum State {
        case open
        case waited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case done
    }
    private let state = Mutex(State.open)

    /// Whether an answer was given, so that further work for one is of no use.
    var isGiven: Bool {
        state.withLock { state in
            switch state {
            case .open, .waited: false
            case .given, .done: true
            }
        }
    }

    /// Resumes the continuation with the first answer, at once if it is there already. To be called once.
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

    /// Gives an answer. Only the first call has an effect.
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
