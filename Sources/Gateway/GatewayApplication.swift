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
    let core: GatewayCore
    /// Fixed from the start.
    let table: RouteTable<GatewayCore>
    private let documents: Documents
    private let groups: [any RouteGroup<GatewayCore>]
    /// The beginning of all request ids, random for each run, so that ids of two runs differ.
    let runID: String

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
        runID = run
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
            MessageRoutes(), ReplyRoutes(), AttachmentRoutes(), SearchRoutes(), CustomerDataRoutes(), ThreadRoutes(),
            CollectionRoutes(place: .session), SessionRoutes(),
            SynchronizationRoutes(), ViewingRoutes(), CustomerRoutes(), AnalyticsRoutes(), StreamRoutes(),
            ServiceRoutes(),
            InfoRoutes(startedAt: startedAt, groups: groups), LogRoutes(), AccessRoutes(), HealthRoutes(),
            MetricsRoutes(groups: groups), DocumentRoutes(documents: documents),
            PageRoutes(documents: documents) { request in
                for group in groups { if let answer = await group.upgrade(request) { return answer } }
                return nil
            },
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
        let findings = found(before: head) ?? Findings(head, table.match(head.path))
        head.findings = findings
        if findings.checked == nil, let restored = check(head, findings) { return restored }
        return admission(of: head, findings)
    }

    /// What the gate's findings mean for a request's body.
    func admission(of head: HTTPRequest, _ findings: Findings) -> HTTPAdmission {
        // A reading request is answered when it is complete, so that its connection stays open.
        if head.method == "GET" || head.method == "HEAD" { return .accept }
        do {
            if let problem = findings.problem { throw problem }
            guard let checked = findings.checked else { return .accept }
            if checked.route.access == .session, case .session(let id) = checked.holder.identity {
                try core.writing.take(checked.route.writing ?? .changes, session: id)
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
        guard case .foreign(let limit)? = findings(head).placed?.route.body else { return nil }
        return limit
    }

    /// True for health probes: they must be answered when the gateway is overloaded.
    public func isAlwaysAnswered(_ request: HTTPRequest) -> Bool {
        findings(request).match?.placed(.get)?.route.isProbe ?? false
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
            if core.requests.capture.isRunning { core.requests.capture.keep(request, checked.route) }
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
            request, placed: checked.placed, parameters: checked.parameters, identity: checked.holder.identity,
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
}
