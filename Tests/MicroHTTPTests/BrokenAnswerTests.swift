import MicroHTTP
import Testing

/// Answers that the handler wants to break off.
@Suite(.timeLimit(.minutes(5))) struct BrokenAnswerTests {
    @Test(arguments: ["/broken", "/broken/later"]) func theConnectionClosesWithoutAnAnswer(path: String) async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}")
            try expectEqual(try client.rest(), [])
            try server.handler.summaries.wait()
            let summary = server.handler.summaries.all[0]
            try expect(summary.status == 0 && !summary.completed && summary.bytes == 0)
            try server.settle()
            try expectEqual(server.server.statistics.connections, 0)
            try expectEqual(server.server.statistics.requestsInFlight, 0)
        }
    }

    /// A byte, less than a block of 64 KiB, a block, more than two, and all but one.
    @Test(arguments: [1, 1000, 64 << 10, 150_000, (3 << 20) - 1], ["/broken", "/broken/later"])
    func theConnectionClosesWithinTheBody(end: Int, path: String) async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("GET \(path) HTTP/1.1\r\nHost: h\r\nX-At: \(end)\r\n\r\n")
            let head = try client.head()
            try expect(head.status == 200 && head.header("Content-Length") == "\(3 << 20)")
            try expectEqual(try client.rest(), Array(ProcessFile.bytes.prefix(end)))
            try server.handler.summaries.wait()
            try expect(!server.handler.summaries.all[0].completed)
        }
    }

    @Test func anAnswerToHEADHasNoBodyToBreak() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("HEAD /broken HTTP/1.1\r\nHost: h\r\nX-At: 7\r\n\r\n")
            try expectEqual(try client.answer(toHead: true).header("Content-Length"), "\(3 << 20)")
            try expectEqual(try client.get("/x").text, "GET /x 0")
        }
    }

    @Test func nothingBehindABrokenAnswerIsRead() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("GET /broken HTTP/1.1\r\nHost: h\r\n\r\nGET /x HTTP/1.1\r\nHost: h\r\n\r\n")
            try expectEqual(try client.rest(), [])
            try expectEqual(server.handler.seen.all.map(\.path), ["/broken"])
        }
    }
}
