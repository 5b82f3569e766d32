import HTTPRouting
import MicroHTTP
import Testing

@testable import Gateway

@Suite struct RouteTableTests {
    private let table = RouteTable<GatewayCore>([
        route(.get, "/"), route(.get, "/v1/sessions"), route(.post, "/v1/sessions"),
        route(.get, "/v1/sessions/{session}"), route(.get, "/v1/sessions/{session}/threads/{thread}"),
        route(.get, "/auth/status"), route(.get, "/auth/{code}"), route(.get, "/assets/{path}"),
    ])

    private static func route(_ method: HTTPRouting.Method, _ template: String) -> Gateway.Route {
        Gateway.Route(method, template, "x", access: .open, handler: .now { _ in HTTPResponse(status: 200) })
    }

    @Test(arguments: [
        ("/", "/"), ("/v1/sessions", "/v1/sessions"), ("/v1/sessions/a", "/v1/sessions/{session}"),
        ("/v1/sessions/a/threads/b", "/v1/sessions/{session}/threads/{thread}"),
        ("/auth/status", "/auth/status"), ("/auth/other", "/auth/{code}"),
        ("/assets/a/b.css", "/assets/{path}"), ("/%76%31/sessions", "/v1/sessions"),
    ])
    func finds(path: String, template: String) {
        #expect(table.match(path)?.routes.first?.template == template)
    }

    @Test(arguments: [
        "", "v1", "//", "/v1", "/v1/", "/v1/sessions/", "/v1/sessions/a/", "/v1/sessions//threads/b", "/v1/sessions/a/threads",
        "/v1/sessions/%00", "/v1/sessions/%C3%A9", "/V1/sessions", "/v1%2Fsessions",
    ])
    func findsNothing(path: String) {
        #expect(table.match(path) == nil)
    }

    @Test func decodesParametersAndKeepsThemVerbatim() {
        let match = table.match("/v1/sessions/a%2Fb/threads/x%20+y")
        #expect(match?.parameters["session"] == "a/b")
        #expect(match?.parameters["thread"] == "x +y")
        #expect(table.match("/assets/a%2F..%2Fb")?.parameters["path"] == "a/../b")
        let longest = String(repeating: "x", count: 128)
        #expect(table.match("/v1/sessions/\(longest)")?.parameters["session"] == longest)
        #expect(table.match("/v1/sessions/\(longest)x") == nil)
    }

    @Test func allowListsHeadWithGet() {
        #expect(table.match("/v1/sessions")?.allow == "GET, HEAD, POST, OPTIONS")
    }

    /// A list that leaves replies out passes over any number of them.
    @Test func listsWithoutRepliesAreReadOffTheLoop() async throws {
        try await TestGateway.run { gateway in
            for list in ["/v1/sessions/\(gateway.session)/threads/t1/messages", "/v1/desk/threads/t1/messages"] {
                // The first answer sets the gateway's ports, too.
                let request = Request(
                    method: "GET", path: list + "?replies=none", headers: [("Authorization", "Bearer \(TestGateway.token)")])
                let answer = try await Driver.process.answers(to: [request], at: gateway)[0]
                #expect(answer.status == 200 && answer.body.contains("\"id\":\"m1\""))
                for (query, isExpected) in [("", false), ("?replies=all", false), ("?replies=alsoInThread", false), ("?replies=none", true)] {
                    let request = HTTPRequest(
                        method: "GET", target: list + query,
                        headers: [("Host", "127.0.0.1:8787"), ("Authorization", "Bearer \(TestGateway.token)")], body: [],
                        peer: .tcp(.loopback(port: 4000)), number: 1)
                    let isLater = if case .later = gateway.application.respond(to: request) { true } else { false }
                    #expect(isLater == isExpected, "\(list)\(query)")
                }
            }
        }
    }

    @Test func operationIdsAndPathsAreUnique() async throws {
        try await TestGateway.run { gateway in
            let routes = gateway.application.routes
            #expect(Set(routes.map(\.operationID)).count == routes.count)
            #expect(Set(routes.map { "\($0.method.rawValue) \($0.template)" }).count == routes.count)
            // What is open is decided here, and nowhere by chance.
            let open = routes.filter { $0.access == .open }.map(\.template)
            #expect(open.allSatisfy { !$0.hasPrefix("/v1") && $0 != "/metrics" && $0 != "/auth/codes" })
        }
    }
}
