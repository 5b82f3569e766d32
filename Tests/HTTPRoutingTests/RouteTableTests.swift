import MicroHTTP
import Testing

@testable import HTTPRouting

@Suite struct RouteTableTests {
    private let table = RouteTable<PlainContext>([
        route(.get, "/"), route(.get, "/v1/sessions"), route(.post, "/v1/sessions"),
        route(.get, "/v1/sessions/{session}"), route(.get, "/v1/sessions/{session}/threads/{thread}"),
        route(.get, "/auth/status"), route(.get, "/auth/{code}"), route(.get, "/assets/{path}"),
        route(.get, "/assets/list"), route(.get, "/assets/{asset}/parts"),
    ])

    private static func route(_ method: HTTPRouting.Method, _ template: String) -> Route<PlainContext> {
        Route(method, template, "x", access: .open, handler: .now { _ in HTTPResponse(status: 200) })
    }

    @Test(arguments: [
        ("/", "/"), ("/v1/sessions", "/v1/sessions"), ("/v1/sessions/a", "/v1/sessions/{session}"),
        ("/v1/sessions/a/threads/b", "/v1/sessions/{session}/threads/{thread}"),
        ("/auth/status", "/auth/status"), ("/auth/other", "/auth/{code}"),
        ("/assets/a/b.css", "/assets/{path}"), ("/assets/list", "/assets/list"),
        ("/assets/list/", "/assets/{path}"), ("/assets/a", "/assets/{path}"),
        ("/assets/a/parts", "/assets/{asset}/parts"), ("/assets/a/parts/b", "/assets/{path}"),
        ("/assets/%C3%A9", "/assets/{path}"), ("/%76%31/sessions", "/v1/sessions"),
    ])
    func finds(path: String, template: String) {
        #expect(table.match(path)?.routes.first?.template == template)
    }

    @Test(arguments: [
        "", "v1", "//", "/v1", "/v1/", "/v1/sessions/", "/v1/sessions/a/", "/v1/sessions//threads/b",
        "/v1/sessions/a/threads",
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
        let rest = table.match("/assets/a/parts/b")?.parameters
        #expect(rest?["path"] == "a/parts/b" && rest?["asset"] == "")
        let longest = String(repeating: "x", count: 128)
        #expect(table.match("/v1/sessions/\(longest)")?.parameters["session"] == longest)
        #expect(table.match("/v1/sessions/\(longest)x") == nil)
    }

    @Test func routesAreCountedInTheirOrder() {
        #expect(table.routes.map(\.index) == Array(0..<10))
        let match = table.match("/v1/sessions")
        #expect(match?.route(.get)?.index == 1 && match?.route(.post)?.index == 2 && match?.route(.put) == nil)
    }

    @Test func allowListsHeadWithGet() {
        #expect(table.match("/v1/sessions")?.allow == "GET, HEAD, POST, OPTIONS")
    }
}
