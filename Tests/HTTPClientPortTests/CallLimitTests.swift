import HTTPClientPort
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct CallLimitTests {
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func aCallEndsWithItsTime(answer: String) async throws {
        let server = try await EchoServer(answer: answer)
        let call = HTTPCall("GET", "http://127.0.0.1:\(server.port)/", timeout: .milliseconds(300))
        await #expect(throws: HTTPCallError.timeout) { _ = try await AsyncHTTPPort().send(call, limit: 100) }
        await server.stop()
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func whoIsCancelledEndsTheCall(answer: String) async throws {
        let server = try await EchoServer(answer: answer)
        let call = HTTPCall("GET", "http://127.0.0.1:\(server.port)/")
        let waiting = Task { try await AsyncHTTPPort().send(call, limit: 100) }
        #expect(await eventually { server.requests.count == 1 })
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await server.stop()
    }

    @Test func moreThanTheLimitIsAnError() async throws {
        let server = try await EchoServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort")
        let call = HTTPCall("GET", "http://127.0.0.1:\(server.port)/")
        #expect(try await AsyncHTTPPort().send(call, limit: 5).body == Array("short".utf8))
        await #expect(throws: (any Error).self) { _ = try await AsyncHTTPPort().send(call, limit: 4) }
        await server.stop()
    }

    @Test func onlyTheStartOfALongAnswerIsRead() async throws {
        let body = String(repeating: "x", count: 200_000)
        let server = try await EchoServer(
            answer: "HTTP/1.1 503 Away\r\nRetry-After: 7\r\nContent-Length: 1000000000\r\n\r\n" + body)
        let call = HTTPCall("GET", "http://127.0.0.1:\(server.port)/", timeout: .seconds(200))
        let answer = try await AsyncHTTPPort().sendReadingStart(call, limit: 65_536, kept: 1024)
        #expect(answer.status == 503 && answer.headers["retry-after"] == "7")
        #expect(answer.body == Array(repeating: UInt8(ascii: "x"), count: 1024))
        await server.stop()
    }

    @Test func aShortAnswerIsReadWhole() async throws {
        let server = try await EchoServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort")
        let answer = try await AsyncHTTPPort().sendReadingStart(
            HTTPCall("GET", "http://127.0.0.1:\(server.port)/"), limit: 65_536, kept: 1024)
        #expect(answer.body == Array("short".utf8))
        await server.stop()
    }

    @Test func anAddressIsReadAndWritten() throws {
        for text in ["192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"] { #expect(NetworkAddress(text)?.text == text) }
        for text in ["127.1", "0x7f.0.0.1", "fe80::1%lo", "localhost", ""] { #expect(NetworkAddress(text) == nil) }
        #expect(NetworkAddress(bytes: [1, 2, 3]) == nil)
    }
}
