import Bounds
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// What a gateway answers while it may not serve the database: `/livez` 200, `/metrics` with the gateway's token, and 503
/// `standby` for all else, so that a balancer sends requests to another gateway, and a client behind it tries again.
///
/// With a ``RequestForwarder`` it passes all else on while an active gateway is known. A request that another standby has
/// passed on goes no further.
public final class StandbyApplication: HTTPHandler {
    private let detail: Mutex<String>
    private let count = Mutex<UInt64>(0)
    private let version: String
    private let tokens: TokenAuthority
    private let forwarder: (any RequestForwarder)?
    private let hosts: HostList
    private let listening: Addresses
    private let senders: KnownSenders

    /// Where the server listens.
    private final class Addresses: Sendable {
        let all = Mutex<[BoundAddress]>([])
    }

    /// - Parameters:
    ///   - detail: a sentence for whoever asks.
    ///   - version: of Parley.
    ///   - secrets: whose token opens the metrics.
    ///   - forwarder: nil: nothing is passed on.
    ///   - allowedHosts: names besides the server's own under which requests that are passed on may come.
    ///   - isPublic: whether numeric addresses with the server's port are such names.
    public init(
        _ detail: String, version: String, secrets: TokenSecrets, forwarder: (any RequestForwarder)? = nil,
        allowedHosts: [String] = [], isPublic: Bool = false
    ) {
        self.detail = Mutex(detail)
        self.version = version
        // Sessions are known to the active gateway only.
        tokens = TokenAuthority(secrets: secrets, generation: { _ in nil })
        self.forwarder = forwarder
        let listening = Addresses()
        self.listening = listening
        hosts = HostList(
            allowed: allowedHosts, isPublic: isPublic, addresses: { listening.all.withLock { $0 } })
        senders = KnownSenders(key: secrets.key)
    }

    /// Says where the server listens, before anything is passed on.
    public func listens(at addresses: [BoundAddress]) { listening.all.withLock { $0 = addresses } }

    /// Takes other names in place of those under which requests may come to be passed on. Any thread may call it.
    public func allow(hosts names: [String]) { hosts.allow(names) }

    /// Takes other tokens of the gateway in place of those so far. Any thread may call it.
    public func replaceGatewayTokens(_ tokens: [String]) { self.tokens.replaceGatewayTokens(tokens) }

    /// Says from now on why the gateway does not serve. Any thread may call it.
    public func explain(_ detail: String) { self.detail.withLock { $0 = detail } }

    /// The greatest body that is in memory before it is passed on.
    private static let wholeBody = 64 << 10

    public func admit(_ head: inout HTTPRequest) -> HTTPAdmission {
        let isRead = head.method == "GET" || head.method == "HEAD"
        guard let forwarder = forwarder(for: head) else {
            // Before the body of a writing request is sent, so that it need not travel.
            return isRead ? .accept : .refuse(answer(head))
        }
        if let problem = misdirection(head) { return .refuse(answer(problem)) }
        let length = head.headers["Content-Length"].map { Int($0) ?? .max }
        guard (length ?? 0) > Self.wholeBody || length == nil && head.headers["Transfer-Encoding"] != nil else {
            return .accept
        }
        // The active gateway knows the limit of the route.
        let mark = mark(head)
        return .stream(limit: .max) { [head] in forwarder.sink(for: head, adding: [mark], flow: $0) }
    }

    /// Gateway tokens are known here; of all else what the active gateway has told.
    public func holder(of head: HTTPRequest) -> Holder {
        if hasGatewayToken(head) { return .root }
        return senders.holder(of: Self.credential(of: head))
    }

    public func isAlwaysAnswered(_ request: HTTPRequest) -> Bool { forwarder(for: request) == nil }

    public func respond(to request: HTTPRequest) -> HTTPReply {
        guard let forwarder = forwarder(for: request) else { return .now(answer(request)) }
        if let problem = misdirection(request) { return .now(answer(problem)) }
        return .later { [self] in await forward(request, by: forwarder) }
    }

