import ChatModel
import Synchronization

/// Requests that wait for their service, so that none hangs when the connection goes.
final class PendingRequests: Sendable {
    private struct State {
        var round = 0
        var next = 0
        var waiting: [Int: @Sendable (ChatError) -> Void] = [:]
    }
    private let state = Mutex(State())

    /// Counts failures of all; taken together with the connection that a request is for.
    var round: Int { state.withLock { $0.round } }

    /// Runs a request, and returns its result, or the error with which all were failed, whichever comes first.
    ///
    /// A request that was failed runs on: it may have reached the service. Its result is dropped.
    /// - Parameter round: throws `notConnected` if all were failed since.
    func run<T: Sendable>(
        in round: Int, _ request: @escaping @Sendable () async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        let answer = Answer<T>()
        let id = state.withLock { state -> Int? in
            guard state.round == round else { return nil }
            state.next += 1
            state.waiting[state.next] = { answer.give(.failure($0)) }
            return state.next
        }
        guard let id else { throw ChatError(.notConnected, "The connection to the service was lost.") }
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
        state.withLock { $0.waiting[id] = nil }
        return try result.get()
    }

    func fail(_ error: ChatError) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.round += 1
            return state.waiting.values
        }
        for fail in waiting { fail(error) }
    }

    var count: Int { state.withLock { $0.waiting.count } }
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
