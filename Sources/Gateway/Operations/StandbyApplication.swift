import Bounds
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// What a gateway answers while it may not serve the database: `/livez` 200, `/metrics` with the gateway's token, and 503
/// `standby` for all else, so that a balancer sends requests to another gateway, and a client behind it tries again.
public final class StandbyApplication: HTTPHandler {
    private let detail: Mutex<String>
    private let count = Mutex<UInt64>(0)
    private let version: String
    private let tokens: TokenAuthority

    /// - Parameters:
    ///   - detail: a sentence for whoever asks.
    ///   - version: of Parley.
    ///   - secrets: whose token opens the metrics.
    public init(_ detail: String, version: String, secrets: TokenSecrets) {
        self.detail = Mutex(detail)
        self.version = version
        // Sessions are known to the active gateway only.
        tokens = TokenAuthority(secrets: secrets, generation: { _ in nil })
    }

    /// Takes other tokens of the gateway in place of those so far. Any thread may call it.
    public func replaceGatewayTokens(_ tokens: [String]) { self.tokens.replaceGatewayTokens(tokens) }

    /// Says from now on why the gateway does not serve. Any thread may call it.
    public func explain(_ detail: String) { self.detail.withLock { $0 = detail } }

    public func admit(_ head: inout HTTPRequest) -> HTTPAdmission {
        // Before the body of a writing request is sent, so that it need not travel.
        head.method == "GET" || head.method == "HEAD" ? .accept : .refuse(answer(head))
    }

    public func isAlwaysAnswered(_ request: HTTPRequest) -> Bool { true }

    public func respond(to request: HTTPRequest) -> HTTPReply { .now(answer(request)) }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        var response: HTTPResponse
        let id = nextID()
        let isRead = request.method == "GET" || request.method == "HEAD"
        if request.path == "/metrics", isRead, mayReadMetrics(request) {
            var out = OpenMetricsWriter()
            GatewayFigures(version: version, isActive: false).write(into: &out)
            response = MetricsRoutes.answer(&out)
        } else if request.path == "/livez", isRead {
            response = HTTPResponse(
                status: 200, headers: [("Content-Type", "text/plain; charset=utf-8")],
                body: .bytes(Array("ok\n".utf8)))
        } else {
            let problem = Problem(
                kind: ProblemKind(.standby), detail: detail.withLock { $0 }, retryAfter: Self.retryAfter)
            response = HTTPResponse(
                status: problem.status,
                headers: [("Content-Type", "application/problem+json"), ("Retry-After", "\(Self.retryAfter)")],
                body: .bytes(problem.json(base: "http://localhost", requestID: id)))
        }
        SecurityHeaders.complete(&response, requestID: id)
        return response
    }

    /// In seconds. A fail-over takes less, or up to eight.
    private static let retryAfter = 1

    private func mayReadMetrics(_ request: HTTPRequest) -> Bool {
        request.headers["Authorization"].flatMap(Credentials.bearer).flatMap { tokens.holder(of: $0) } != nil
    }

    private func nextID() -> String {
        count.withLock {
            $0 += 1
            return "standby-\($0)"
        }
    }
}
