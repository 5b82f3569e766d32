import Bounds
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
    package let core: GatewayCore
    /// Fixed from the start.
    let table: RouteTable<GatewayCore>
    private let groups: [any RouteGroup<GatewayCore>]

    /// Builds the route table and connects the hub with the sessions. It opens no socket.
    ///
    /// - Parameters:
    ///   - groups: further routes, of which the gateway itself knows nothing (the desk's, the pages', a sandbox's).
    package init(
        configuration: GatewayConfiguration, sessions: Sessions, store: ChatStore,
        groups: [any RouteGroup<GatewayCore>] = [],
        secrets: TokenSecrets, logControl: any LogControl = FixedLogControl(), logger: Logger,
        environment: ModelEnvironment, clock: any Clock<Duration>
    ) {
        core = GatewayCore(
            configuration: configuration, store: store, sessions: sessions, tokens: secrets, environment: environment,
            clock: clock, logger: logger, logControl: logControl)
        sessions.collections.setListener { [hub = core.hub] news in hub.notifyFollowers(news) }
        core.hub.state = { id in sessions.client(id).map { ($0.state, $0.channel.mode) } }
        core.hub.notifications = sessions.notifications
        self.groups = groups
        table = RouteTable(Self.routes(with: groups, startedAt: environment.now()))
        core.metrics.prepare(table.routes)
        core.life.begin(self)
    }

    /// The gateway's own routes, then those of the groups.
    private static func routes(with groups: [any RouteGroup<GatewayCore>], startedAt: Timestamp) -> [Route] {
        let own: [any RouteGroup<GatewayCore>] = [
            MessageRoutes(), ReplyRoutes(), AttachmentRoutes(), SearchRoutes(), CustomerDataRoutes(), ThreadRoutes(),
            CollectionRoutes(place: .session), SessionRoutes(), LinkRoutes(), VisitorRoutes(),
            SynchronizationRoutes(), ViewingRoutes(), CustomerRoutes(), AnalyticsRoutes(), StreamRoutes(),
            ServiceRoutes(),
            InfoRoutes(startedAt: startedAt, groups: groups), LogRoutes(), AccessRoutes(), SignInRoutes(),
            LoginRoutes(), PeopleRoutes(), MeRoutes(), PictureRoutes(),
            TicketRoutes(), KeyRoutes(), AuditRoutes(), BatchRoutes(),
            HealthRoutes(),
            MetricsRoutes(groups: groups),
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
        // Only a gateway with a fence has standbys.
        let isForwarded = core.configuration.fence != nil && ForwardedMark.apply(to: &head, core.tokens)
        // Also by the host that the client itself has sent: a header of its own must not lead around this.
        var isOnCustomersHost = core.isOnCustomersHost(head)
        if core.configuration.trustsProxy {
            ForwardedOrigin.apply(to: &head)
            isOnCustomersHost = isOnCustomersHost || core.isOnCustomersHost(head)
        }
        if let findings = found(before: head) { return admission(of: head, findings) }
        let findings = Findings(head, table.match(head.path))
        findings.isOnCustomersHost = isOnCustomersHost
        findings.isForwarded = isForwarded
        if let route = findings.route, route.takesTicket, let ticket = head.takeParameter(Ticket.parameter) {
            findings.ticket = ticket
        }
        head.findings = findings
        if let restored = check(head, findings) { return restored }
        return admission(of: head, findings)
    }

    /// What the gate's findings mean for a request's body.
    func admission(of head: HTTPRequest, _ findings: Findings) -> HTTPAdmission {
        // A reading request is answered when it is complete, so that its connection stays open.
        if head.method == "GET" || head.method == "HEAD" { return .accept }
        do {
            if let problem = findings.problem { throw problem }
            guard let checked = findings.checked else { return .accept }
            if checked.route.waitsForMaintenance { try core.checkMaintenance(for: checked.holder.identity) }
            if case .session = checked.route.access, case .session(let id) = checked.holder.identity {
                try core.countWriting(of: id, head, checked.route.writing ?? .changes)
            }
            if case .streamed(let admit) = checked.route.body {
                let call = try call(head, findings, checked)
                return .later { [self] in
                    do {
                        return try await admit(call)
                    } catch {
                        return .refuse(answer(problem(error, head), to: head))
                    }
                }
            }
            try BodyCheck.head(head, for: checked.route, limit: core.configuration.maximumBody)
            return .accept
        } catch {
            return .refuse(answer(problem(error, head), to: head))
        }
    }

    /// Whose share a request's places come from.
    public func holder(of head: HTTPRequest) -> Holder {
        Credentials(core: core).sender(of: head, findings(head).checked?.holder.identity ?? .nobody)
    }

    /// The limit of a route with a foreign body; nil, which means the server's default, for all others.
    public func bodyLimit(for head: HTTPRequest) -> Int? {
        guard case .foreign(let limit)? = findings(head).route?.body else { return nil }
        return limit
    }

    /// True for health probes: they must be answered when the gateway is overloaded.
    public func isAlwaysAnswered(_ request: HTTPRequest) -> Bool {
        findings(request).match?.route(.get)?.isProbe ?? false
    }

    /// True for the calls of assistants: one that waits need not wait for nobody.
    public func endsWithClient(_ request: HTTPRequest) -> Bool {
        findings(request).checked?.route.endsWithClient ?? false
    }

    /// Runs the gate, then the route's handler, on the loop's thread or in a task as the route says. Every failure
    /// becomes a problem document.
    public func respond(to request: HTTPRequest) -> HTTPReply {
        do throws(Problem) {
            let findings = findings(request)
            if let problem = findings.problem { throw problem }
            guard let checked = findings.checked else { return .now(complete(options(request), request)) }
            if core.requests.capture.isRunning { core.requests.capture.captureBody(request, checked.route) }
            try checked.route.checkCondition(of: request)
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
            request, route: checked.route, parameters: checked.parameters, identity: checked.holder.identity,
            query: checked.query, context: core)
        if checked.query == nil { findings.checked?.query = call.query }
        return call
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
        if refusal.status == 503 || refusal.status == 429 { problem.retryAfter = 1 }
        return answer(problem, to: head)
    }

    /// Measures and logs a request after its answer has ended. On the loop's thread.
    public func finished(_ summary: RequestSummary) {
        let request = summary.request
        let findings = findings(request)
        let route = findings.route
        // The duration of a stream, or of a page that waits, is the client's choice and says nothing about the
        // gateway. So they are not measured.
        if route?.isStream != true || summary.status >= 300 {
            core.metrics.observe(route?.index, status: summary.status, duration: summary.duration)
        }
        core.requests.finished(summary, findings)
        AccessLog.write(summary, route: route, requestID: requestID(request), to: core.logger)
    }

    /// Whether the path takes files by POST.
    private func takesFile(_ request: HTTPRequest) -> Bool {
        guard case .streamed? = findings(request).match?.route(.post)?.body else { return false }
        return true
    }
}

