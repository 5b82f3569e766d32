import Bounds
import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP
import SandboxKit

/// The paths of the platform that the sandbox stands in for, and those of its faults.
///
/// The platform's paths need no token of the gateway, and their errors have the platform's shape. The routes use
/// nothing of the application's context, so they work in any application.
package struct SandboxRoutes<Context: CallContext>: RouteGroup {
    private let sandbox: Sandbox

    /// Other sandboxes of the gateway.
    private let others: [SandboxPlatform]

    /// - Parameter others: routes among which may be those of other sandboxes.
    package init(_ sandbox: Sandbox, beside others: [any RouteGroup<Context>] = []) {
        self.sandbox = sandbox
        self.others = others.compactMap { ($0 as? any SandboxRouteGroup)?.platform }
    }

    /// The platform's paths, whose requests have tokens, and the gateway's own paths for faults, sockets and frames.
    package var routes: [Route<Context>] {
        let sandbox = sandbox
        let platform = SandboxPlatform("cxone", sandbox.faults) { try await sandbox.reset() }
        return (channels + visitors).map { $0.traced(.secret) } + SandboxControl(platform, beside: others).routes
            + SocketRoutes(sandbox: sandbox).routes
    }

    package func drain() { sandbox.faults.drain() }

    /// Answers a request to `/` that asks for WebSocket; nil for any other request, because `/` is a page as
    /// well.
    package func upgrade(_ request: HTTPRequest) async -> HTTPResponse? {
        Sandbox.isSocket(request) ? await sandbox.open(request) : nil
    }

    /// Adds what a client's configuration needs: `"sandbox":{"url","socket","brandId","channels"}`. The URLs have
    /// the origin by which the request came.
    package func describe(to request: HTTPRequest, of identity: Identity, in json: inout JSONWriter) async {
        json.name("sandbox")
        json.beginObject()
        json.member("url", request.origin)
        json.member("socket", "ws\(request.origin.dropFirst(4))/socket")
        json.member("brandId", sandbox.brandID)
        json.name("channels")
        json.beginArray()
        for channel in (try? await sandbox.channels()) ?? [] {
            json.beginObject()
            json.member("id", channel.id)
            json.member("channel", channel.channel)
            json.member("authorization", channel.authorization.rawValue)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    /// The routes of a channel: the socket, the configuration, the availability, the menu and the files. An event that is
    /// too large for a frame of the socket is fetched here by GET.
    private var channels: [Route<Context>] {
        let (sandbox, channel) = (sandbox, "/chat/1.0/brand/{brand}/channel/{channel}")
        return [
            Route(
                .get, "/socket", "openSandboxSocket", access: .open, query: .any,
                handler: .task { call in
                    await sandbox.open(call.request)
                }),
            route(.get, channel, "getSandboxChannel") { call in
                let parameters = call.parameters
                return await sandbox.configuration(
                    of: parameters["channel"], brand: parameters["brand"], to: call.request)
            },
            route(.get, "\(channel)/availability", "getSandboxAvailability") { call in
                await sandbox.availability(of: call.parameters["channel"], brand: call.parameters["brand"])
            },
            route(.get, "\(channel)/persistent-menu-items", "getSandboxMenu") { call in
                await sandbox.menu(of: call.parameters["channel"], brand: call.parameters["brand"])
            },
            // A file of 40 MiB in base64.
            route(.post, "\(channel)/attachment", "uploadSandboxAttachment", limit: 64 << 20) { call in
                await sandbox.upload(
                    to: call.parameters["channel"], brand: call.parameters["brand"], call.request,
                    of: call.identity.holder,
                    visitor: call.request.query.first { $0.name == "visitorId" }?.value)
            },
            route(.get, "/chat/1.0/brand/{brand}/attachments/{attachment}", "getSandboxAttachment") { call in
                let file = try await sandbox.file(call.parameters["attachment"], brand: call.parameters["brand"])
                return try file.response(to: call.request)
            },
            route(.get, "/chat/1.0/brand/{brand}/events/{event}", "getSandboxEvent") { call in
                await sandbox.largeEvent(call.parameters["event"], brand: call.parameters["brand"])
            },
        ]
    }

    /// The web analytics' paths, and the token service.
    private var visitors: [Route<Context>] {
        let (sandbox, visitor) = (sandbox, "/web-analytics/1.0/tenants/{brand}/visitors/{visitor}")
        return [
            route(.put, visitor, "putSandboxVisitor") { call in
                await sandbox.visitor(call.parameters["visitor"], brand: call.parameters["brand"], call.request.body)
            },
            route(.post, "\(visitor)/events", "postSandboxVisitorEvent") { call in
                await sandbox.visitorEvent(call.request.body, brand: call.parameters["brand"])
            },
            route(.post, "/oauth/token", "postSandboxToken") { call in await sandbox.token(call.request) },
        ]
    }

    /// One of the platform's own routes: for clients of all origins, with a body that the sandbox reads by itself.
    private func route(
        _ method: Method, _ template: String, _ operationID: String, limit: Int = 1 << 20,
        _ handler: @escaping @Sendable (Call<Context>) async throws -> HTTPResponse
    ) -> Route<Context> {
        let sandbox = sandbox
        return Route<Context>(
            method, template, operationID, access: .open, query: .any,
            body: method == .get ? .none : .foreign(limit: limit),
            handler: .aside { call in
                let asked = Dictionary(call.request.query.map { ($0.name, $0.value) }) { first, _ in first }
                let (channel, visitor) = (call.parameters["channel"], call.parameters["visitor"])
                return try await sandbox.recorded(
                    operationID, call.request, channel: channel.isEmpty ? asked["channelId"] ?? "" : channel,
                    visitor: visitor.isEmpty ? asked["visitorId"] ?? "" : visitor
                ) {
                    try await handler(call)
                }
            }
        ).shared()
    }
}
