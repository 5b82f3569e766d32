import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import Logging
import MicroHTTP

/// The gateway: the HTTP API of Parley, over the chat and its store.
///
/// Make it, give it to an `HTTPServer` as handler, ``attach(to:)`` that server, and start the server.
public final class GatewayApplication: HTTPHandler {
    let core: GatewayCore
    /// Fixed from the start.
    let table: RouteTable<GatewayCore>
    private let documents: Documents
    private let groups: [any RouteGroup<GatewayCore>]
    /// The beginning of all request ids, random for each run, so that ids of two runs differ.
    private let run: String

    /// Builds the route table and connects the hub with the sessions. It opens no socket.
    ///
    /// - Parameters:
    ///   - groups: further routes, of which the gateway itself knows nothing (the desk's, a sandbox's).
    /// - Throws: when a file of the configuration cannot be read.
    package init(
        configuration: GatewayConfiguration, sessions: Sessions, store: ChatStore,
        groups: [any RouteGroup<GatewayCore>] = [],
        secrets: TokenSecrets, logControl: any LogControl = FixedLogControl(), logger: Logger,
        environment: ModelEnvironment, clock: any Clock<Duration>
    ) throws {
        core = GatewayCore(
            configuration: configuration, store: store, sessions: sessions, tokens: secrets, environment: environment,
            clock: clock, logger: logger, logControl: logControl)
        sessions.collections.setListener { [hub = core.hub] news in hub.tell(news) }
        core.hub.state = { id in sessions.client(id).map { ($0.state, $0.channel.mode) } }
        core.hub.notifications = sessions.notifications
        documents = try Documents(configuration)
        let run = String(environment.makeID().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.suffix(6))
        self.run = run
        self.groups = groups
        let requests = RequestRoutes { $0.ownID ?? GatewayApplication.requestID(run, $0.request) }
        table = RouteTable(Self.routes(documents, [requests] + groups, startedAt: environment.now()))
        core.metrics.prepare(table.routes)
    }

    /// The gateway's own routes, then those of the groups.
    private static func routes(
        _ documents: Documents, _ groups: [any RouteGroup<GatewayCore>], startedAt: Timestamp
    ) -> [Route] {
        let own: [any RouteGroup<GatewayCore>] = [
            MessageRoutes(), ReplyRoutes(), AttachmentRoutes(), SearchRoutes(), ThreadRoutes(),
            CollectionRoutes(place: .session), SessionRoutes(),
            SynchronizationRoutes(), ViewingRoutes(), CustomerRoutes(), AnalyticsRoutes(), StreamRoutes(),
            ServiceRoutes(),
            InfoRoutes(startedAt: startedAt, groups: groups), LogRoutes(), AccessRoutes(), HealthRoutes(),
            MetricsRoutes(groups: groups), DocumentRoutes(documents: documents),
            PageRoutes(documents: documents) { request in groups.lazy.compactMap { $0.upgrade(request) }.first },
        ]
        return (own + groups).flatMap { $0.routes }
    }

    /// All routes in the order of registration: for the test that compares them with the OpenAPI document, and for
    /// `parley routes --json`.
    package var routes: [Route] { table.routes }

    /// Connects the application with the loop of its server. Call it once, before the server starts.
    public func attach(to loop: any GatewayLoop) {
        core.life.attach(loop)
        core.hub.attach(to: loop)
    }

    /// Makes `/readyz` answer 503 from now on, so that no new work is sent here. Requests are still answered. Any
    /// thread may call it. Pages that wait for events are answered now, for the server waits for them when it stops.
    public func drain() {
        core.life.drain()
        core.hub.waits.endAll()
        core.requests.recent.endWaits()
        for group in groups { group.drain() }
    }

    /// What keeps `/readyz` from saying 200, by name; empty when the gateway is ready.
    public func readinessFaults() async -> [String] {
        await HealthRoutes.readiness(of: core).filter { !$0.isWell }.map(\.failure)
    }

    /// A fresh path `/auth/<code>` that logs a browser in. It works once, and for ten minutes.
    public func issueLaunchPath() -> String { "/auth/\(core.launchCodes.issue().code)" }

    // MARK: HTTPHandler

    /// Checks a writing request before its body is sent, so that a refused body never travels. On the loop's thread.
    public func admit(_ head: inout HTTPRequest) -> HTTPAdmission {
        if core.configuration.trustsProxy { ForwardedOrigin.apply(to: &head) }
        if core.readsWait { return ChatStore.withoutWaiting { admitWaiting(&head) } }
        let findings = found(before: head) ?? check(head)
        head.findings = findings
        return admission(of: head, findings)
    }

