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
        Task.detached {
            do throws(ChatError) {
                answer.give(.success(try await request()))
            } catch {
                answer.give(.failure(error))
            }
        }
        let result = await answer.value()
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
