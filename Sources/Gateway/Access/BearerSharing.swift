import ChatModel
import HTTPRouting
import MicroHTTP
import Synchronization

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

/// What the channels say of visitors, for whoever must not wait for the store. Most of all the origins whose pages may
/// show chats: those of `--allow-origin`, and those of all channels. Any thread may use it.
final class OriginBook: Sendable {
    private let allowed: Set<String>
    private let channels = Mutex<[String: VisitorSettings]>([:])

    init(allowed: Set<String>) { self.allowed = allowed }

    /// Takes a channel's present settings.
    func note(_ channel: Channel) {
        channels.withLock { $0[channel.id] = channel.visitors }
    }

    /// Whether pages of the origin may ask at all.
    func accepts(_ origin: String) -> Bool {
        if allowed.contains(origin) { return true }
        return channels.withLock { $0.values.contains { $0.isPublic && $0.accepts(origin: origin) } }
    }

    /// Whether customers of the channel may erase themselves.
    func letsErase(_ channel: String) -> Bool { channels.withLock { $0[channel]?.selfErase } ?? false }

    /// How much visitors of the channel may do.
    func limits(of channel: String) -> VisitorLimits {
        channels.withLock { $0[channel]?.limits } ?? VisitorLimits()
    }

    /// Whether pages of the origin may use a session of the channel.
    func accepts(_ origin: String, for channel: String) -> Bool {
        allowed.contains(origin) || channels.withLock { $0[channel]?.accepts(origin: origin) ?? false }
    }
}

extension Call {
    /// The origin of the page that has made the request, if that is another one than the gateway's; nil otherwise.
    var foreignOrigin: String? { (request.findings as? Findings)?.foreignOrigin }
}