    /// What the gate's findings mean for a request's body.
    func admission(of head: HTTPRequest, _ findings: Findings) -> HTTPAdmission {
        // A reading request is answered when it is complete, so that its connection stays open.
        if head.method == "GET" || head.method == "HEAD" { return .accept() }
        do {
            if let problem = findings.problem { throw problem }
            guard let checked = findings.checked else { return .accept() }
            if case .streamed(let admit) = checked.route.body { return try admit(try call(head, findings, checked)) }
            try BodyCheck.head(head, for: checked.route, limit: core.configuration.maximumBody)
            return .accept(isKnown: checked.holder.identity != .nobody)
        } catch {
            return .refuse(answer(problem(error, head), to: head))
        }
    }

    /// The limit of a route with a foreign body; nil, which means the server's default, for all others.
    public func bodyLimit(for head: HTTPRequest) -> Int? {
        guard case .foreign(let limit)? = findings(head).placed?.route.body else { return nil }
        return limit
    }

    /// True for health probes: they must be answered when the gateway is overloaded.
    public func isAlwaysAnswered(_ request: HTTPRequest) -> Bool {
        findings(request).match?.placed(.get)?.route.isProbe ?? false
    }

    /// Runs the gate, then the route's handler, on the loop's thread or in a task as the route says. Every failure
    /// becomes a problem document.
    public func respond(to request: HTTPRequest) -> HTTPReply {
        core.readsWait ? ChatStore.withoutWaiting { reply(to: request) } : reply(to: request)
    }

    private func reply(to request: HTTPRequest) -> HTTPReply {
        do throws(Problem) {
            let findings = request.findings as? Findings ?? check(request)
            if let problem = findings.problem { throw problem }
            guard let checked = findings.checked else { return .now(complete(options(request), request)) }
            if core.requests.capture.isRunning { core.requests.capture.keep(request, checked.route) }
            try BodyCheck.head(request, for: checked.route, limit: core.configuration.maximumBody)
            let call = try call(request, findings, checked)
            guard let session = checked.returning, session.isReturning else { return run(call) }
            return .later { [self] in await run(call, after: session) }
        } catch {
            return .now(answer(error, to: request))
        }
    }

    private func call(
        _ request: HTTPRequest, _ findings: Findings, _ checked: Findings.Checked
    ) throws(Problem) -> Call {
        let call = try Call(
            request, placed: checked.placed, parameters: checked.parameters, identity: checked.holder.identity,
            query: checked.query, context: core)
        if checked.query == nil { findings.checked?.query = call.query }
        return call
    }

    /// Waits until the session is back from the store, and then runs the handler as if the request had come only now.
    private func run(_ call: Call, after session: ChatClient) async -> HTTPResponse {
        await session.returned()
        let begun = Answer<HTTPReply>()
        if core.life.loop?.execute({ [self] in begun.give(run(call)) }) != true { begun.give(run(call)) }
        switch await begun.value() {
        case .now(let response): return response
        case .later(let work), .prompt(let work): return await work()
        }
    }

    /// Starts the handler on the thread that its kind asks for.
    private func run(_ call: Call) -> HTTPReply {
        switch call.placed.route.handler {
        case .now(let handler): .now(answer(call, handler))
        case .reading(let handler):
            core.readsWait ? .later { [self] in await reading(call, handler) } : .now(answer(call, handler))
        case .stream(let handler): streamed(call, handler)
        case .later(let handler): later(call, handler)
        case .prompt(let isPrompt, let handler):
            call.request.body.count <= Self.longestPromptBody && isPrompt(call)
                ? .prompt(answering(call, handler)) : later(call, handler)
        case .depending(let immediate, let handler):
            answerIfNow(call, immediate).map(HTTPReply.now) ?? later(call, handler)
        case .preparing(let prepare): prepared(call, prepare)
        }
    }

    /// A longer body is not read on the loop's thread. In bytes.
    private static let longestPromptBody = 16 << 10

    /// Opens a stream here, or has a task do what comes before the answer. A failure here is answered at once.
    private func streamed(_ call: Call, _ handler: (Call) throws -> StreamAnswer) -> HTTPReply {
        do {
            try BodyCheck.emptiness(call)
            switch try handler(call) {
            case .now(let response): return .now(complete(response, call.request))
            case .later(let work): return later(call) { _ in try await work() }
            }
        } catch {
            return .now(answer(problem(error, call.request), to: call.request))
        }
    }

    /// Runs the first step here, and the second one in a task. A failure of the first is answered at once.
    private func prepared(
        _ call: Call, _ prepare: (Call) throws -> @Sendable (Call) async throws -> HTTPResponse
    ) -> HTTPReply {
        do {
            return later(call, try prepare(call))
        } catch {
            return .now(answer(problem(error, call.request), to: call.request))
        }
    }

