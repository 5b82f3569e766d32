import MicroHTTP
import Testing

/// Bodies of a known length that a source produces piece by piece.
@Suite(.timeLimit(.minutes(5))) struct PieceTests {
    private func ask(_ server: TestServer, _ method: String = "GET") throws -> (RawClient, TestSource) {
        let client = try server.client()
        client.send("\(method) /pieces HTTP/1.1\r\nHost: h\r\n\r\n")
        return (client, try server.handler.sources.wait()[0])
    }

    @Test func theHeadHasTheLengthAndTheBodyIsNotChunked() async throws {
        try await withServer { server in
            let (client, source) = try ask(server)
            let head = try client.head()
            try expectEqual(head.header("Content-Length"), "10")
            try expectEqual(head.header("Transfer-Encoding"), nil)
            source.publish("01234", on: server.server)
            source.publish("56789", on: server.server)
            source.end(on: server.server)
            try expectEqual(String(decoding: try client.rest(), as: UTF8.self), "0123456789")
            try expectEqual(try source.ends.wait(), [.ended])
        }
    }

    @Test func whatIsMissingIsSeen() async throws {
        try await withServer { server in
            let (client, source) = try ask(server)
            try expectEqual(try client.head().header("Content-Length"), "10")
            source.publish("01234", on: server.server)
            source.end(on: server.server)
            try expectEqual(String(decoding: try client.rest(), as: UTF8.self), "01234")
        }
    }

    @Test func headGetsTheLengthAlone() async throws {
        try await withServer { server in
            let (client, source) = try ask(server, "HEAD")
            try expectEqual(try client.answer(toHead: true).header("Content-Length"), "10")
            try expectEqual(try source.ends.wait(), [.ended])
        }
    }
}
