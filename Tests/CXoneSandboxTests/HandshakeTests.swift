@testable import CXoneSandbox
import MicroHTTP
import Testing

@Suite struct HandshakeTests {
    private static let good = [
        ("Host", "localhost"), ("Upgrade", "websocket"), ("Connection", "keep-alive, Upgrade"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
    ]

    private static func request(_ method: String = "GET", _ changes: [String: String?] = [:]) -> HTTPRequest {
        let headers = good.compactMap { name, value -> (String, String)? in
            guard let change = changes[name] else { return (name, value) }
            return change.map { (name, $0) }
        }
        return HTTPRequest(method: method, target: "/socket", headers: headers)
    }

    @Test func theKeyIsProvenAsTheStandardShowsIt() {
        #expect(Handshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(
            Handshake.headers(for: Self.request())?.contains {
                $0 == ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            } == true)
    }

    @Test(
        arguments: [
            ["Upgrade": nil], ["Upgrade": "h2c"], ["Connection": "close"], ["Sec-WebSocket-Key": nil],
            ["Sec-WebSocket-Key": "c2hvcnQ="],
            ["Sec-WebSocket-Version": "8"], ["Sec-WebSocket-Version": nil],
        ] as [[String: String?]])
    func anythingElseIsNoHandshake(_ changes: [String: String?]) {
        #expect(Handshake.headers(for: Self.request("GET", changes)) == nil)
    }

    @Test func onlyAGetThatAsksLeavesThePage() {
        #expect(Handshake.isRequested(Self.request("GET", ["Upgrade": "WebSocket"])))
        #expect(!Handshake.isRequested(Self.request("GET", ["Upgrade": nil])))
        #expect(!Handshake.isRequested(Self.request("POST")))
    }
}
