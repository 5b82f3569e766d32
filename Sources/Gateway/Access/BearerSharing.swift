import HTTPRouting
import MicroHTTP

/// What pages of other origins may use: the API of a session, with its token and never with a cookie (CORS without
/// credentials).
///
/// Which origins they are is said by `--allow-origin` for all channels, and by a channel for its own sessions. A browser asks
/// with a preflight, which has no token: so that is answered for the origins of all channels, and the request itself is checked
/// by the channel of its session.
enum BearerSharing {
    private static let headers = [
        "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID", "Range",
    ].joined(separator: ", ")
    private static let exposed = "ETag, Location, Parley-Cursor, Retry-After, X-Request-Id, Idempotency-Replayed"
    /// What the answers have whose path ``isAsked(_:)``.
    static let vary = ("Vary", "Origin")
    /// Seconds for which a browser need not ask again.
    private static let validity = "7200"

    /// The operations besides those of a session.
    private static let open: Set<String> = [
        "createVisitor", "getVisitorChallenge", "listServices", "getServiceChannel", "streamEvents", "getPush",
    ]

    /// Whether pages of other origins may use the operation.
    static func covers(_ route: Route) -> Bool {
        if case .session = route.access { return true }
        return open.contains(route.operationID)
    }

    /// Lets the page read an answer.
    static func share(_ answer: inout HTTPResponse, with origin: String) {
        answer.headers += [
            (CrossOrigin.allowOrigin, origin), ("Access-Control-Expose-Headers", exposed),
        ]
    }

    /// Whether the answers of the path differ by who asks: then no cache may give one page what another got.
    static func isAsked(_ match: RouteTable<GatewayCore>.Match?) -> Bool {
        match?.routes.contains(where: covers) ?? false
    }

    /// The further headers of the answer to a preflight; empty for other requests.
    static func preflight(_ request: HTTPRequest, methods: String) -> [(String, String)] {
        guard request.headers["Access-Control-Request-Method"] != nil else { return [] }
        return [
            ("Access-Control-Allow-Methods", methods), ("Access-Control-Allow-Headers", headers),
            ("Access-Control-Max-Age", validity),
        ]
    }
}
