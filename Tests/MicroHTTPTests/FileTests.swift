import Glibc
import MicroHTTP
import Testing

/// Bodies that are not in memory as a whole: on their way in, and on their way out. Serialized: sinks share the switch
/// that pauses them.
@Suite(.timeLimit(.minutes(5)), .serialized) struct FileTests {
    private static func head(_ length: Int, to path: String = "/upload") -> String {
        "POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n"
    }

    @Test func aSinkTakesTheBodyAndTheConnectionLivesOn() async throws {
        try await withServer { server in
            let client = try server.client()
            for path in ["/upload", "/upload/later"] {
                client.send(Self.head(3 << 20, to: path))
                client.send(ProcessFile.bytes)
                try expect(try client.answer().text.hasPrefix("\(3 << 20)"))
                try expectEqual(server.handler.sinks.all.last?.bytes, ProcessFile.bytes)
            }
            try expectEqual(try client.get("/x").text, "GET /x 0")
            try expect(server.handler.sinks.all.allSatisfy { $0.ends.all.isEmpty })
            try expect(server.handler.seen.all.allSatisfy(\.body.isEmpty))
        }
    }

    @Test func aSinkTakesAChunkedBody() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send(
                "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"
            )
            try expectEqual(try client.answer().text, "11 0")
            try expectEqual(server.handler.sinks.all.map(\.bytes), [Array("hello world".utf8)])
        }
    }

    @Test func aPausedBodyWaitsInTheKernel() async throws {
        try await Self.pausing {
            try await withServer { server in
                let client = try server.client()
                client.send(Self.head(100_000) + String(repeating: "x", count: 50_000))
                let sink = try server.handler.sinks.wait()[0]
                try sink.pieces.wait()
                try server.settle()
                try expectEqual(sink.pieces.all.count, 1)
                // Others are served meanwhile.
                try expectEqual(try server.client().get("/x").text, "GET /x 0")
                client.send(String(repeating: "x", count: 50_000))
                while sink.pieces.all.reduce(0, +) < 100_000 {
                    let count = sink.pieces.all.count
                    sink.flow.resume()
                    sink.flow.resume()
                    try sink.pieces.wait(for: count + 1)
                }
                sink.flow.resume()
                try expectEqual(try client.answer().text, "100000 0")
                sink.flow.resume()
                try expectEqual(try client.get("/x").text, "GET /x 0")
            }
        }
    }

    @Test func aPausedChunkedBodyWaitsToo() async throws {
        try await Self.pausing {
            try await withServer { server in
                let client = try server.client()
                let chunk = "3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n"
                client.send(
                    "POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + String(repeating: chunk, count: 20) + "0\r\n\r\n")
                let sink = try server.handler.sinks.wait()[0]
                while sink.pieces.all.reduce(0, +) < 20_000 {
                    let count = sink.pieces.all.count
                    sink.flow.resume()
                    try sink.pieces.wait(for: count + 1)
                }
                sink.flow.resume()
                try expectEqual(try client.answer().text, "20000 0")
            }
        }
    }

    @Test func aBodyThatBreaksOffIsAbandonedOnce() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send(Self.head(100_000) + "half")
            let sink = try server.handler.sinks.wait()[0]
            try sink.pieces.wait()
            client.close()
            try sink.ends.wait()
            try expectEqual(server.handler.seen.all.count, 0)
            let summary = try server.handler.summaries.wait()[0]
            try expect(!summary.completed && summary.status == 0)
            try server.settle()
            try expectEqual(sink.ends.all.count, 1)
        }
    }

    /// Also when its end comes together with the last bytes, which the library does not see.
    @Test func aBodyThatBreaksOffAtAnyMomentIsAbandonedSoon() async throws {
        try await withServer { server in
            for round in 0..<200 {
                let client = try server.client()
                client.send(Self.head(8 << 20) + String(repeating: "x", count: round * 997))
                client.close()
                let sink = try server.handler.sinks.wait(for: round + 1)[round]
                try sink.ends.wait()
            }
        }
    }

    @Test func whoHasSentAllMayCloseItsSide() async throws {
        try await withServer { server in
            for _ in 0..<20 {
                let client = try server.client()
                client.send(Self.head(300_000) + String(repeating: "x", count: 300_000))
                shutdown(client.descriptor, Int32(SHUT_WR))
                try expectEqual(try client.answer().text, "300000 0")
            }
            try expect(server.handler.sinks.all.allSatisfy { $0.ends.all.isEmpty })
        }
    }

    @Test func aBodyOverTheSinksLimitIsRefused() async throws {
        try await withServer { server in
            let announced = try server.client()
            announced.send(Self.head((8 << 20) + 1))
            try expectEqual(try announced.answer().status, 413)
            try expectEqual(server.handler.sinks.all.count, 0)
            let chunked = try server.client()
            chunked.send("POST /upload HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<3 { chunked.send("300000\r\n" + String(repeating: "x", count: 3 << 20) + "\r\n") }
            chunked.send("0\r\n\r\n")
            try expectEqual(try chunked.answer().status, 413)
            let sink = try server.handler.sinks.wait()[0]
            try sink.ends.wait()
            try expect(sink.count <= 8 << 20)
        }
    }

    @Test func stoppingAbandonsWhatIsPaused() async throws {
        try await Self.pausing {
            try await withServer { server in
                let client = try server.client()
                client.send(Self.head(100_000) + "half")
                let sink = try server.handler.sinks.wait()[0]
                try sink.pieces.wait()
                server.server.stopNow()
                try sink.ends.wait()
                sink.flow.resume()
            }
        }
    }

    @Test func aRequestWithoutBodyHasNoSink() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send(Self.head(0))
            try expectEqual(try client.answer().text, "-1 0")
        }
    }

    @Test func aFileAndItsPartsAreSent() async throws {
        try await withServer { server in
            let client = try server.client()
            try expectEqual(try client.get("/file").body, ProcessFile.bytes)
            for range in [0..<1, 100..<70_000, (3 << 20) - 1..<3 << 20] {
                let answer = try client.get("/file", "X-Range: \(range.lowerBound)-\(range.upperBound)\r\n")
                try expectEqual(answer.header("Content-Length"), "\(range.count)")
                try expectEqual(answer.body, Array(ProcessFile.bytes[range]))
            }
            client.send("HEAD /file HTTP/1.1\r\nHost: h\r\n\r\n")
            try expectEqual(try client.answer(toHead: true).header("Content-Length"), "\(3 << 20)")
            try expectEqual(try client.get("/x").text, "GET /x 0")
            try expectEqual(try server.handler.summaries.wait(for: 5).map(\.bytes), [3 << 20, 1, 69_900, 1, 0])
        }
    }

    @Test func aSlowReaderOfAFileKeepsNobodyWaiting() async throws {
        try await withServer { server in
            let slow = try server.client(receiveBuffer: 4096)
            slow.send("GET /file HTTP/1.1\r\nHost: h\r\n\r\n")
            for _ in 0..<20 { try expectEqual(try server.client().get("/x").status, 200) }
            try expectEqual(try slow.answer().body, ProcessFile.bytes)
        }
    }

    @Test func aFileThatBecameShorterEndsTheConnection() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("GET /file HTTP/1.1\r\nHost: h\r\nX-Range: 0-4000000\r\n\r\n")
            let head = try client.head()
            try expectEqual(head.header("Content-Length"), "4000000")
            try expectEqual(try client.rest().count, 3 << 20)
        }
    }

    private static func pausing(_ body: () async throws -> Void) async throws {
        TestSink.pausing.withLock { $0 = true }
        defer { TestSink.pausing.withLock { $0 = false } }
        try await body()
    }
}