    /// Nil for what this gateway answers itself.
    private func forwarder(for request: HTTPRequest) -> (any RequestForwarder)? {
        guard let forwarder, !["/livez", "/metrics", "*"].contains(request.path), forwarder.hasTarget,
            request.headers[ForwardedMark.header] == nil, request.headers["Upgrade"] == nil
        else { return nil }
        return forwarder
    }

    /// Why a request must not be passed on. The active gateway does not know under which names this one may be asked, so the
    /// host is checked here.
    private func misdirection(_ request: HTTPRequest) -> Problem? {
        guard let host = request.headers["Host"], !host.isEmpty else {
            return request.path == "/readyz" ? nil : Problem(.hostHeader, "The request has no Host header.")
        }
        if hosts.contains(host, peer: request.peer) { return nil }
        return Problem(
            .misdirectedHost,
            "The gateway does not answer for \(host.prefix(64)); start it with --allow-host to add a name.")
    }

    private func mark(_ head: HTTPRequest) -> (String, String) {
        (ForwardedMark.header, ForwardedMark.value(for: head.peer, tokens))
    }

    private func forward(_ request: HTTPRequest, by forwarder: any RequestForwarder) async -> HTTPResponse {
        do {
            var response = try await forwarder.answer(to: request, adding: [mark(request)])
            for (name, value) in response.headers where name.lowercased() == ForwardedMark.header.lowercased() {
                if let credential = Self.credential(of: request), let holder = ForwardedMark.holder(named: value) {
                    senders.note(credential, of: holder)
                }
            }
            response.headers.removeAll { $0.0.lowercased() == ForwardedMark.header.lowercased() }
            return response
        } catch {
            // What was asked for may have been done: the client sees a gateway that is gone, as without this one between.
            // What changes nothing may be asked for again in any case.
            if error == .unanswered, !["GET", "HEAD", "OPTIONS"].contains(request.method) {
                return HTTPResponse(status: 502, body: .broken([], at: 0))
            }
            return answer(Problem(.standby, "The active gateway cannot be reached.", retryAfter: Self.retryAfter))
        }
    }

    /// What shows who sends a request; nil without any of that.
    private static func credential(of request: HTTPRequest) -> String? {
        request.headers["Authorization"] ?? request.headers["Cookie"]
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let isRead = request.method == "GET" || request.method == "HEAD"
        var response: HTTPResponse
        if request.path == "/metrics", isRead, hasGatewayToken(request) {
            var out = OpenMetricsWriter()
            GatewayFigures(version: version, isActive: false).write(into: &out)
            response = MetricsRoutes.answer(&out)
        } else if request.path == "/livez", isRead {
            response = HTTPResponse(
                status: 200, headers: [("Content-Type", "text/plain; charset=utf-8")],
                body: .bytes(Array("ok\n".utf8)))
        } else {
            return answer(Problem(.standby, detail.withLock { $0 }, retryAfter: Self.retryAfter))
        }
        SecurityHeaders.complete(&response, requestID: nextID())
        return response
    }

    private func answer(_ problem: Problem) -> HTTPResponse {
        let id = nextID()
        var headers = [("Content-Type", "application/problem+json")]
        if let seconds = problem.retryAfter { headers.append(("Retry-After", "\(seconds)")) }
        var response = HTTPResponse(
            status: problem.status, headers: headers,
            body: .bytes(problem.json(base: "http://localhost", requestID: id)))
        SecurityHeaders.complete(&response, requestID: id)
        return response
    }

    /// In seconds. A fail-over takes less, or up to eight.
    private static let retryAfter = 1

    private func hasGatewayToken(_ request: HTTPRequest) -> Bool {
        request.headers["Authorization"].flatMap(Credentials.bearer).flatMap { tokens.holder(of: $0) } != nil
    }

    private func nextID() -> String {
        count.withLock {
            $0 += 1
            return "standby-\($0)"
        }
    }
}
