import Glibc
import MicroHTTP
import Testing

@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    @Test func answersAndKeepsTheConnection() async throws {
        try await withServer { server in
            let client = try server.client()
            for path in ["/a", "/b?x=1", "/c"] {
                let answer = try client.get(path)
                try expectEqual(answer.status, 200)
                try expectEqual(answer.text, "GET \(path) 0")
                try expectEqual(answer.header("Content-Length"), "\(answer.body.count)")
            }
            try server.settle()
            try expectEqual(server.server.statistics.connectionsAccepted, 1)
            try expectEqual(server.server.statistics.requests, 3)
        }
    }

    @Test func requestCarriesWhatWasSent() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send(
                "POST /p%20q?a=1&b=x%20y+z&&c&d=%zz HTTP/1.1\r\nHost: h\r\nX-A: one\r\nx-a: two\r\nContent-Length: 3\r\n\r\nabc"
            )
            _ = try client.answer()
            let request = try server.handler.seen.wait()[0]
            try expectEqual(request.method, "POST")
            try expectEqual(request.path, "/p%20q")
            try expectEqual(request.query.map { "\($0.name)=\($0.value)" }, ["a=1", "b=x y z", "c=", "d=%zz"])
            try expectEqual(request.headers["X-a"], "one")
            try expectEqual(request.headers.all("x-A"), ["one", "two"])
            try expectEqual(request.headers.map { $0.name }, ["Host", "X-A", "x-a", "Content-Length"])
            try expectEqual(request.headers["absent"], nil)
            try expectEqual(request.body, Array("abc".utf8))
            guard case .tcp(let peer) = request.peer else { throw Failure(description: "no TCP peer") }
            try expectEqual(peer.host, "127.0.0.1")
        }
    }

    @Test func aPromptTaskStaysOnTheLoopsThread() async throws {
        try await withServer { server in
            let clients = try (0..<3).map { _ in try server.client() }
            for client in clients { client.send("GET /prompt/gate HTTP/1.1\r\nHost: h\r\n\r\n") }
            _ = try server.handler.seen.wait(for: clients.count)
            // The loop does not wait for them.
            try expectEqual(try server.client().get("/prompt").text, "prompt")
            server.handler.gates.open()
            for client in clients {
                try expectEqual(try client.answer().text, "true true")
                try expectEqual(try client.get("/prompt").text, "prompt")
            }
            try server.settle()
            try expectEqual(server.server.statistics.requestsInFlight, 0)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await withServer { server in
            let client = try server.client()
            let paths = (0..<50).map { $0 % 3 == 0 ? "/later" : "/\($0)" }
            client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
            for path in paths {
                try expectEqual(try client.answer().text, path == "/later" ? "later" : "GET \(path) 0")
            }
        }
    }

    @Test func headHasTheLengthButNoBody() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("HEAD /x HTTP/1.1\r\nHost: h\r\n\r\nGET /y HTTP/1.1\r\nHost: h\r\n\r\n")
            let head = try client.answer(toHead: true)
            try expectEqual(head.header("Content-Length"), "9")
            try expectEqual(try client.answer().text, "GET /y 0")
        }
    }

    @Test func headOfAStreamEndsWithItsHead() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("HEAD /events HTTP/1.1\r\nHost: h\r\n\r\n")
            try expectEqual(try client.head().status, 200)
            try expectEqual(try client.rest(), [])
            try expectEqual(try server.handler.sources.wait()[0].ends.wait(), [.ended])
        }
    }

    @Test func noBodyWhereNoneBelongs() async throws {
        try await withServer { server in
            let client = try server.client()
            let empty = try client.get("/empty")
            try expectEqual(empty.status, 204)
            try expectEqual(empty.header("Content-Length"), nil)
            let unchanged = try client.get("/notmodified")
            try expectEqual(unchanged.status, 304)
            try expectEqual(unchanged.header("Content-Length"), "4")
            try expectEqual(try client.get("/after").text, "GET /after 0")
        }
    }

    @Test func aHeaderCannotSplitTheAnswer() async throws {
        try await withServer { server in
            let answer = try server.client().get("/split")
            try expectEqual(answer.header("X-B"), nil)
            try expectEqual(answer.header("X-C"), "3")
        }
    }

    @Test func greatBodiesComeWhole() async throws {
        try await withServer { server in
            let client = try server.client()
            let answer = try client.get("/big")
            try expectEqual(answer.body.count, 3 << 20)
            try expect(answer.body.allSatisfy { $0 == 0x62 })
            try expectEqual(try client.get("/next").status, 200)
        }
    }

    @Test func http10ClosesUnlessAsked() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("GET /a HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n")
            try expectEqual(try client.answer().text, "GET /a 0")
            client.send("GET /b HTTP/1.0\r\nHost: h\r\n\r\n")
            try expectEqual(try client.answer().text, "GET /b 0")
            try expectEqual(try client.rest(), [])
        }
    }

    @Test func bodyInPieces() async throws {
        try await withServer { server in
            let client = try server.client()
            let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            client.send("PUT /p HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
            for start in stride(from: 0, to: body.count, by: 7919) {
                client.send(Array(body[start..<min(start + 7919, body.count)]))
            }
            try expectEqual(try client.answer().text, "PUT /p 200000")
            try expectEqual(try server.handler.seen.wait()[0].body, body)
        }
    }

    @Test func chunkedBody() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send(
                "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n"
            )
            let answer = try client.answer()
            try expectEqual(answer.status, 200)
            try expectEqual(answer.header("Connection"), "close")
            try expectEqual(try server.handler.seen.wait()[0].body, Array("abcde".utf8))
        }
    }

    /// The library takes these lines, and a proxy may see another end of the body: nothing behind it may be a request.
    @Test(
        "nothing is read behind a body in chunks",
        arguments: [
            "3\r\nabc\r\n0\r\n\r\n", "3\nabc\n0\n\n", "3\rabc\r\n0\r\n\r\n", "3;\u{0}\r\nabc\r\n0\r\n\r\n", "0\n\r\n",
            "0\r\n\n",
            "3\r\nabc\r\n0;a\rb\r\n\r\n",
        ])
    func nothingIsReadBehindChunks(body: String) async throws {
        try await withServer { server in
            for path in ["/p", "/prepared", "/later", "/upload"] {
                let client = try server.client()
                client.send("POST \(path) HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
                client.send("GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
                let text = String(decoding: try client.rest(), as: UTF8.self)
                try expect(text.components(of: "HTTP/1.1") <= 1, text)
            }
            try expect(!server.handler.seen.all.contains { $0.path == "/smuggled" })
        }
    }

    @Test func brokenChunksGetOneAnswer() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send(
                "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n"
            )
            let text = String(decoding: try client.rest(), as: UTF8.self)
            try expect(text.hasPrefix("HTTP/1.1 400"), text)
            try expectEqual(text.components(of: "HTTP/1.1"), 1)
            try expectEqual(server.handler.seen.all.count, 0)
        }
    }

    @Test func announcedTooLargeIsRefusedAtOnce() async throws {
        try await withServer(configure: { $0.maxBody = 1000 }) { server in
            let client = try server.client()
            client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n")
            let answer = try client.answer()
            try expectEqual(answer.status, 413)
            try expectEqual(answer.header("Connection"), "close")
            try expect(answer.text.hasPrefix("bodyTooLarge"))
            try expectEqual(try client.rest(), [])
            try expectEqual(try server.client().get("/ok").status, 200)
            let exact = try server.client()
            exact.send(
                "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n" + String(repeating: "x", count: 1000))
            try expectEqual(try exact.answer().text, "POST /p 1000")
        }
    }

    /// Without reading on after the answer, the kernel would reset the connection: sending fails, and a client may lose
    /// the 413.
    @Test func aClientThatGoesOnSendingStillSeesThe413() async throws {
        try await withServer(configure: { $0.maxBody = 1000 }) { server in
            for _ in 0..<20 {
                let client = try server.client()
                client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n")
                try expectEqual(try client.answer().status, 413)
                for _ in 0..<5 {
                    try expect(client.send([UInt8](repeating: 0x78, count: 100_000)), "reset")
                    try server.settle()
                }
                try expectEqual(try client.rest(), [])
            }
        }
    }

    @Test func chunkedTooLargeIsRefusedAtItsEnd() async throws {
        try await withServer(configure: { $0.maxBody = 20_000 }) { server in
            let client = try server.client()
            let chunk = "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n"
            client.send(
                "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 6)
                    + "0\r\n\r\n")
            try expectEqual(try client.answer().status, 413)
            let greater = try server.client()
            greater.send(
                "POST /p HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(repeating: chunk, count: 40))
            try expect(!String(decoding: try greater.rest(), as: UTF8.self).contains("200"))
            try expectEqual(server.handler.seen.all.count, 0)
        }
    }

    @Test func bodyLimitOfARequest() async throws {
        try await withServer(configure: { $0.maxBody = 10 }) { server in
            let client = try server.client()
            client.send(
                "POST /large HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\n"
                    + String(repeating: "x", count: 2_000_000))
            try expectEqual(try client.answer().text, "POST /large 2000000")
        }
    }

    @Test func expectContinue() async throws {
        try await withServer(configure: { $0.maxBody = 1000 }) { server in
            let client = try server.client()
            client.send("POST /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            try expectEqual(try client.answer().status, 100)
            client.send("hello")
            try expectEqual(try client.answer().text, "POST /p 5")
            client.send("POST /forbidden HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            try expectEqual(try client.answer().status, 403)
            let other = try server.client()
            other.send("POST /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5000\r\n\r\n")
            try expectEqual(try other.answer().status, 413)
        }
    }

    @Test func admitRefusesBeforeTheBody() async throws {
        try await withServer { server in
            let client = try server.client()
            try expectEqual(try client.get("/forbidden").status, 403)
            try expectEqual(try client.get("/still-open").status, 200)
            client.send("POST /forbidden HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n")
            let answer = try client.answer()
            try expectEqual(answer.status, 403)
            try expectEqual(answer.header("Connection"), "close")
            try expectEqual(server.handler.seen.all.map(\.path), ["/still-open"])
        }
    }

    @Test func aTaskDecidesAboutAHeadAndNothingElseWaits() async throws {
        try await withServer { server in
            let body = "Host: h\r\nContent-Length: 5\r\n\r\nhello"
            let plain = try server.client()
            plain.send("GET /admit HTTP/1.1\r\nHost: h\r\n\r\n")
            let accepted = try server.client()
            accepted.send("POST /admit HTTP/1.1\r\n\(body)")
            let asking = try server.client()
            asking.send("POST /admit HTTP/1.1\r\nExpect: 100-continue\r\nHost: h\r\nContent-Length: 5\r\n\r\n")
            let refused = try server.client()
            refused.send("POST /admit/forbidden HTTP/1.1\r\nHost: h\r\nContent-Length: 500000\r\n\r\n")
            let uploading = try server.client()
            uploading.send("POST /admit/upload HTTP/1.1\r\n\(body)")
            try server.handler.gates.arrived.wait(for: 5)
            try expectEqual(try server.client().get("/other").status, 200)
            try expectEqual(server.handler.seen.all.map(\.path), ["/other"])
            try expectEqual(server.handler.sinks.all.count, 0)
            server.handler.gates.open()
            try expectEqual(try plain.answer().text, "GET /admit 0")
            try expectEqual(try accepted.answer().text, "POST /admit 5")
            try expectEqual(try asking.answer().status, 100)
            asking.send("hello")
            try expectEqual(try asking.answer().text, "POST /admit 5")
            let answer = try refused.answer()
            try expectEqual(answer.status, 403)
            try expectEqual(answer.header("Connection"), "close")
            try expectEqual(try uploading.answer().text, "5 0")
            // The connection is as any other afterwards.
            try expectEqual(try accepted.get("/admit").text, "GET /admit 0")
            try server.settle()
            try expectEqual(server.server.statistics.requestsInFlight, 0)
        }
    }

    @Test func summariesTellWhatHappened() async throws {
        try await withServer { server in
            let client = try server.client()
            _ = try client.get("/abc")
            _ = try client.get("/later")
            let summaries = try server.handler.summaries.wait(for: 2)
            try expectEqual(summaries.map(\.status), [200, 200])
            try expectEqual(summaries.map(\.bytes), [10, 5])
            try expectEqual(summaries.map(\.request.path), ["/abc", "/later"])
            try expect(summaries.allSatisfy { $0.completed && $0.duration > .zero })
        }
    }

    @Test func manyLaterAnswersOnManyConnections() async throws {
        try await withServer { server in
            let clients = try (0..<200).map { _ in try server.client() }
            for _ in 0..<5 {
                for client in clients { client.send("GET /later HTTP/1.1\r\nHost: h\r\n\r\n") }
                for client in clients { try expectEqual(try client.answer().text, "later") }
            }
            try server.settle()
            try expectEqual(server.server.statistics.requestsInFlight, 0)
        }
    }

    @Test func aClientThatGoesWhileItsHandlerRunsLeavesNothing() async throws {
        try await withServer { server in
            for index in 0..<10 {
                let client = try server.client()
                client.send("GET /\(index.isMultiple(of: 2) ? "gate" : "admit") HTTP/1.1\r\nHost: h\r\n\r\n")
            }
            try server.handler.gates.arrived.wait(for: 10)
            server.handler.gates.open()
            try server.eventually("all connections closed") { server.server.statistics.connections == 0 }
            try expectEqual(server.server.statistics.requestsInFlight, 0)
            try expectEqual(try server.handler.summaries.wait(for: 10).count, 10)
        }
    }

    @Test func tooManyRequests() async throws {
        try await withServer(configure: { $0.maxRequests = 3 }) { server in
            let waiting = try (0..<3).map { _ in try server.client() }
            for client in waiting { client.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n") }
            try server.handler.gates.arrived.wait(for: 3)
            let refused = try server.client()
            let answer = try refused.get("/later")
            try expectEqual(answer.status, 503)
            try expect(answer.text.hasPrefix("tooManyRequests"))
            // Neither what is answered at once needs a place nor what the handler always answers.
            try expectEqual(try refused.get("/x").status, 200)
            try expectEqual(try refused.get("/probe").text, "later")
            server.handler.gates.open()
            for client in waiting { try expectEqual(try client.answer().text, "passed") }
            try expectEqual(try refused.get("/x").status, 200)
        }
    }

    @Test func idleConnectionsAreClosed() async throws {
        try await withServer(configure: { $0.idleTimeout = .seconds(1) }) { server in
            let client = try server.client()
            _ = try client.get("/a")
            let slow = try server.client()
            slow.send("GET /slow HTTP/1.1\r\nHo")
            try expectEqual(try client.rest(), [])
            _ = try slow.rest()
        }
    }

    /// libmicrohttpd's own epoll loop stalls at exactly k x 128 ready connections.
    @Test(arguments: [64, 127, 128, 129, 256])
    func burstsOfAnySize(count: Int) async throws {
        try await withServer(configure: { $0.daemons = 1 }) { server in
            let clients = try (0..<count).map { _ in try server.client() }
            for round in 0..<5 {
                for client in clients { client.send("GET /\(round) HTTP/1.1\r\nHost: h\r\n\r\n") }
                for client in clients { try expectEqual(try client.answer().status, 200) }
            }
        }
    }
}

extension String {
    func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
