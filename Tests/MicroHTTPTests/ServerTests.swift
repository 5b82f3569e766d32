import Glibc
import MicroHTTP
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    private static func path() -> String { "/tmp/microhttp-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).sock" }

    @Test func unixSocket() async throws {
        let path = Self.path()
        try await withServer([.unix(path: path), .tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 0)]) {
            server in
            var status = stat()
            try expectEqual(stat(path, &status), 0)
            try expectEqual(status.st_mode & 0o777, 0o600)
            let client = try server.client()
            try expectEqual(try client.get("/x").status, 200)
            try expectEqual(try server.handler.seen.wait()[0].peer, .unix(uid: getuid()))
            let tcp = try RawClient(server.server.addresses[1])
            try expectEqual(try tcp.get("/x").status, 200)
            let (stream, source) = try server.stream()
            source.publish("x\n", on: server.server)
            try expectEqual(try stream.chunkText(), "x\n")
            stream.close()
            try expectEqual(try source.ends.wait(), [.peerGone])
        }
        var status = stat()
        #expect(stat(path, &status) != 0, "the socket file is removed")
    }

    @Test func aStaleSocketFileIsReplacedALiveOneIsNot() async throws {
        let path = Self.path()
        defer { unlink(path) }
        let stale = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        _ = withUnsafeBytes(of: &address) {
            bind(stale, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        close(stale)
        try await withServer([.unix(path: path)]) { server in
            try expectEqual(try server.client().get("/x").status, 200)
            do {
                _ = try TestServer([.unix(path: path)])
                throw Failure(description: "a second server started")
            } catch ServerError.addressInUse(.unix(path)) {}
            try expectEqual(try server.client().get("/x").status, 200)
        }
        // A file that is no socket is not ours to remove.
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        close(file)
        #expect(throws: ServerError.self) { try TestServer([.unix(path: path)]) }
        var status = stat()
        #expect(stat(path, &status) == 0)
    }

    @Test func clearErrors() async throws {
        try await withServer { server in
            guard case .tcp(_, let port) = server.address else { throw Failure(description: "no port") }
            do {
                _ = try TestServer([.tcp(host: "127.0.0.1", port: 0), .tcp(host: "127.0.0.1", port: port)])
                throw Failure(description: "started")
            } catch ServerError.addressInUse(let listener) {
                try expectEqual(
                    ServerError.addressInUse(listener).description, "127.0.0.1:\(port): address already in use")
            }
        }
        for listener in [
            Listener.tcp(host: "localhost", port: 0), .tcp(host: "192.0.2.1", port: 0), .unix(path: ""),
            .unix(path: String(repeating: "x", count: 200)), .unix(path: "/nonexistent/x"),
        ] {
            do {
                _ = try TestServer([listener])
                Issue.record("\(listener) started")
            } catch ServerError.invalidAddress(let reported) { #expect(reported == listener) }
        }
        #expect(throws: ServerError.self) { try TestServer([]) }
        let server = try TestServer()
        do {
            try server.server.start()
            Issue.record("started twice")
        } catch ServerError.alreadyStarted {}
        await server.server.stop(grace: .zero)
    }

    @Test func idleStreamsCostNoTime() async throws {
        try await withServer { server in
            let clients = try (0..<200).map { _ in try server.client() }
            for client in clients { try client.stream() }
            try server.settle()
            // The thread's own time: other tests run beside this one.
            func threadTime() throws -> Double {
                let result = Arrivals<Double>()
                server.server.execute {
                    var time = timespec()
                    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                    result.add(Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
                }
                return try result.wait()[0]
            }
            let start = ContinuousClock.now
            let before = (try threadTime(), server.server.statistics.turns)
            usleep(2_000_000)
            let after = (try threadTime(), server.server.statistics.turns)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            try expect(after.0 - before.0 < 0.01 * seconds, "\(after.0 - before.0) s in \(seconds) s")
            try expect(Double(after.1 - before.1) < 10 * seconds, "\(after.1 - before.1) turns in \(seconds) s")
        }
    }

    @Test func jobsRunInOrderOnTheLoop() async throws {
        try await withServer { server in
            let numbers = Arrivals<Int>()
            let start = ContinuousClock.now
            for number in 0..<1000 { server.server.execute { numbers.add(number) } }
            try expectEqual(try numbers.wait(for: 1000), Array(0..<1000))
            try server.settle()
            try expect(server.server.lastTurn >= start)
        }
    }

    @Test func connectionLimitMakesOthersWait() async throws {
        try await withServer(configure: { $0.maxConnections = 4 }) { server in
            let clients = try (0..<4).map { _ in try server.client() }
            for client in clients { client.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n") }
            try server.handler.gates.arrived.wait(for: 4)
            let waiting = try server.client()
            waiting.send("GET /waited HTTP/1.1\r\nHost: h\r\n\r\n")
            try server.eventually("accepting pauses") { server.server.statistics.acceptPauses > 0 }
            try expectEqual(server.server.statistics.connections, 4)
            server.handler.gates.open()
            for client in clients { try expectEqual(try client.answer().text, "passed") }
            // Idle now, so one of them gives way.
            try expectEqual(try waiting.answer().text, "GET /waited 0")
            try server.settle()
            try expectEqual(server.server.statistics.connectionsGivenUp, 1)
        }
    }

    /// Half-sent heads and bodies, an upload that waits for its sink, a handler that does not answer, and an answer
    /// that nobody reads.
    @Test func stopEndsInTimeWhateverIsOpen() async throws {
        let server = try TestServer()
        try await onThread {
            let parts = [
                "", "GE", "GET /x HTTP/1.1\r\nHost:", "POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\na",
                "POST /upload/paused HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\na",
                "GET /gate HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET /big HTTP/1.1\r\nHost: h\r\n\r\n", "GET /events HTTP/1.1\r\nHost: h\r\n\r\n",
            ]
            let clients = try (0..<80).map { index in
                let client = try server.client(receiveBuffer: 4096)
                client.send(parts[index % parts.count])
                return client
            }
            try server.handler.gates.arrived.wait(for: 10)
            try server.handler.sources.wait(for: 10)
            try server.handler.sinks.wait(for: 10)
            let stopped = Arrivals<ContinuousClock.Instant>()
            let start = ContinuousClock.now
            Task {
                await server.server.stop(grace: .seconds(1))
                stopped.add(.now)
            }
            let time = try stopped.wait()[0] - start
            // Those that take nothing would have longer than that without the stop.
            try expect(time < .seconds(45), "\(time)")
            for source in server.handler.sources.all { try expectEqual(try source.ends.wait().count, 1) }
            for sink in server.handler.sinks.all { try sink.ends.wait() }
            try expectEqual(server.server.statistics.connections, 0)
            try expectEqual(server.server.statistics.requestsIncomplete, 0)
            _ = clients
        }
        server.handler.gates.open()
    }

    @Test func stopDrainsEverything() async throws {
        let server = try TestServer()
        let stopped = Arrivals<Void>()
        async let clients: Void = onThread {
            let idle = try server.client()
            _ = try idle.get("/x")
            let (stream, source) = try server.stream()
            let (second, _) = try server.stream()
            try source.opens.wait()
            let working = try server.client()
            working.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n")
            try server.handler.gates.arrived.wait()
            Task {
                await server.server.stop(grace: .seconds(20))
                stopped.add(())
            }
            for stream in [stream, second] {
                try expectEqual(try stream.chunkText(), "retry: 1\n")
                try expectEqual(try stream.chunkText(), nil)
                try expectEqual(try stream.rest(), [])
            }
            try expectEqual(try source.ends.wait(), [.stopped])
            try expectEqual(try idle.rest(), [])
            do {
                _ = try server.client()
                throw Failure(description: "still accepting")
            } catch let failure as Failure { try expect(failure.description.hasPrefix("connect"), failure.description) }
            try expectEqual(stopped.all.count, 0)
            server.handler.gates.open()
            let answer = try working.answer()
            try expectEqual(answer.text, "passed")
            try expectEqual(answer.header("Connection"), "close")
            try stopped.wait()
        }
        try await clients
        await server.server.stop(grace: .zero)
        try await onThread { server.server.stopNow() }
        #expect(!server.server.execute {})
        #expect(server.server.statistics.connections == 0)
        #expect(server.server.statistics.streams == 0)
    }

    /// Suspended requests, open streams, unread bytes, half a head, half a body: the library aborts the process if
    /// anything is left suspended.
    @Test(arguments: [true, false])
    func stopWithEverythingInFlight(graceful: Bool) async throws {
        let server = try TestServer { $0.sendBuffer = 8192 }
        let clients: Clients = try await onThread {
            let clients = Clients()
            for _ in 0..<30 {
                let (stream, source) = try server.stream(receiveBuffer: 4096)
                clients.list.append(stream)
                clients.sources.append(source)
                let working = try server.client()
                working.send("GET /gate HTTP/1.1\r\nHost: h\r\n\r\n")
                let admitted = try server.client()
                admitted.send("POST /admit HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
                let half = try server.client()
                half.send("GET /half HTTP/1.1\r\nHo")
                let body = try server.client()
                body.send("POST /body HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
                let big = try server.client()
                big.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
                clients.list += [working, admitted, half, body, big]
            }
            try server.handler.gates.arrived.wait(for: 60)
            let sources = clients.sources
            server.server.execute { for source in sources[..<15] { source.endless = true } }
            for source in sources[..<15] { source.publish("go", on: server.server) }
            try server.settle()
            // And some whose head arrives with the stop.
            for _ in 0..<30 {
                let late = try server.client()
                late.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
                clients.list.append(late)
            }
            return clients
        }
        if graceful {
            await server.server.stop(grace: .milliseconds(300))
        } else {
            try await onThread { server.server.stopNow() }
        }
        for source in server.handler.sources.all { #expect(source.ends.all.count == 1) }
        #expect(Set(clients.sources.flatMap { $0.ends.all }) == [.stopped])
        #expect(server.server.statistics.connections == 0)
        #expect(server.server.statistics.requestsInFlight == 0)
        server.handler.gates.open()
        await server.server.stop(grace: .zero)
    }

    private final class Clients: @unchecked Sendable {  // handed over
        var list: [RawClient] = []
        var sources: [TestSource] = []
    }

    @Test func manyStopsAtOnce() async throws {
        let server = try TestServer()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    number % 2 == 0 ? await server.server.stop(grace: .seconds(5)) : server.server.stopNow()
                }
            }
        }
        let never = HTTPServer(
            configuration: ServerConfiguration(listeners: [.tcp(host: "127.0.0.1", port: 0)]), handler: TestHandler())
        await never.stop(grace: .zero)
        never.stopNow()
        #expect(never.addresses.isEmpty)
    }

    @Test func aServerThatIsLetGoStops() async throws {
        var server: HTTPServer? = HTTPServer(
            configuration: ServerConfiguration(listeners: [.tcp(host: "127.0.0.1", port: 0)]), handler: TestHandler())
        try server!.start()
        let address = server!.addresses[0]
        try await onThread { _ = try RawClient(address).get("/x") }
        server = nil
        try await onThread {
            let start = ContinuousClock.now
            while (try? RawClient(address)) != nil {
                try expect(ContinuousClock.now - start < .seconds(patience), "it still listens")
                usleep(5000)
            }
        }
    }
}
