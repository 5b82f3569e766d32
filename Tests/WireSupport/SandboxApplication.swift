import CXoneSandbox
import HTTPRouting
import MicroHTTP

/// An application with the sandbox's routes and nothing else.
package final class SandboxApplication: CallContext {
    package let keysInFlight = KeysInFlight()
    private let table: RouteTable<SandboxApplication>

    package init(_ sandbox: Sandbox) { table = RouteTable(SandboxRoutes(sandbox).routes) }

    /// Answers 404 where there is no such route. Throws what the route throws, which a gateway makes a problem of.
    package func answer(to request: HTTPRequest) async throws -> HTTPResponse {
        guard let match = table.match(request.path), let route = Method(rawValue: request.method).flatMap(match.route)
        else { return HTTPResponse(status: 404) }
        let call = try Call(request, route: route, parameters: match.parameters, identity: .gateway, context: self)
        switch route.handler {
        case .now(let handler): return try handler(call)
        case .task(_, let handler): return try await handler(call)
        case .stream: return HTTPResponse(status: 501)
        }
    }

    package func outcome(under scope: String) async throws -> (fingerprint: String, outcome: Never)? { nil }
    package func record(_ answer: HTTPResponse, of request: KeyedRequest) async throws {}
    package func answer(_ outcome: Never, to call: Call<SandboxApplication>) -> HTTPResponse {}
}
