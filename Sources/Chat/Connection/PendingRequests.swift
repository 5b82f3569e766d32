import ChatModel
import Synchronization

/// The requests of a session that wait for its service. When the connection is lost, all of them fail at once. Every
/// call may come from any task.
final class PendingRequests: Sendable {
    private struct State {
        var round = 0
        /// How to fail each request, by the identity of its ``Answer``.
        var waiting: [ObjectIdentifier: @Sendable (ChatError) -> Void] = [:]
    }
    private let state = Mutex(State())

    /// Counts how often all waiting requests were made to fail. Read it together with the connection, and pass it to
    /// ``run(in:_:)``: a request on a connection that was given up fails at once.
    var round: Int { state.withLock { $0.round } }

    /// Runs a request, and returns its result, or throws the error of ``fail(_:)``, whichever comes first.
    ///
    /// A request that was failed is not cancelled, because it may have reached the service. Its result is dropped.
    ///
    /// - Parameter round: the ``round`` of the connection that the request uses. Throws `notConnected` at once if that
    ///   connection was lost since.
    func run<T: Sendable>(
        in round: Int, _ request: @escaping @Sendable () async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        let answer = Answer<Result<T, ChatError>>()
        let id = ObjectIdentifier(answer)
        let isCurrent = state.withLock { state in
            if state.round == round { state.waiting[id] = { answer.give(.failure($0)) } }
            return state.round == round
        }
        guard isCurrent else { throw ChatError(.notConnected, "The connection to the service was lost.") }
        defer { state.withLock { $0.waiting[id] = nil } }
        Task.detached { await answer.give(resultOf: request) }
        return try await answer.value().get()
    }

    /// The connection was lost: each request that waits throws this error, and a new round begins.
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
