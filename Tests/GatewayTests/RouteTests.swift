import GatewaySupport
import HTTPRouting
import MicroHTTP
import TestSupport
import Testing

@testable import Gateway

@Suite struct RouteTests {
    @Test func listsWithoutRepliesHaveTheMessages() async throws {
        try await TestGateway.run { gateway in
            for list in ["/v1/sessions/\(gateway.session)/threads/t1/messages", "/v1/desk/threads/t1/messages"] {
                let request = Request(
                    method: "GET", path: list + "?replies=none",
                    headers: [("Authorization", "Bearer \(TestGateway.token)")])
                let answer = try await Driver.process.answers(to: [request], at: gateway)[0]
                #expect(answer.status == 200 && answer.body.contains("\"id\":\"m1\""))
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
            let ofAPI = open.filter { $0.hasPrefix("/v1") || $0 == "/metrics" || $0 == "/auth/codes" }
            #expect(ofAPI == ["/v1/visitors", "/v1/visitors/challenge"])
        }
    }

    /// A request with `If-Match` is refused where the document does not list it.
    @Test func theDocumentListsIfMatchWhereARouteReadsIt() async throws {
        let operations = (try DocumentSchemas().document["paths"]?.members ?? []).flatMap { $0.value.members ?? [] }
        let listed = operations.map(\.value).filter { operation in
            (operation["parameters"]?.array ?? []).contains {
                $0["$ref"]?.string == "#/components/parameters/IfMatch"
            }
        }.compactMap { $0["operationId"]?.string }
        try #require(listed.contains("updateThread"))
        try await TestGateway.run { gateway in
            for route in gateway.application.routes {
                #expect(route.isVersioned == listed.contains(route.operationID), "\(route.operationID)")
            }
        }
    }
}
