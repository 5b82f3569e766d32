import Bounds
import MicroHTTP
import Synchronization

/// A handler that can be exchanged while the server runs, so that a standby that takes over keeps its port. Between two
/// handlers requests may wait. Any thread may exchange it.
public final class HandlerSwitch: HTTPHandler {
    private struct State {
        var handler: any HTTPHandler
        /// Those who wait for the next handler; nil while nobody has to.
        var waiting: [@Sendable () -> Void]?
        /// How often requests had to wait. The limit of an earlier time ends no later one.
        var holds = 0
        /// Requests that tasks answer now.
        var running = 0
        /// Called when there are none.
        var idle: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>

    public init(_ handler: any HTTPHandler) { state = Mutex(State(handler: handler)) }

    /// Requests from now on go to this handler, and so do those that wait. What was begun goes on where it began.
    public func turn(to handler: any HTTPHandler) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.handler = handler
            return state.waiting ?? []
        }
        for go in waiting { go() }
    }

    /// Lets requests from now on wait for ``turn(to:)``, at the latest until the limit. Probes are answered.
    public func hold(atMost limit: Duration) {
        let hold = state.withLock { state in
            state.waiting = state.waiting ?? []
            state.holds += 1
            return state.holds
        }
        Task { [weak self] in
            try await Task.sleep(for: limit)
            guard let self, state.withLock({ $0.holds == hold }) else { return }
            letGo()
        }
    }

    /// Lets those go on that wait, with the handler that there is.
    public func letGo() { turn(to: handler) }

    /// Returns when no task answers a request any more, but for those that wait; at the latest after the limit.
    public func finishRunning(within limit: Duration) async {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        let isIdle = state.withLock { state in
            if state.running > 0 { state.idle.append { continuation.finish() } }
            return state.running == 0
        }
        if isIdle { return }
        let alarm = Task {
            try await Task.sleep(for: limit)
            continuation.finish()
        }
        for await _ in end {}
        alarm.cancel()
    }

    /// How many requests wait.
    package var waitingCount: Int { state.withLock { $0.waiting?.count ?? 0 } }

    private var handler: any HTTPHandler { state.withLock { $0.handler } }

    private func mustWait(_ request: HTTPRequest) -> Bool {
        state.withLock { $0.waiting != nil } && !["/livez", "/readyz", "/metrics"].contains(request.path)
    }

    /// Whoever must wait is admitted by the handler that answers.
    public func admit(_ head: inout HTTPRequest) -> HTTPAdmission { mustWait(head) ? .accept : handler.admit(&head) }
    public func holder(of head: HTTPRequest) -> Holder { handler.holder(of: head) }
    public func bodyLimit(for head: HTTPRequest) -> Int? { handler.bodyLimit(for: head) }
    public func isAlwaysAnswered(_ request: HTTPRequest) -> Bool { handler.isAlwaysAnswered(request) }
    public func endsWithClient(_ request: HTTPRequest) -> Bool { handler.endsWithClient(request) }

    public func respond(to request: HTTPRequest) -> HTTPReply {
        guard mustWait(request) else { return counted(handler.respond(to: request)) }
        return .prompt { [self] in
            await turned()
            return await begin(request)
        }
    }

    public func refusal(_ refusal: HTTPRefusal, head: HTTPRequest?) -> HTTPResponse {
        handler.refusal(refusal, head: head)
    }
    public func finished(_ summary: RequestSummary) { handler.finished(summary) }

    /// Returns when another handler is there.
    private func turned() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.waiting?.append { continuation.resume() }
                return state.waiting != nil
            }
            if !isHeld { continuation.resume() }
        }
    }

    /// Admits and answers a request that has waited, whose body is there. On the loop's thread.
    private func begin(_ request: HTTPRequest) async -> HTTPResponse {
        var head = request
        head.body = []
        head.findings = nil
        let handler = handler
        var admission = handler.admit(&head)
        if case .later(let decide) = admission { admission = await decide() }
        if case .refuse(let response) = admission { return response }
        head.body = request.body
        switch counted(handler.respond(to: head)) {
        case .now(let response): return response
        case .later(let work), .prompt(let work): return await work()
        }
    }

    /// The same reply, counted while it runs.
    private func counted(_ reply: HTTPReply) -> HTTPReply {
        switch reply {
        case .now: return reply
        case .later(let work):
            count(1)
            return .later { [self] in
                defer { count(-1) }
                return await work()
            }
        case .prompt(let work):
            count(1)
            return .prompt { [self] in
                defer { count(-1) }
                return await work()
            }
        }
    }

    private func count(_ change: Int) {
        let idle = state.withLock { state in
            state.running += change
            guard state.running == 0 else { return [] as [@Sendable () -> Void] }
            defer { state.idle = [] }
            return state.idle
        }
        for go in idle { go() }
    }
}