    /// Runs a handler on the loop's thread. On this way an idempotency key is not looked at.
    private func answer(_ call: Call, _ handler: (Call) throws -> HTTPResponse) -> HTTPResponse {
        do {
            try BodyCheck.emptiness(call)
            return complete(try handler(call), call.request)
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }

    /// The same on a thread that may wait for the store.
    private func reading(
        _ call: Call, _ handler: @escaping @Sendable (Call) throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await core.store.readingAside { [self] in answer(call, handler) }
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }

    /// The same for a handler that may leave the answer to a task; nil then.
    private func answerIfNow(_ call: Call, _ handler: (Call) throws -> HTTPResponse?) -> HTTPResponse? {
        do {
            try BodyCheck.emptiness(call)
            return try handler(call).map { complete($0, call.request) }
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }

    /// Runs a handler in a task of its own.
    private func later(_ call: Call, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse) -> HTTPReply {
        .later(answering(call, handler))
    }

    /// What a task does to answer: checks the body, completes an upload, and applies the idempotency key.
    private func answering(
        _ call: Call, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) -> @Sendable () async -> HTTPResponse {
        { [self] in
            do {
                try BodyCheck.emptiness(call)
                let upload = call.request.sink as? Upload
                // A file that no handler takes is gone before the answer goes out.
                defer { _ = upload?.take() }
                try await upload?.finish()
                return complete(try await call.idempotently(body: upload?.fingerprint, handler), call.request)
            } catch {
                return answer(problem(error, call.request), to: call.request)
            }
        }
    }

    /// The problem document for a request that the server itself refuses. A file that is too large gets the chat's own
    /// code.
    public func refusal(_ refusal: HTTPRefusal, head: HTTPRequest?) -> HTTPResponse {
        var problem =
            switch refusal.code {
            case "method": Problem(refusal.status == 501 ? .unknownMethod : .malformedRequest, refusal.detail)
            default:
                ProblemKind.all[refusal.code].map { Problem(kind: $0, detail: refusal.detail) }
                    ?? Problem(.malformedRequest, refusal.detail)
            }
        if refusal.code == HTTPProblem.bodyTooLarge.rawValue, let head, takesFile(head) {
            problem = Problem(ChatError(.invalidFileSize, refusal.detail))
        }
        problem.status = refusal.status
        if refusal.status == 503 { problem.retryAfter = 1 }
        return answer(problem, to: head)
    }

    /// Measures and logs a request after its answer has ended. On the loop's thread.
    public func finished(_ summary: RequestSummary) {
        let request = summary.request
        let findings = findings(request)
        let placed = findings.placed
        // The duration of a stream, or of a page that waits, is the client's choice and says nothing about the
        // gateway. So they are not measured.
        if placed?.route.isStream != true || summary.status >= 300 {
            core.metrics.observe(placed?.route.index, status: summary.status, duration: summary.duration)
        }
        core.requests.finished(summary, findings)
        AccessLog.write(summary, route: placed?.route, requestID: requestID(request), to: core.logger)
    }

    /// Whether the path takes files by POST.
    private func takesFile(_ request: HTTPRequest) -> Bool {
        guard case .streamed? = findings(request).match?.placed(.post)?.route.body else { return false }
        return true
    }

    // MARK: The gate

    /// What was found out about a request's head. A head that the server itself refused did not come to the gate.
    private func findings(_ request: HTTPRequest) -> Findings {
        request.findings as? Findings ?? Findings(request, table.match(request.path))
    }

    /// What was found out about the same head when it came before on this connection, if it still holds: of what lets a
    /// request pass, only the token's validity can change.
    func found(before head: HTTPRequest) -> Findings? {
        guard let found = head.findings as? Findings, let checked = found.checked,
            core.tokens.isCurrent(checked.holder)
        else { return nil }
        return found
    }

    /// Finds out what the gate has to say about a request.
    private func check(_ request: HTTPRequest) -> Findings {
        let findings = Findings(request, table.match(request.path))
        do throws(Problem) {
            findings.checked = try check(request, findings.match, Credentials(core: core))
        } catch {
            findings.problem = error
        }
        return findings
    }

    /// The gate: checks host, origin, route, method and token, in this order. Nil for OPTIONS, which needs no token.
    func check(
        _ request: HTTPRequest, _ match: RouteTable<GatewayCore>.Match?, _ credentials: Credentials
    ) throws(Problem) -> Findings.Checked? {
        guard let placed = try place(request, match), let match else { return nil }
        let holder = try credentials.holder(of: request, for: placed.route, parameters: match.parameters)
        var checked = Findings.Checked(placed: placed, parameters: match.parameters, holder: holder)
        let session = match.parameters["session"]
        guard !session.isEmpty, core.sessions.client(session)?.isReturning != false else { return checked }
        do {
            // Where reads may wait, a task has restored the session before.
            checked.returning = core.readsWait ? core.sessions.client(session) : try core.sessions.session(session)
        } catch {
            throw Problem(error)
        }
        return checked
    }

    /// The part of the gate that needs no token: host, origin, route and method. Nil for OPTIONS.
    func place(
        _ request: HTTPRequest, _ match: RouteTable<GatewayCore>.Match?
    ) throws(Problem) -> PlacedRoute<GatewayCore>? {
        guard let host = request.headers["Host"], !host.isEmpty else {
            throw Problem(.hostHeader, "The request has no Host header.")
        }
        guard core.hosts.contains(host, peer: request.peer) else {
            throw Problem(
                .misdirectedHost,
                "The gateway does not answer for \(host.prefix(64)); start it with --allow-host to add a name.")
        }
        try OriginCheck.check(request, host: host, hosts: core.hosts, isShared: match?.isShared ?? false)
        if request.method == "OPTIONS", request.path == "*" { return nil }
        guard let match else { throw Problem(.notFound, "No route has this path.") }
        if request.method == "OPTIONS" { return nil }
        guard let method = Method(rawValue: request.method == "HEAD" ? "GET" : request.method),
            let placed = match.placed(method)
        else {
            throw Problem(
                .methodNotAllowed, "The path has only these methods: \(match.allow).", headers: [("Allow", match.allow)]
            )
        }
        return placed
    }

    /// 204 with the methods of the path; for a shared path also what a CORS preflight asks.
    private func options(_ request: HTTPRequest) -> HTTPResponse {
        let match = findings(request).match
        let allow = match?.allow ?? "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
        let preflight = match?.isShared == true ? CrossOrigin.preflight(request, methods: allow) : []
        return HTTPResponse(status: 204, headers: [("Allow", allow)] + preflight)
    }

    // MARK: Answers

    /// Adds the CORS and security headers. Every answer passes here exactly once.
    private func complete(_ answer: HTTPResponse, _ request: HTTPRequest?) -> HTTPResponse {
        var answer = answer
        if core.requests.capture.isRunning, let request {
            core.requests.capture.keep(answer, to: request, findings(request).placed?.route)
        }
        if let request, let origin = request.headers["Origin"], findings(request).match?.isShared == true {
            CrossOrigin.share(&answer, with: origin)
        }
        SecurityHeaders.complete(&answer, requestID: requestID(request))
        return answer
    }

    /// Any error as a problem. Those with 5xx are logged, because the answer tells nothing of their cause.
    private func problem(_ error: any Error, _ request: HTTPRequest) -> Problem {
        let problem = Problem.from(error)
        if problem.status >= 500 {
            core.logger.error("request failed", metadata: ["request_id": "\(requestID(request))", "error": "\(error)"])
        }
        return problem
    }

    /// A problem as `application/problem+json`, with its own headers and `Retry-After`.
    private func answer(_ problem: Problem, to request: HTTPRequest?) -> HTTPResponse {
        core.requests.note(problem, for: request)
        let body = problem.json(base: base(request), requestID: requestID(request))
        var headers = [("Content-Type", "application/problem+json")] + problem.headers
        if let seconds = problem.retryAfter { headers.append(("Retry-After", "\(seconds)")) }
        return complete(HTTPResponse(status: problem.status, headers: headers, body: .bytes(body)), request)
    }

    /// Where the documentation is, by the host that the client used; by an own address if that host cannot be trusted
    /// in a URL.
    private func base(_ request: HTTPRequest?) -> String {
        if let request, let host = request.headers["Host"], host.utf8.count <= 255,
            core.hosts.contains(host, peer: request.peer),
            host.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\"") })
        {
            return request.origin
        }
        for case .tcp(let host, let port) in core.life.loop?.addresses ?? [] {
            return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        }
        return "http://localhost"
    }

    /// The client's own `X-Request-Id` if it has one; otherwise the run and the request's number.
    private func requestID(_ request: HTTPRequest?) -> String {
        guard let request else { return Self.requestID(run, 0) }
        let own = (request.findings as? Findings).map(\.ownID) ?? Findings.ownID(request)
        return own ?? Self.requestID(run, request.number)
    }

    private static func requestID(_ run: String, _ number: UInt64) -> String {
        "\(run)-\(String(number, radix: 16))"
    }
}
