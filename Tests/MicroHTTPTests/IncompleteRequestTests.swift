import Dispatch
import Glibc
import MicroHTTP
import Testing

/// Requests that are still coming: how long they may take, and that they never keep others out.
@Suite(.timeLimit(.minutes(5))) struct IncompleteRequestTests {
    private static let half = "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\na"

    /// The start of a request that nobody drips to its end.
    private static func long(_ path: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\na"
    }

    /// Sends the parts of a request, then a byte at a time, until the server ends it.
    /// - Returns: what came back.
    private func drip(_ client: RawClient, _ start: String, byte: String = "a") throws -> String {
        client.send(start)
        let begun = ContinuousClock.now
        while client.isSilent {
            try expect(ContinuousClock.now - begun < .seconds(patience), "it may drip forever")
            client.send(byte)
            usleep(50_000)
        }
        return String(decoding: try client.rest(), as: UTF8.self)
    }

    @Test func aBodyThatDripsIsRefusedInTime() async throws {
        try await withServer(configure: { $0.requestTime = .milliseconds(300) }) { server in
            let text = try drip(try server.client(), Self.long("/x"))
            try expect(text.hasPrefix("HTTP/1.1 408 ") && text.contains("requestTimeout"), text)
            try expectEqual(text.components(of: "HTTP/1."), 1)
            try expectEqual(try server.handler.summaries.wait()[0].status, 408)
            try expectEqual(server.handler.seen.all.count, 0)
            try server.eventually("closed") { server.server.statistics.connections == 0 }
            try expectEqual(server.server.statistics.requestsIncomplete, 0)
            try expectEqual(server.server.statistics.connectionsGivenUp, 1)
        }
    }

    /// More of them than libmicrohttpd reads at a time. What comes after a stall of the server is read before anybody is
    /// given up.
    @Test func whoSentWhileTheServerStoodStillIsAnswered() async throws {
        try await withServer(configure: { $0.requestTime = .seconds(1) }) { server in
            let clients = try (0..<300).map { _ in try server.client() }
            for client in clients { client.send(Self.half) }
            try server.eventually("all have begun") { server.server.statistics.requestsIncomplete == clients.count }
            let gate = DispatchSemaphore(value: 0)
            server.server.execute { gate.wait() }
            for client in clients { client.send(String(repeating: "a", count: 99)) }
            usleep(3_000_000)  // as long as nobody can be given up in time
            gate.signal()
            for client in clients { try expectEqual(try client.answer().text, "POST /x 100") }
        }
    }

    @Test func anUploadThatDripsLeavesItsSink() async throws {
        try await withServer(configure: { $0.requestTime = .milliseconds(300) }) { server in
            let text = try drip(try server.client(), Self.long("/upload"))
            try expect(text.hasPrefix("HTTP/1.1 408 "), text)
            try server.handler.sinks.wait()[0].ends.wait()
        }
    }

    @Test func aHeadThatDripsIsRefusedInTime() async throws {
        try await withServer(configure: { $0.requestTime = .milliseconds(300) }) { server in
            let text = try drip(try server.client(), "GET /x HTTP/1.1\r\nHost: h\r\nX-Long: ")
            try expect(text.hasPrefix("HTTP/1.1 408 "), text)
            try server.eventually("closed") { server.server.statistics.connections == 0 }
        }
    }

    @Test func aFirstLineThatDripsEndsTheConnection() async throws {
        try await withServer(configure: { $0.idleTimeout = .seconds(1) }) { server in
            try expectEqual(try drip(try server.client(), "GET /"), "")
        }
    }

    @Test func aBodyMayTakeLongerIfItIsLonger() async throws {
        try await withServer(configure: {
            $0.requestTime = .milliseconds(200); $0.slowestBody = 100
        }) { server in
            let client = try server.client()
            client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9000\r\n\r\n")
            for _ in 0..<9 {
                client.send(String(repeating: "a", count: 1000))
                usleep(100_000)
            }
            try expectEqual(try client.answer().text, "POST /x 9000")
        }
    }

    /// Much of it is in the kernel, which asks for more only when a good part of that is gone.
    @Test func anAnswerThatIsTakenSlowlyComesWhole() async throws {
        try await withServer(configure: { $0.idleTimeout = .seconds(1) }) { server in
            let client = try server.client(receiveBuffer: 32 << 10)
            client.send("GET /huge HTTP/1.1\r\nHost: h\r\n\r\n")
            try expectEqual(try client.head().status, 200)
            var count = 0
            for _ in 0..<50 {  // four seconds
                count += try client.takeSome(8 << 10)
                usleep(80_000)
            }
            while count < 12 << 20 { count += try client.takeSome(1 << 20) }
            try expectEqual(count, 12 << 20)
            try expectEqual(try client.get("/x").status, 200)
            // The connection is the library's to end again.
            let start = ContinuousClock.now
            try expectEqual(try client.rest(), [])
            try expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    @Test func anAnswerThatNobodyTakesEndsInTime() async throws {
        try await withServer(configure: {
            $0.idleTimeout = .seconds(1); $0.slowestBody = 100_000
        }) { server in
            let client = try server.client(receiveBuffer: 4096)
            client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
            let start = ContinuousClock.now
            try server.handler.seen.wait()
            try server.settle()
            try expectEqual(server.server.statistics.connections, 1)
            try server.eventually("closed") { server.server.statistics.connections == 0 }
            // By its length it would have more than 30 s.
            try expect((.seconds(1)..<(.seconds(30))).contains(ContinuousClock.now - start))
        }
    }

    @Test func theOldestIncompleteRequestsGiveWay() async throws {
        try await withServer(configure: { $0.maxIncomplete = 8 }) { server in
            let clients = try (0..<20).map { _ in
                let client = try server.client()
                client.send(Self.half)
                try server.settle()
                return client
            }
            for client in clients[..<12] {
                let text = String(decoding: try client.rest(), as: UTF8.self)
                try expect(text.hasPrefix("HTTP/1.1 503 ") && text.contains("tooManyRequests"), text)
            }
            try server.settle()
            try expectEqual(server.server.statistics.requestsIncomplete, 8)
            try expectEqual(try server.client().get("/x").status, 200)
            for client in clients[12...] {
                client.send(String(repeating: "a", count: 99))
                try expectEqual(try client.answer().text, "POST /x 100")
            }
        }
    }

    /// A client whose half request has to give way, and the one that takes its place; there is one place.
    private static func crowdedOut(on server: TestServer) throws -> (client: RawClient, next: RawClient) {
        let (client, next) = (try server.client(), try server.client())
        client.send(half)
        try server.settle()
        next.send(half)
        return (client, next)
    }

    @Test func whoIsStillSendingWhenItGivesWayIsNotReset() async throws {
        try await withServer(configure: { $0.maxIncomplete = 1 }) { server in
            let (client, next) = try Self.crowdedOut(on: server)
            try server.settle()
            for _ in 0..<5 {
                try expect(client.send("a"), "reset")
                try server.settle()
            }
            let answer = try client.answer()
            try expectEqual(answer.status, 503)
            try expectEqual(try client.rest(), [])
            next.send(String(repeating: "a", count: 99))
            try expectEqual(try next.answer().text, "POST /x 100")
        }
    }

    @Test func whoSaysNothingMoreLosesItsPlaceSoon() async throws {
        try await withServer(configure: { $0.maxIncomplete = 1 }) { server in
            let (client, next) = try Self.crowdedOut(on: server)
            // The end comes with the answer, though the client is still there.
            try expect(String(decoding: try client.rest(), as: UTF8.self).hasPrefix("HTTP/1.1 503 "))
            try server.eventually("closed") { server.server.statistics.connections == 1 }
            next.send(String(repeating: "a", count: 99))
            try expectEqual(try next.answer().text, "POST /x 100")
        }
    }

    @Test func unknownSendersGiveWayFirst() async throws {
        try await withServer(configure: { $0.maxIncomplete = 4 }) { server in
            let known = try (0..<2).map { index in
                let client = try server.client()
                client.send("POST /known HTTP/1.1\r\nHost: h\r\nX-Holder: k\(index)\r\nContent-Length: 2\r\n\r\na")
                try server.settle()
                return client
            }
            let unknown = try (0..<10).map { _ in
                let client = try server.client()
                client.send(Self.half.replacing("Host: h", with: "Host: h\r\nX-Holder: nobody"))
                try server.settle()
                return client
            }
            for client in unknown[..<9] { try expectEqual(try client.answer().status, 429) }
            for client in known {
                client.send("b")
                try expectEqual(try client.answer().text, "POST /known 2")
            }
        }
    }

    @Test func bodiesInMemoryHaveALimitTogether() async throws {
        try await withServer(configure: { $0.maxMemory = 100_000 }) { server in
            let clients = try (0..<4).map { _ in
                let client = try server.client()
                client.send(
                    "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n"
                        + String(repeating: "a", count: 40_000))
                try server.settle()
                return client
            }
            for client in clients[..<2] { try expectEqual(try client.answer().status, 503) }
            for client in clients[2...] {
                client.send(String(repeating: "a", count: 10_000))
                try expectEqual(try client.answer().text, "POST /x 50000")
            }
            // Alone it is too much.
            let great = try server.client()
            great.send(
                "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n" + String(repeating: "a", count: 200_000)
            )
            try expectEqual(try great.answer().status, 503)
            try expectEqual(try server.client().get("/x").status, 200)
        }
    }

    @Test func whoHoldsMostGivesWayFirst() async throws {
        try await withServer(configure: { $0.maxMemory = 100_000 }) { server in
            func begin(_ count: Int) throws -> RawClient {
                let client = try server.client()
                client.send(
                    "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n"
                        + String(repeating: "a", count: count))
                try server.settle()
                return client
            }
            let small = try (0..<5).map { _ in try begin(1000) }
            let great = try begin(49_000)
            let next = try begin(49_000)
            try expectEqual(try great.answer().status, 503)
            next.send(String(repeating: "a", count: 1000))
            try expectEqual(try next.answer().text, "POST /x 50000")
            for client in small {
                client.send(String(repeating: "a", count: 49_000))
                try expectEqual(try client.answer().text, "POST /x 50000")
            }
            try server.settle()
            try expectEqual(server.server.statistics.connectionsGivenUp, 1)
        }
    }

    @Test func answersThatNobodyTakesHaveALimitTogether() async throws {
        // Each answer has three megabytes, of which the kernel takes a part.
        try await withServer(configure: { $0.maxMemory = 10 << 20 }) { server in
            let clients = try (0..<5).map { _ in
                let client = try server.client(receiveBuffer: 4096)
                client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
                try server.settle()
                return client
            }
            for client in clients[..<2] {
                do {
                    _ = try client.answer()
                    throw Failure(description: "an old answer did not give way")
                } catch let failure as Failure {
                    try expect(failure.description.hasPrefix("closed"), failure.description)
                }
            }
            for client in clients[2...] { try expectEqual(try client.answer().body.count, 3 << 20) }
            // One that is alone too great is refused.
            try server.eventually("the memory is free again") { server.server.statistics.requestsInFlight == 0 }
        }
        try await withServer(configure: { $0.maxMemory = 1 << 20 }) { server in
            try expectEqual(try server.client().get("/big").status, 503)
        }
    }

    @Test func smallAnswersGoOutThoughMemoryIsFull() async throws {
        try await withServer(configure: { $0.maxMemory = 100_000 }) { server in
            let working = try (0..<2).map { _ in
                let client = try server.client()
                client.send(
                    "POST /gate HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n"
                        + String(repeating: "a", count: 50_000))
                return client
            }
            try server.handler.gates.arrived.wait(for: 2)
            try expectEqual(try server.client().get("/x").text, "GET /x 0")
            try expectEqual(try server.client().get("/big").status, 503)
            server.handler.gates.open()
            for client in working { try expectEqual(try client.answer().text, "passed") }
        }
    }

    @Test func uploadsHaveALimitOfTheirOwn() async throws {
        try await withServer(configure: { $0.maxSinks = 2 }) { server in
            let head = "POST /upload HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n"
            let clients = try (0..<3).map { _ in
                let client = try server.client()
                client.send(head + "a")
                try server.settle()
                return client
            }
            try expectEqual(try clients[2].answer().status, 503)
            for client in clients[..<2] {
                client.send("b")
                try expectEqual(try client.answer().text, "2 0")
            }
            let next = try server.client()
            next.send(head + "ab")
            try expectEqual(try next.answer().status, 200)
        }
    }

    @Test func connectionsWithoutACompleteRequestGiveWay() async throws {
        try await withServer(configure: { $0.maxConnections = 16 }) { server in
            let working = try server.client()
            working.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n")
            try server.handler.gates.arrived.wait()
            let (stream, source) = try server.stream()
            let others = try (0..<40).map { index in
                let client = try server.client()
                client.send(["", "GET /x HT", "GET /x HTTP/1.1\r\nHost: h", Self.half][index % 4])
                return client
            }
            for _ in 0..<10 { try expectEqual(try server.client().get("/x").status, 200) }
            source.publish("still there\n", on: server.server)
            try expectEqual(try stream.chunkText(), "still there\n")
            server.handler.gates.open()
            try expectEqual(try working.answer().text, "passed")
            _ = others
        }
    }

    @Test func anAnswerThatNobodyReadsGivesWayToo() async throws {
        try await withServer(configure: {
            $0.maxConnections = 4; $0.idleTimeout = .seconds(1)
        }) { server in
            let slow = try (0..<4).map { _ in
                let client = try server.client(receiveBuffer: 4096)
                client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
                return client
            }
            try expectEqual(try server.client().get("/x").status, 200)
            _ = slow
        }
    }
}
