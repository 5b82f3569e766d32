import ChatModel
import ChatStore
import Synchronization

/// The requests of a session that wait for its service. When the connection is lost, all of them fail at once. Every
/// call may come from any task.
final class PendingRequests: Sendable {
    private struct State {
        var round = 0
        /// How to fail each request, by the identity of its ``Answer``, and whom to tell of the loss besides.
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
            if state.round == round { state.waiting[id] = { answer.resolve(.failure($0)) } }
            return state.round == round
        }
        guard isCurrent else { throw ChatError(.notConnected, "The connection to the service was lost.") }
        defer { state.withLock { $0.waiting[id] = nil } }
        Task.detached { await answer.resolve(resultOf: request) }
        return try await answer.value().get()
    }

    /// Calls `onLoss` when the connection of this round is lost, until ``unwatch(_:)``. Returns false if it was lost
    /// already.
    ///
    /// - Parameter owner: may watch one connection at a time.
    func watch(_ owner: AnyObject, in round: Int, onLoss: @escaping @Sendable () -> Void) -> Bool {
        let id = ObjectIdentifier(owner)
        return state.withLock { state in
            if state.round == round { state.waiting[id] = { _ in onLoss() } }
            return state.round == round
        }
    }

    /// Ends ``watch(_:in:onLoss:)``. Does nothing where the loss was told already.
    func unwatch(_ owner: AnyObject) { state.withLock { $0.waiting[ObjectIdentifier(owner)] = nil } }

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

/// A platform over one connection. When that connection is lost, each request that waits throws `notConnected` at once,
/// and so does each later one. Without it a request would wait for an answer that cannot come.
///
/// Messages are sent by ``MessagesInFlight``, which hears itself of the loss.
struct BoundPlatform: Sendable {
    let platform: any RemotePlatform
    let pending: PendingRequests
    /// The value of ``PendingRequests/round`` when the connection was taken.
    let round: Int

    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.messages(of: thread, query) }
    }

    func messageChanges(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges {
        try await pending.run(in: round) { () throws(ChatError) in
            try await platform.messageChanges(of: thread, since: position)
        }
    }

    func threads(after token: String?) async throws(ChatError) -> ThreadPage {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.threads(after: token) }
    }

    func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges {
        try await pending.run(in: round) { () throws(ChatError) in try await platform.threadChanges(since: token) }
    }

    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        try await pending.run(in: round) { () throws(ChatError) in
            try await platform.message(sentAs: requestID, in: thread)
        }
    }
}

/// Requests of the session's client, over the connection that is there.
extension SessionConnection {
    /// Runs a request on the session's connection.
    ///
    /// On the embedded service it runs in the caller's task. On a remote one it runs in a task of its own, and is
    /// answered within the limit. Throws `notConnected` when there is no connection or when it is lost before the
    /// answer, `eventTimeout`, and what the request throws.
    nonisolated func perform<T: Sendable>(
        within limit: Duration = Deadline.limit,
        _ request: @escaping @Sendable (any ServiceConnection) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        if let embedded { return try await request(embedded) }
        guard service.isRemote else { return try await request(try await available().connection) }
        return try await Deadline(clock: clock).run(within: limit) { [self] () async throws(ChatError) -> T in
            let (connection, round) = try await available()
            return try await pending.run(in: round) { () throws(ChatError) in try await request(connection) }
        }
    }

    /// The platform behind the connection; its requests fail when the connection is lost. Throws `notConnected` when
    /// there is no connection and none is expected soon.
    nonisolated func currentPlatform() async throws(ChatError) -> BoundPlatform {
        guard let platform = bound(try await available()) else {
            throw ChatError(.notConnected, "The session's service has no platform behind it.")
        }
        return platform
    }

    /// The same, if the connection is there at this moment; nil otherwise.
    nonisolated var openPlatform: BoundPlatform? { availableNow.flatMap(bound) }

    private nonisolated func bound(_ available: Available) -> BoundPlatform? {
        available.connection.platform.map {
            BoundPlatform(platform: $0, pending: pending, round: available.round)
        }
    }

    /// A connection, and the round of ``PendingRequests`` in which it can be used.
    private typealias Available = (connection: any ServiceConnection, round: Int)

    private nonisolated var availableNow: Available? {
        let status = status
        return status.open.map { ($0, status.round) }
    }

    /// The connection. Waits for it up to 10 s while it is expected (``ConnectionMachine/isConnectionExpected``). After
    /// a failed attempt nobody waits: the error says at once why there is no connection.
    private nonisolated func available() async throws(ChatError) -> Available {
        if let availableNow { return availableNow }
        return try await expected()
    }

    private func expected() async throws(ChatError) -> Available {
        if machine.isConnectionExpected {
            // After a restart a stored session waits for its turn. A request takes it up now.
            if machine.isWaiting, machine.state == .preparing {
                _ = await settled(after: { [self] in await handle(.retryDue) })
            } else {
                _ = await settled()
            }
        }
        guard machine.state.isChatAvailable, let connection = open else {
            let cause = machine.error.map { " \($0.detail)" } ?? ""
            throw ChatError(.notConnected, "The session is \(machine.state.rawValue), not connected.\(cause)")
        }
        return (connection, pending.round)
    }
}
