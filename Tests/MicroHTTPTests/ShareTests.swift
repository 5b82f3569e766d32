import Glibc
import MicroHTTP
import Testing

/// One holder's share of the places: of requests, bodies, uploads and streams.
@Suite(.timeLimit(.minutes(5))) struct ShareTests {
    private static func head(_ path: String, _ holder: String, more: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: h\r\nX-Holder: \(holder)\r\n\(more)\r\n"
    }

    private static func half(_ path: String, _ holder: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: h\r\nX-Holder: \(holder)\r\nContent-Length: 100\r\n\r\na"
    }

    /// The answer to one request on a connection of its own.
    private static func asked(_ server: TestServer, _ path: String, _ holder: String) throws -> Answer {
        let client = try server.client()
        client.send(head(path, holder))
        return try client.answer()
    }

    @Test func requestsOfOneHolderLeavePlacesToOthers() async throws {
        try await withServer(configure: { $0.maxRequests = 16 }) { server in
            // An eighth for one holder, a quarter for unknown senders.
            var working: [RawClient] = []
            for (holder, share) in [("ann", 2), ("nobody", 4)] {
                for _ in 0..<share {
                    working.append(try server.client())
                    working.last?.send(Self.head("/gate", holder))
                }
            }
            try server.handler.gates.arrived.wait(for: 6)
            for holder in ["ann", "nobody"] {
                let refused = try Self.asked(server, "/later", holder)
                try expectEqual(refused.status, 429)
                try expect(refused.text.hasPrefix("shareExceeded"), refused.text)
                try expectEqual(try Self.asked(server, "/x", holder).status, 200)
                try expectEqual(try Self.asked(server, "/probe", holder).text, "later")
                // A task that answers at once needs no place. One that waits does.
                try expectEqual(try Self.asked(server, "/prompt", holder).text, "prompt")
                try expectEqual(try Self.asked(server, "/prompt/gate", holder).status, 429)
            }
            try expectEqual(try Self.asked(server, "/later", "bo").text, "later")
            // All others together leave root its place.
            for name in ["c", "d", "e", "f", "g"] {
                for _ in 0..<2 {
                    working.append(try server.client())
                    working.last?.send(Self.head("/gate", name))
                    try server.settle()
                }
            }
            try server.handler.gates.arrived.wait(for: 17)
            try expectEqual(try Self.asked(server, "/later", "h").status, 503)
            try expectEqual(try server.client().get("/later").text, "later")
            server.handler.gates.open()
            try server.eventually("all given back") { server.server.statistics.requestsInFlight == 0 }
            try expectEqual(try Self.asked(server, "/later", "ann").text, "later")
        }
    }

    @Test func bodiesOfOneHolderGiveWayToItsOwn() async throws {
        try await withServer(configure: { $0.maxIncomplete = 16 }) { server in
            let clients = try (0..<4).map { _ in
                let client = try server.client()
                client.send(Self.half("/x", "ann"))
                try server.settle()
                return client
            }
            let other = try server.client()
            other.send(Self.half("/x", "bo"))
            for client in clients[..<2] {
                let text = String(decoding: try client.rest(), as: UTF8.self)
                try expect(text.hasPrefix("HTTP/1.1 429 ") && text.contains("shareExceeded"), text)
            }
            for client in clients[2...] + [other] {
                client.send(String(repeating: "a", count: 99))
                try expectEqual(try client.answer().text, "POST /x 100")
            }
            try server.settle()
            try expectEqual(server.server.statistics.requestsIncomplete, 0)
        }
    }

    @Test func uploadsOfOneHolderLeavePlacesToOthers() async throws {
        try await withServer(configure: { $0.maxSinks = 16 }) { server in
            let uploads = try (0..<2).map { _ in try server.client() }
            for upload in uploads { upload.send(Self.half("/upload", "ann")) }
            try server.handler.sinks.wait(for: 2)
            let refused = try server.client()
            refused.send(Self.half("/upload", "ann"))
            try expectEqual(try refused.answer().status, 429)
            let other = try server.client()
            other.send(Self.half("/upload", "bo"))
            try server.handler.sinks.wait(for: 3)
            other.send(String(repeating: "a", count: 99))
            try expectEqual(try other.answer().text, "100 0")
            for upload in uploads { upload.close() }
        }
    }

    @Test func streamsOfOneHolderLeavePlacesToOthers() async throws {
        try await withServer(configure: { $0.maxStreams = 16 }) { server in
            let streams = try (0..<2).map { _ in
                let client = try server.client()
                client.send(Self.head("/events", "ann"))
                try expectEqual(try client.head().status, 200)
                return client
            }
            try server.eventually("open") { server.server.statistics.streams == 2 }
            let refused = try Self.asked(server, "/events", "ann")
            try expectEqual(refused.status, 429)
            try expect(refused.text.hasPrefix("shareExceeded"), refused.text)
            let other = try server.client()
            other.send(Self.head("/later/events", "bo"))
            try expectEqual(try other.head().status, 200)
            streams[0].close()
            try server.eventually("given back") { server.server.statistics.streams == 2 }
            let again = try server.client()
            again.send(Self.head("/events", "ann"))
            try expectEqual(try again.head().status, 200)
        }
    }

    @Test func aTaskThatOnlyReadsEndsWithItsClientAndAnotherRunsOn() async throws {
        try await withServer(configure: { $0.requestTime = .milliseconds(200) }) { server in
            let (writer, reader) = (try server.client(), try server.client())
            writer.send("POST /cancelled HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
            reader.send(Self.head("/cancelled", "ann"))
            try server.handler.gates.arrived.wait(for: 2)
            writer.close()
            reader.close()
            try server.handler.cancellations.wait()
            try server.eventually("gone") { server.server.statistics.requestsInFlight == 0 }
            try expectEqual(server.handler.cancellations.all.count, 1)
            try expectEqual(server.server.statistics.requestsAbandoned, 1)
        }
    }

    @Test func aTaskOfWhichTheHandlerSaysSoEndsWithItsClient() async throws {
        try await withServer(configure: { $0.requestTime = .milliseconds(200) }) { server in
            let client = try server.client()
            client.send("POST /cancelled/ends HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
            try server.handler.gates.arrived.wait(for: 1)
            client.close()
            try server.handler.cancellations.wait()
            try server.eventually("gone") { server.server.statistics.requestsInFlight == 0 }
        }
    }

    @Test func aRequestThatReadsForTooLongIsCancelled() async throws {
        try await withServer(configure: {
            $0.requestTime = .milliseconds(200); $0.readTime = .milliseconds(300)
        }) { server in
            try expectEqual(try server.client().get("/cancelled").text, "cancelled")
            try server.handler.cancellations.wait()
        }
    }

    /// One holder's bodies and answers fill its share of the memory: its own give way, with 429, and no other's.
    @Test func bytesOfOneHolderGiveWayToItsOwn() async throws {
        try await withServer(configure: { $0.maxMemory = 800_000 }) { server in
            func begin(_ holder: String, _ count: Int) throws -> RawClient {
                let client = try server.client()
                client.send(
                    "POST /x HTTP/1.1\r\nHost: h\r\nX-Holder: \(holder)\r\nContent-Length: 90000\r\n\r\n"
                        + String(repeating: "a", count: count))
                try server.settle()
                return client
            }
            let other = try begin("bo", 89_000)
            let own = try (0..<3).map { _ in try begin("ann", 40_000) }
            // A share of 100,000 has room for two of them.
            let refused = try own[0].answer()
            try expectEqual(refused.status, 429)
            try expect(refused.text.hasPrefix("shareExceeded"), refused.text)
            // An answer that is greater than the share, and one that needs no share.
            try expectEqual(try Self.asked(server, "/big", "ann").status, 429)
            try expectEqual(try Self.asked(server, "/x", "ann").status, 200)
            try expectEqual(try server.client().get("/big").status, 503)
            other.send(String(repeating: "a", count: 1000))
            try expectEqual(try other.answer().text, "POST /x 90000")
        }
    }
}