/// What every answer passes on its way out: headers, problem documents and the request's id.
extension GatewayApplication {
    /// Adds the CORS and security headers. Every answer passes here exactly once.
    func complete(_ answer: HTTPResponse, _ request: HTTPRequest?) -> HTTPResponse {
        var answer = answer
        if core.requests.capture.isRunning, let request {
            core.requests.capture.captureBody(answer, to: request, findings(request).route)
        }
        if case .events(let source) = answer.body, let request, let checked = findings(request).checked,
            checked.holder.identity.isWatched
        {
            let framing = checked.route.isStream ? FeedForm(of: answer)?.framing ?? .serverSent : nil
            answer.body = .events(WatchedStream(source, core: core, checked, framing: framing))
        }
        if let request, let origin = request.headers["Origin"], findings(request).match?.isShared == true {
            CrossOrigin.share(&answer, with: origin)
        }
        if let findings = request?.findings as? Findings {
            if let origin = findings.foreignOrigin { BearerSharing.share(&answer, with: origin) }
            // A prepared answer has it already.
            if case .prepared = answer.body {
            } else if BearerSharing.isAsked(findings.match) {
                answer.headers.append(BearerSharing.vary)
            }
        }
        SecurityHeaders.complete(&answer, requestID: requestID(request))
        if let request, findings(request).isForwarded {
            answer.headers.append((ForwardedMark.header, ForwardedMark.name(of: holder(of: request))))
        }
        return answer
    }

    /// Any error as a problem. Those with 5xx are logged, because the answer tells nothing of their cause; not a place that
    /// was not free, of which the answer tells all.
    func problem(_ error: any Error, _ request: HTTPRequest) -> Problem {
        let problem = Problem.from(error)
        // Nobody waits for the answer of a task that was cancelled.
        if problem.status >= 500, problem.kind.code != HTTPProblem.tooManyRequests.rawValue, !Task.isCancelled {
            let cause =
                (error as? ChatError).map { "\($0.code.rawValue): \($0.detail)" }
                ?? (error is Problem ? "\(problem.kind.code): \(problem.detail ?? "")" : "\(error)")
            core.logger.error("request failed", metadata: ["request_id": "\(requestID(request))", "error": "\(cause)"])
        }
        return problem
    }

    /// A problem as `application/problem+json`, with its own headers and `Retry-After`.
    func answer(_ problem: Problem, to request: HTTPRequest?) -> HTTPResponse {
        if problem.kind == ProblemKind(.notFound), let request, !findings(request).isOnCustomersHost,
            let address = pageAddress(meantBy: request)
        {
            return complete(HTTPResponse(status: 308, headers: [("Location", address)]), request)
        }
        core.requests.noteRefusal(problem, for: request)
        let body = problem.json(base: base(request), requestID: requestID(request))
        var headers = [("Content-Type", "application/problem+json")] + problem.headers
        if let seconds = problem.retryAfter { headers.append(("Retry-After", "\(seconds)")) }
        return complete(HTTPResponse(status: problem.status, headers: headers, body: .bytes(body)), request)
    }

    /// Whether a request may have this host.
    func answers(for host: String, _ request: HTTPRequest) -> Bool {
        (request.findings as? Findings)?.isForwarded == true || core.hosts.contains(host, peer: request.peer)
    }

    /// Where the documentation is, by the host that the client used; by an own address if that host cannot be trusted
    /// in a URL.
    private func base(_ request: HTTPRequest?) -> String {
        if let request, let host = request.headers["Host"], host.utf8.count <= 255,
            answers(for: host, request),
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
    func requestID(_ request: HTTPRequest?) -> String {
        guard let request else { return core.requests.id(of: 0) }
        let own = (request.findings as? Findings).map(\.ownID) ?? Findings.ownID(request)
        return own ?? core.requests.id(of: request.number)
    }
}
