import HTTPRouting
import MicroHTTP
import Testing

@testable import Gateway
@testable import Pages

/// Requests as lines for a shell.
@Suite struct CurlLineTests {
    private func line(
        _ method: String, _ target: String, route: Gateway.Route, received: Int = 0, body: RequestCapture.Body? = nil
    ) -> String {
        var record = RequestRecord()
        record.method = method
        record.target = KeptTarget(of: HTTPRequest(method: method, target: target), route)
        record.route = route
        record.received = received
        return CurlLine(record, body: body, key: { "k1" }).text(origin: "http://localhost:1")
    }

    private func route(
        _ method: HTTPRouting.Method, access: Access = .scope(.deskRead), query: Gateway.Route.Query = .only([]),
        idempotency: Gateway.Route.Idempotency = .none
    ) -> Gateway.Route {
        Gateway.Route(
            method, "/v1/x", "x", access: access, query: query, idempotency: idempotency,
            handler: .stream { _ in .now(HTTPResponse(status: 200)) })
    }

    @Test func aLineHasTheTokensPlaceAndANewKey() {
        #expect(
            line("GET", "/v1/x?q=it's", route: route(.get, query: .only(["q"])))
                == "curl -sS 'http://localhost:1/v1/x?q=it'\\''s' -H \"Authorization: Bearer $(parley token)\"")
        #expect(
            line(
                "POST", "/v1/x", route: route(.post, idempotency: .carried), received: 13,
                body: .init(text: "{\"text\":\"it's\"}", size: 15))
                == "curl -sS -X POST 'http://localhost:1/v1/x' -H \"Authorization: Bearer $(parley token)\" "
                + "-H 'Idempotency-Key: k1' -H 'Content-Type: application/json' --data-raw '{\"text\":\"it'\\''s\"}'")
    }

    @Test func aQuoteIsFoundByItsByte() {
        #expect(CurlLine.quoted("a'\u{301}$(x)") == "'a'\\''\u{301}$(x)'")
    }

    @Test func aBodyThatWasNotKeptIsRead() {
        let wanted = "-H 'Content-Type: application/json' --data-binary @-"
        #expect(line("POST", "/v1/x", route: route(.post), received: 9).hasSuffix(wanted))
        let cut = RequestCapture.Body(text: "{", size: 9)
        #expect(line("POST", "/v1/x", route: route(.post), received: 9, body: cut).hasSuffix(wanted))
        #expect(!line("POST", "/v1/x", route: route(.post)).contains("--data"))
    }

    @Test func otherMethodsAndForms() {
        #expect(line("HEAD", "/v1/x", route: route(.get)).hasPrefix("curl -sS -I 'http"))
        #expect(line("GET", "/x/[a]", route: route(.get, access: .open)) == "curl -sS -g 'http://localhost:1/x/[a]'")
        #expect(
            line("GET", "/v1/x", route: route(.get, query: .only(["wait"]))).hasSuffix("-H 'Accept: application/json'"))
    }
}
