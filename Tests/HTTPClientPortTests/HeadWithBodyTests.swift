import TestSupport
import Testing

@testable import HTTPClientPort

@Suite(.timeLimit(.minutes(5))) struct HeadWithBodyTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func aSmallRequestComesInOnePiece() async throws {
        let server = try await EchoServer(answer: Self.ok)
        let call = HTTPCall("POST", "http://127.0.0.1:\(server.port)/", body: Array("body".utf8))
        for _ in 1...20 { #expect(try await AsyncHTTPPort().send(call, limit: 100).status == 200) }
        #expect(server.requests.count == 20)
        #expect(server.requests.allSatisfy { $0.hasSuffix("\r\n\r\nbody") })
        await server.stop()
    }

    @Test func aRequestWithoutBodyIsSent() async throws {
        let server = try await EchoServer(answer: Self.ok)
        for method in ["GET", "POST"] {
            let call = HTTPCall(method, "http://127.0.0.1:\(server.port)/", timeout: .seconds(200))
            #expect(try await AsyncHTTPPort().send(call, limit: 100).status == 200)
        }
        await server.stop()
    }

    /// More than a connection takes without being flushed.
    @Test func aLargeBodyIsSentWhole() async throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
        let server = try await EchoServer(answer: Self.ok, after: body.count)
        let call = HTTPCall("POST", "http://127.0.0.1:\(server.port)/", body: body, timeout: .seconds(600))
        #expect(try await AsyncHTTPPort().send(call, limit: 100).status == 200)
        #expect(server.requests.reduce(0) { $0 + $1.utf8.count } >= body.count)
        await server.stop()
    }
}
