import HTTPRouting
import MicroHTTP

/// What the gateway has found out about a request's head: its route, and who makes it or why it is refused. Found once,
/// and carried with the request to its end; and on to the next request of the connection if that has the same head.
///
/// `@unchecked Sendable`: it is written on the loop's thread, before a task has the request.
final class Findings: @unchecked Sendable {
    /// What the gate found out about a request that it lets pass.
    struct Checked {
        let placed: PlacedRoute<GatewayCore>
        let parameters: PathParameters
        let holder: TokenAuthority.Holder
        /// The parameters of the query, once they are read.
        var query: QueryReader?

        var route: Route { placed.route }
    }

    /// The routes of the path; nil if there are none.
    let match: RouteTable<GatewayCore>.Match?
    /// The route of the method. The gate may refuse the request all the same.
    let placed: PlacedRoute<GatewayCore>?
    /// Nil when the gate has refused the request, and for OPTIONS.
    var checked: Checked?
    /// Why the gate has refused the request.
    var problem: Problem?

    init(_ request: HTTPRequest, _ match: RouteTable<GatewayCore>.Match?) {
        self.match = match
        placed = Method(rawValue: request.method == "HEAD" ? "GET" : request.method).flatMap { match?.placed($0) }
    }
}
