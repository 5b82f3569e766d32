import Chat
import HTTPRouting
import MicroHTTP

/// What the gateway has found out about a request's head: its route, and who makes it or why it is refused. Found once,
/// and carried with the request to its end; and on to the next request of the connection if that has the same head.
///
/// `@unchecked Sendable`: one thread at a time has it. The loop's thread writes it, or the task that decides about the head,
/// for which the loop waits. While another task makes the answer, nobody writes it.
final class Findings: @unchecked Sendable {
    /// What the gate found out about a request that it lets pass.
    struct Checked {
        let route: Route
        let parameters: PathParameters
        let holder: TokenAuthority.Holder
        /// Those by which the gate let it pass; a person's may change meanwhile.
        let rights: Rights
        /// The parameters of the query, once they are read.
        var query: QueryReader?
        /// The session in the path, if it was on its way from the store.
        var returning: ChatClient?
    }

    /// The client's own `X-Request-Id`, if it has 1 to 128 harmless characters.
    let ownID: String?
    /// The routes of the path; nil if there are none.
    let match: RouteTable<GatewayCore>.Match?
    /// The route of the method. The gate may refuse the request all the same.
    let route: Route?
    /// Nil when the gate has refused the request, and for OPTIONS.
    var checked: Checked?
    /// The ticket that the address had; it is not in the address any more.
    var ticket: String?
    /// The origin of the page that has made the request, where that is not the gateway's and the page may use the path.
    var foreignOrigin: String?
    /// Whether the client has asked for the host on which only what customers need is there.
    var isOnCustomersHost = false
    /// Whether a standby has passed the request on, and has checked its host.
    var isForwarded = false
    /// Why the gate has refused the request.
    var problem: Problem?
    private var kept: KeptTarget?

    init(_ request: HTTPRequest, _ match: RouteTable<GatewayCore>.Match?) {
        ownID = Self.ownID(request)
        self.match = match
        route = Method(rawValue: request.method == "HEAD" ? "GET" : request.method).flatMap { match?.route($0) }
    }

    /// What may be remembered of path and query. On the loop's thread.
    func keptTarget(of request: HTTPRequest) -> KeptTarget {
        if let kept { return kept }
        let target = KeptTarget(of: request, route)
        kept = target
        return target
    }

    static func ownID(_ request: HTTPRequest) -> String? {
        guard let id = request.headers["X-Request-Id"], (1...128).contains(id.utf8.count), id.utf8.allSatisfy(isSane)
        else { return nil }
        return id
    }

    private static func isSane(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
