import ChatModel
import Synchronization

/// Requests that wait for their service, so that none hangs when the connection goes.
final class PendingRequests: Sendable {
    private let failures = Mutex<(next: Int, waiting: [Int: @Sendable (ChatError) -> Void])>((0, [:]))

    /// Runs a request, and returns its result, or the error with which all were failed, whichever comes first.
    ///
    /// A request that was failed runs on: it may have reached the service. Its result is dropped.
    func run<T: Sendable>(_ request: @escaping @Sendable () async throws(ChatError) -> T) async throws(ChatError) -> T {
        let answer = Answer<T>()
        let id = failures.withLock { failures in
            failures.next += 1
            failures.waiting[failures.next] = { answer.give(.failure($0)) }
            return failures.next
        }
        let result: Result<T, ChatError> = await withCheckedContinuation { continuation in
            answer.wait(continuation)
            Task.detached {
                do throws(ChatError) {
                    answer.give(.success(try await request()))
                } catch {
                    answer.give(.failure(error))
                }
            }
        }
        failures.withLock { $0.waiting[id] = nil }
        return try result.get()
    }

    func fail(_ error: ChatError) {
        let waiting = failures.withLock { failures in
            defer { failures.waiting = [:] }
            return failures.waiting.values
        }
        for fail in waiting { fail(error) }
    }

    var count: Int { failures.withLock { $0.waiting.count } }
}

/// A result that is given once, and the one who waits for it; either may come first.
private final class Answer<T: Sendable>: Sendable {
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
