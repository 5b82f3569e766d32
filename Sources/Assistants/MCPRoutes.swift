import Chat
import ChatModel
import Gateway
import HTTPRouting
import MicroHTTP

typealias Call = Gateway.Call
typealias Route = Gateway.Route

/// The Model Context Protocol over HTTP: one path for assistants at the desk, and one for those that play a customer.
///
/// Nothing is kept from one message to the next but what clients of 2025 follow, and which calls wait.
package struct MCPRoutes: RouteGroup {
    private let desk: any DeskService
    private let access: MCPAccess
    private let limits: ToolLimits
    private let subscriptions = ResourceSubscriptions()
    private let calls = WaitingCalls()

    /// - Parameters:
    ///   - access: what assistants may do at most.
    ///   - rates: how often.
    package init(desk: any DeskService, access: MCPAccess, rates: ToolRates) {
        self.desk = desk
        self.access = access
        limits = ToolLimits(rates)
    }

    package var routes: [Gateway.Route] {
        let (desk, access, limits, subscriptions, calls) = (desk, access, limits, subscriptions, calls)
        return [
            Route(
                .post, "/mcp", "callDeskAssistant", access: .scope(.deskRead), query: DeskSeat.query, body: .json,
                handler: .stream { call in
                    let face = MCPFace(
                        desk: try DeskSeat(call, desk), try access.restricted(by: call, writing: .deskWrite))
                    let server = MCPServer(
                        call: call, face: face, limits: limits, subscriptions: subscriptions, calls: calls)
                    return .later { await server.answer() }
                }
            ).endingWithClient(),
            Route(
                .get, "/mcp", "streamDeskAssistant", access: .scope(.deskRead), query: DeskSeat.query,
                handler: .stream { call in
                    let seat = try DeskSeat(call, desk)
                    guard let session = try call.assistantSession else {
                        throw Problem(.invalidHeader, "The header Mcp-Session-Id says whose stream it is.")
                    }
                    if call.request.method == "HEAD" { return .now(call.streamHead(.serverSentEvents)) }
                    let source = ResourceUpdates(core: call.core, request: nil) { chat in
                        seat.reaches(chat.channel) && subscriptions.contains(chat, for: session)
                    }
                    return .now(source.answer(to: call))
                }),
            Route(
                .delete, "/mcp", "forgetDeskAssistant", access: .scope(.deskRead), query: DeskSeat.query,
                handler: .now { call in
                    if let session = try call.assistantSession { subscriptions.remove(session) }
                    return call.noContent()
                }),
            Route(
                .post, "/mcp/customer", "callCustomerAssistant", access: .known, query: DeskSeat.query, body: .json,
                handler: .stream { call in
                    if call.identity.hasScopes { try call.rights.require(.sessionsRead) }
                    let face = MCPFace(
                        customer: try CustomerSeat(call), try access.restricted(by: call, writing: .sessionsWrite))
                    let server = MCPServer(
                        call: call, face: face, limits: limits, subscriptions: subscriptions, calls: calls)
                    return .later { await server.answer() }
                }
            ).endingWithClient(),
        ]
    }
}

extension Call {
    /// The channels of `?channel=`, which may come several times, or all that the caller reaches. Nil for all. Throws
    /// `outsideChannels`.
    var assistantChannels: Set<String>? {
        get throws(Problem) {
            let named = query.all("channel")
            for channel in named { try rights.require(channel: channel) }
            return named.isEmpty ? rights.channels : Set(named)
        }
    }

    /// The name that the answer to `initialize` gave to this client; nil for a client that names none. Throws `notFound`
    /// for a name that it did not give to this token.
    var assistantSession: String? {
        get throws(Problem) {
            guard let name = request.headers["Mcp-Session-Id"] else { return nil }
            guard core.tokens.isBound(name, to: identity) else {
                throw Problem(.notFound, "There is no such Mcp-Session-Id: send initialize again.")
            }
            return name
        }
    }
}
