import ChatModel
import HTTPRouting
import MicroHTTP
import Synchronization

/// Refuses requests that web pages of other origins make, by the headers that a browser adds and a page cannot change.
enum OriginCheck {
    /// Checks `Origin` and the Fetch Metadata headers (`Sec-Fetch-Site`, `Sec-Fetch-Mode`). Programs send neither, so
    /// they pass. Throws `foreignOrigin`.
    ///
    /// - Parameters:
    ///   - host: the value of the Host header.
    ///   - isShared: whether pages of the other origins that the gateway accepts may make the request.
    static func check(_ request: HTTPRequest, host: String, hosts: HostList, isShared: Bool = false) throws(Problem) {
        let headers = request.headers
        if let origin = headers["Origin"], !isOwn(origin, host: host, hosts: hosts) {
            throw Problem(.foreignOrigin, "The Origin header names another origin.")
        }
        // The origin was accepted above; a page of an accepted origin may be of another site.
        if isShared, headers["Origin"] != nil { return }
        let site = headers["Sec-Fetch-Site"]
        if site == "cross-site" || site == "same-site", isUnsafe(request.method) {
            throw Problem(.foreignOrigin, "The request was made by a page of another site.")
        }
        if headers["Sec-Fetch-Mode"] == "no-cors", site != "same-origin", request.path.hasPrefix("/v1") {
            throw Problem(
                .foreignOrigin, "A page of another origin cannot load the API as an image, a script or a style.")
        }
    }

    /// Refuses the API as a script, a style or a worker of a page: customers upload files, and none of them may run as code of
    /// a page that trusts its own origin. Throws `foreignOrigin`.
    static func refuseAsCode(_ request: HTTPRequest) throws(Problem) {
        guard let use = request.headers["Sec-Fetch-Dest"], code.contains(use), request.path.hasPrefix("/v1") else {
            return
        }
        throw Problem(.foreignOrigin, "A page cannot load the API as a \(use).")
    }

    /// The uses of an answer that run it.
    private static let code: Set<String> = [
        "script", "style", "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet", "xslt", "object",
        "embed",
    ]

    /// Whether the origin is the gateway's own, by one of its names. A page of the customers' host is another one to all others.
    static func isOwn(_ origin: String, host: String, hosts: HostList) -> Bool {
        guard let authority = authority(of: origin),
            authority == host.lowercased() || hosts.contains(authority, peer: .tcp(.loopback(port: 0))),
            hosts.isCustomers(authority) == hosts.isCustomers(host)
        else { return false }
        return origin.hasPrefix("http://") || hosts.isBehindProxy(authority)
    }

    /// The same for a request that makes or ends a login, if a browser has made it; programs send neither header. Throws
    /// `foreignOrigin`.
    static func requireNoOther(_ request: HTTPRequest) throws(Problem) {
        if request.headers["Origin"] == nil, request.headers["Sec-Fetch-Site"] == nil { return }
        try requireSameOrigin(request)
    }

    /// Demands proof that a page of this gateway made a writing request. A browser adds the cookie to requests of any
    /// page, so the cookie alone is no proof (CSRF). Throws `foreignOrigin`.
    static func requireSameOrigin(_ request: HTTPRequest) throws(Problem) {
        guard isUnsafe(request.method) else { return }
        let headers = request.headers
        if headers["Sec-Fetch-Site"] == "same-origin" { return }
        if let origin = headers["Origin"], let authority = authority(of: origin),
            authority == headers["Host"]?.lowercased()
        {
            return
        }
        throw Problem(
            .foreignOrigin, "With a login a writing request needs a same-origin Origin or Sec-Fetch-Site.")
    }

    /// Whether the method may change something; the others are safe by RFC 9110, 9.2.1.
    static func isUnsafe(_ method: String) -> Bool { method != "GET" && method != "HEAD" && method != "OPTIONS" }

    /// Host and port of `http://host:port` or `https://host:port`, in lower case; nil for `null` and everything else.
    private static func authority(of origin: String) -> String? {
        let origin = origin.lowercased()
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            let authority = origin.dropFirst(scheme.count)
            return authority.isEmpty || authority.utf8.contains(UInt8(ascii: "/")) ? nil : String(authority)
        }
        return nil
    }
}

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

/// What the channels say of visitors, for whoever must not wait for the store. Most of all the origins whose pages may
/// show chats: those of `--allow-origin`, and those of all channels. Any thread may use it.
final class OriginBook: Sendable {
    private let allowed: Set<String>
    private let channels = Mutex<[String: VisitorSettings]>([:])

    init(allowed: Set<String>) { self.allowed = allowed }

    /// Takes a channel's present settings.
    func update(_ channel: Channel) {
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

/// An origin of the web as browsers send it: scheme, host and a port that is not the scheme's usual one, in lower case.
struct WebOrigin: Hashable, Sendable {
    let text: String

    /// Nil for what is no origin: a path, no host, a port of 0, other schemes, and hosts that are not ASCII: browsers write
    /// those in their ASCII form.
    ///
    /// - Parameter takesWildcard: whether the host may begin with `*.`, for all hosts below.
    init?(_ text: String, takesWildcard: Bool = false) {
        // Before letters become small ones: some that are not ASCII would become ASCII.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let text = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
        var host = text.dropFirst(scheme.count)
        var port: UInt16?
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            guard let number = UInt16(digits: host[host.index(after: colon)...]), number > 0 else { return nil }
            (port, host) = (number, host[..<colon])
        }
        let isWild = host.hasPrefix("*.")
        if isWild, !takesWildcard { return nil }
        let name = isWild ? host.dropFirst(2) : host
        guard Self.isHost(name), !isWild || (name.contains(".") && !name.hasPrefix("[")) else { return nil }
        let usual: UInt16 = scheme == "https://" ? 443 : 80
        self.text = scheme + host + (port.map { $0 == usual ? "" : ":\($0)" } ?? "")
    }

    private static func isHost(_ name: Substring) -> Bool {
        guard (1...253).contains(name.utf8.count) else { return false }
        if name.hasPrefix("[") {
            let inner = String(name.dropFirst().dropLast())
            return name.hasSuffix("]") && inner.contains(":") && SocketAddress(host: inner) != nil
        }
        return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
    }
}
