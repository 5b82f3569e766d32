import Foundation
import Glibc
import Testing

@testable import MicroHTTP

@Suite(.timeLimit(.minutes(5))) struct StreamTests {
    @Test func eventsComeInOrder() async throws {
        try await withServer { server in
            let (client, source) = try server.stream()
            try source.opens.wait()
            for number in 0..<100 { source.publish("\(number)\n", on: server.server) }
            var text = ""
            while text.components(of: "\n") < 100 { text += try client.chunkText()! }
            try expectEqual(text, (0..<100).map { "\($0)\n" }.joined())
            try expectEqual(Array(source.calls.all.prefix(2)), ["opened", "fill"])
        }
    }

    @Test(arguments: [true, false]) func theEndOfAnUnfinishedBodyHasNoLastChunk(isFinished: Bool) async throws {
        try await withServer { server in
            let (client, source) = try server.stream()
            try source.opens.wait()
            source.publish("a part\n", on: server.server)
            try expectEqual(try client.chunkText(), "a part\n")
            if !isFinished { source.leaveUnfinished(on: server.server) }
            source.end(on: server.server)
            try expectEqual(String(decoding: try client.rest(), as: UTF8.self), isFinished ? "0\r\n\r\n" : "")
            try expectEqual(try server.handler.summaries.wait()[0].completed, isFinished)
        }
    }

    @Test func whatIsThereAtOpeningIsNotLost() async throws {
        try await withServer { server in
            server.handler.prepare = { $0.first = Array("first\n".utf8) }
            for _ in 0..<50 {
                let client = try server.client()
                try client.stream()
                try expectEqual(try client.chunkText(), "first\n")
            }
        }
    }

    @Test func eventsOfATurnAreOneChunk() async throws {
        try await withServer { server in
            let (client, source) = try server.stream()
            try source.opens.wait()
            source.publish((0..<20).map { "\($0)\n" }, on: server.server)
            try expectEqual(try client.chunkText(), (0..<20).map { "\($0)\n" }.joined())
            try server.settle()
            try expectEqual(source.calls.all.filter { $0 == "fill" }.count, 2)
        }
    }

    @Test func aChunkEndsAtAnEventsEnd() async throws {
        try await withServer(configure: { $0.streamBuffer = 2048 }) { server in
            let (client, source) = try server.stream()
            let event = String(repeating: "x", count: 899) + "\n"
            source.publish(Array(repeating: event, count: 7), on: server.server)
            for count in [2, 2, 2, 1] {
                try expectEqual(try client.chunkText(), String(repeating: event, count: count))
            }
        }
    }

    @Test func oneHugeEventIsTaken() async throws {
        try await withServer(configure: { $0.streamBuffer = 2048 }) { server in
            let (client, source) = try server.stream()
            let huge = String(repeating: "y", count: 3_000_000) + "\n"
            source.publish(["small\n", huge, "after\n"], on: server.server)
            try expectEqual(try client.chunkText(), "small\n")
            try expectEqual(try client.chunkText(), huge)
            try expectEqual(try client.chunkText(), "after\n")
        }
    }

    @Test func theConnectionEndsWithItsStream() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
            let head = try client.head()
            try expectEqual(head.header("Connection")?.lowercased(), "close")
            try expectEqual(head.header("Transfer-Encoding"), "chunked")
            let source = try server.handler.sources.wait()[0]
            source.publish("last\n", on: server.server)
            source.end(on: server.server)
            var text = ""
            while let chunk = try client.chunkText() { text += chunk }
            try expectEqual(text, "last\n")
            try expectEqual(try source.ends.wait(), [.ended])
            try expectEqual(try client.rest(), [])
            let summary = try server.handler.summaries.wait()[0]
            try expect(summary.completed)
            try expectEqual(summary.bytes, 5 + 5 + 5)
            try server.eventually("closed") { server.server.statistics.connections == 0 }
        }
    }

    @Test func closeEndsAfterWhatWaits() async throws {
        try await withServer { server in
            let (client, source) = try server.stream()
            try source.opens.wait()
            source.close(on: server.server)
            try expectEqual(try client.chunkText(), nil)
            try expectEqual(try source.ends.wait(), [.ended])
        }
    }

    @Test func aStreamFromATask() async throws {
        try await withServer { server in
            let client = try server.client()
            try client.stream("/later/events")
            let source = try server.handler.sources.wait()[0]
            try source.opens.wait()
            source.publish("x\n", on: server.server)
            try expectEqual(try client.chunkText(), "x\n")
        }
    }

    @Test func http10GetsBareBytes() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("GET /events HTTP/1.0\r\nHost: h\r\n\r\n")
            let head = try client.head()
            try expectEqual(head.header("Transfer-Encoding"), nil)
            try expectEqual(head.header("Content-Length"), nil)
            try expectEqual(head.header("Connection")?.lowercased(), "close")
            let source = try server.handler.sources.wait()[0]
            source.publish("one\n", on: server.server)
            try expectEqual(try client.take(4), Array("one\n".utf8))
            source.publish("two\n", on: server.server)
            source.end(on: server.server)
            try expectEqual(String(decoding: try client.rest(), as: UTF8.self), "two\n")
            try expectEqual(try source.ends.wait(), [.ended])
        }
    }

    @Test func aPeerThatGoesIsNoticed() async throws {
        try await withServer { server in
            let (client, source) = try server.stream()
            try source.opens.wait()
            client.close()
            try expectEqual(try source.ends.wait(), [.peerGone])
            try server.eventually("closed") { server.server.statistics.connections == 0 }
            try expectEqual(server.server.statistics.streams, 0)
            try expectEqual(server.server.statistics.streamsClosed(.peerGone), 1)
            try expectEqual(try server.handler.summaries.wait()[0].completed, false)
        }
    }

    @Test func aPeerThatGoesBeforeTheHeadIsOutIsNoticed() async throws {
        try await withServer { server in
            for _ in 0..<100 {
                let client = try server.client()
                client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
                client.close()
            }
            for source in try server.handler.sources.wait(for: 100) {
                try expectEqual(try source.ends.wait(), [.peerGone])
            }
            try server.eventually("closed") { server.server.statistics.connections == 0 }
            try expectEqual(server.server.statistics.streams, 0)
        }
    }

    @Test func aResetIsNoticed() async throws {
        try await withServer { server in
            let (client, source) = try server.stream()
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(client.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
            client.close()
            try expectEqual(try source.ends.wait(), [.peerGone])
        }
    }

    @Test func aSlowReaderHoldsUpNobody() async throws {
        try await withServer(configure: { $0.sendBuffer = 8192 }) { server in
            let (slow, slowSource) = try server.stream(receiveBuffer: 4096)
            let (quick, quickSource) = try server.stream()
            try slowSource.opens.wait()
            server.server.execute { slowSource.endless = true }
            slowSource.publish("go", on: server.server)
            try slowSource.blocks.wait()
            for number in 0..<20 {
                quickSource.publish("\(number)\n", on: server.server)
                try expectEqual(try quick.chunkText(), "\(number)\n")
            }
            try expect(slowSource.ends.all.isEmpty, "the quick reader waited for the slow one's end")
            _ = slow
        }
    }

    @Test func aSlowReaderIsClosedAfterTheLimitAndNobodyElse() async throws {
        let limit = Duration.milliseconds(1500)
        try await withServer(configure: {
            $0.stallLimit = limit
            $0.sendBuffer = 8192
        }) { server in
            let (slow, slowSource) = try server.stream(receiveBuffer: 4096)
            let (quick, quickSource) = try server.stream()
            try slowSource.opens.wait()
            let start = ContinuousClock.now
            server.server.execute { slowSource.endless = true }
            slowSource.publish("go", on: server.server)
            try expectEqual(try slowSource.ends.wait(), [.stalled])
            let stalledAfter = ContinuousClock.now - start
            try expect(stalledAfter > limit - .milliseconds(100), "\(stalledAfter)")
            _ = try slow.rest()
            quickSource.publish("still there\n", on: server.server)
            try expectEqual(try quick.chunkText(), "still there\n")
            try expectEqual(quickSource.ends.all.count, 0)
        }
    }

    /// The kernel gives up a closed window after its user timeout; the stall limit is what counts.
    @Test func theUserTimeoutDoesNotEndASlowReader() async throws {
        try await withServer(configure: {
            $0.userTimeout = .seconds(1)
            $0.stallLimit = .seconds(4)
            $0.sendBuffer = 8192
        }) { server in
            let (slow, source) = try server.stream(receiveBuffer: 4096)
            try source.opens.wait()
            server.server.execute { source.endless = true }
            source.publish("go", on: server.server)
            try expectEqual(try source.ends.wait(), [.stalled])
            _ = slow
        }
    }

    /// The bytes that waited come, and then the rest, in order.
    @Test func aReaderThatPausesLosesNothing() async throws {
        try await withServer(configure: {
            $0.sendBuffer = 8192; $0.streamBuffer = 16384
        }) { server in
            let (client, source) = try server.stream(receiveBuffer: 4096)
            let lines = (0..<40_000).map { "line \($0)\n" }
            source.publish(lines, on: server.server)
            // The socket is full.
            try source.blocks.wait()
            var text = ""
            let expected = lines.joined()
            while text.utf8.count < expected.utf8.count { text += try client.chunkText()! }
            try expect(text == expected)
            source.publish("after\n", on: server.server)
            try expectEqual(try client.chunkText(), "after\n")
        }
    }

    @Test func whoAlwaysHasMoreStarvesNobody() async throws {
        try await withServer { server in
            let (greedy, greedySource) = try server.stream()
            try greedySource.opens.wait()
            server.server.execute { greedySource.endless = true }
            greedySource.publish("go", on: server.server)
            // Reads as fast as it can.
            let reader = Reader(greedy)
            var thread = pthread_t()
            pthread_create(
                &thread, nil,
                { context in
                    let reader = Unmanaged<Reader>.fromOpaque(context!).takeRetainedValue()
                    while (try? reader.client.take(1000)) != nil {}
                    reader.done.add(())
                    return nil
                }, Unmanaged.passRetained(reader).toOpaque())
            pthread_detach(thread)
            let (client, source) = try server.stream()
            for number in 0..<100 {
                source.publish("\(number)\n", on: server.server)
                try expectEqual(try client.chunkText(), "\(number)\n")
                try expectEqual(try client.get2(server), 200)
            }
            server.server.execute { greedySource.endless = false }
            greedySource.close(on: server.server)
            shutdown(greedy.descriptor, Int32(SHUT_RDWR))
            try reader.done.wait()
        }
    }

    private final class Reader: @unchecked Sendable {  // one thread at a time
        let client: RawClient
        let done = Arrivals<Void>()
        init(_ client: RawClient) { self.client = client }
    }

    @Test func streamsHaveTheirOwnLimit() async throws {
        try await withServer(configure: {
            $0.maxStreams = 2; $0.maxRequests = 1
        }) { server in
            let first = try server.stream()
            let second = try server.stream()
            let third = try server.client()
            let answer = try third.get("/events")
            try expectEqual(answer.status, 503)
            try expect(answer.text.hasPrefix("tooManyStreams"))
            try expectEqual(try server.handler.sources.wait(for: 3)[2].ends.wait(), [.refused])
            try expectEqual(try third.get("/x").status, 200)
            first.0.close()
            try first.1.ends.wait()
            try third.stream()
            _ = second
        }
    }

    @Test func aStreamInARefusalIsClosed() async throws {
        try await withServer { server in
            let answer = try server.client().get("/forbidden/events")
            try expectEqual(answer.status, 403)
            try expectEqual(answer.text, "")
            try expectEqual(try server.handler.sources.wait()[0].ends.wait(), [.refused])
        }
    }

    /// No answer is known that the library refuses. It refuses each one for a connection that it does not know.
    @Test func aStreamThatTheLibraryDoesNotTakeIsClosed() throws {
        let loop = try Loop(configuration: ServerConfiguration(listeners: []), handler: TestHandler())
        let connection = Connection(loop: loop, descriptor: -1, daemon: 0, peer: .unix(uid: 0))
        let source = TestSource()
        _ = loop.answer(connection, HTTPResponse(status: 200, body: .events(source)))
        #expect(source.calls.all == ["closed"])
        #expect(source.ends.all == [.refused])
        #expect(loop.statistics.streams == 0 && loop.statistics.streamsClosed(.refused) == 1)
    }

    @Test func heartbeatsComeWithoutTraffic() async throws {
        try await withServer(configure: { $0.heartbeat = .milliseconds(200) }) { server in
            let start = ContinuousClock.now
            let (client, _) = try server.stream()
            for _ in 0..<5 { try expectEqual(try client.chunkText(), ":beat\n") }
            let time = ContinuousClock.now - start
            // Five heartbeats of the default take longer.
            try expect(time > .milliseconds(850) && time < .seconds(70), "\(time)")
        }
    }

    @Test func aThousandStreams() async throws {
        try await withServer { server in
            let clients = try (0..<1000).map { _ in try server.client() }
            for client in clients { client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n") }
            for client in clients { try expectEqual(try client.head().status, 200) }
            let sources = try server.handler.sources.wait(for: 1000)
            for source in sources { try source.opens.wait() }
            server.server.execute { for source in sources { source.publish("all\n", on: server.server) } }
            for client in clients { try expectEqual(try client.chunkText(), "all\n") }
            for client in clients[..<500] { client.close() }
            try server.eventually("500 left") { server.server.statistics.streams == 500 }
            server.server.execute { for source in sources { source.publish("rest\n", on: server.server) } }
            for client in clients[500...] { try expectEqual(try client.chunkText(), "rest\n") }
        }
    }

    /// Sent by several threads: each stream gets all of its own events in order, however many rounds, beside one that
    /// does not read and one that has gone.
    @Test func aBroadcastReachesEachStreamInOrder() async throws {
        try await withServer(configure: {
            $0.senders = 3
            $0.sendBuffer = 16384
        }) { server in
            let (stopped, stoppedSource) = try server.stream(receiveBuffer: 4096)
            let (gone, _) = try server.stream()
            let clients = try (0..<700).map { _ in try server.client() }
            for client in clients { client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n") }
            for client in clients { try expectEqual(try client.head().status, 200) }
            let sources = try server.handler.sources.wait(for: 702)
            for source in sources { try source.opens.wait() }
            gone.close()
            let filler = String(repeating: "x", count: 5000)
            for round in 0..<20 {
                server.server.execute {
                    for source in sources { source.publish("\(round) \(filler)\n", on: server.server) }
                }
                for client in clients { try expectEqual(try client.chunkText(), "\(round) \(filler)\n") }
            }
            try expect(stoppedSource.ends.all.isEmpty, "a reader that stopped was closed")
            var text = ""
            while text.split(separator: "\n").count < 20, let chunk = try stopped.chunkText() { text += chunk }
            try expectEqual(text, (0..<20).map { "\($0) \(filler)\n" }.joined())
            try server.eventually("the one that has gone is noticed") { server.server.statistics.streams == 701 }
        }
    }

    /// A broadcast is written in portions. A job that was posted when it began need not wait for its end.
    @Test func aBroadcastLetsOthersHaveTheirTurns() async throws {
        try await withServer { server in
            let count = 2 * Loop.portion + 10
            let clients = try (0..<count).map { _ in try server.client() }
            for client in clients { client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n") }
            for client in clients { try expectEqual(try client.head().status, 200) }
            let sources = try server.handler.sources.wait(for: count)
            for source in sources { try source.opens.wait() }
            try server.settle()
            let fills = { @Sendable in sources.reduce(0) { $0 + $1.calls.all.count { $0 == "fill" } } }
            let before = fills()
            let written = Arrivals<Int>()
            server.server.execute {
                for source in sources { source.publish("1\n", on: server.server) }
                // Posted behind those that publish. It runs in their turn, and the job that it posts in the next.
                server.server.execute { server.server.execute { written.add(fills() - before) } }
            }
            try expectEqual(try written.wait(), [Loop.portion])
            for client in clients { try expectEqual(try client.chunkText(), "1\n") }
        }
    }

    /// What the kernel has taken waits in its buffer there, so that nothing is unsent here: the stall limit still
    /// decides.
    @Test func theUserTimeoutDoesNotEndAReaderWhoseBytesWaitInTheKernel() async throws {
        try await withServer(configure: {
            $0.userTimeout = .seconds(1)
            $0.heartbeat = .milliseconds(250)
            $0.stallLimit = .seconds(60)
            $0.sendBuffer = 1 << 20
        }) { server in
            let (slow, source) = try server.stream(receiveBuffer: 4096)
            try source.opens.wait()
            let line = String(repeating: "x", count: 20_000) + "\n"
            source.publish([line, line], on: server.server)
            try source.heartbeats.wait(for: 14)
            try expect(source.ends.all.isEmpty, "closed after the user timeout")
            var text = ""
            while text.utf8.count < 2 * line.utf8.count, let chunk = try slow.chunkText() { text += chunk }
            try expect(text.replacingOccurrences(of: ":beat\n", with: "").hasPrefix(line + line))
        }
    }

    /// What comes on a stream is no request, whether it came with the stream's own or later. It does not cost the
    /// client the stream's end either.
    @Test(arguments: [false, true]) func aClientThatTalksOnAStreamIsNotServed(together: Bool) async throws {
        try await withServer { server in
            let client = try server.client()
            let pipelined = "GET /pipelined HTTP/1.1\r\nHost: h\r\n\r\n"
            client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n" + (together ? pipelined : ""))
            _ = try client.head()
            let source = try server.handler.sources.wait()[0]
            try source.opens.wait()
            if !together { client.send(pipelined) }
            source.publish("x\n", on: server.server)
            source.end(on: server.server)
            try expectEqual(try client.chunkText(), "x\n")
            try expectEqual(try client.chunkText(), nil)
            try expectEqual(try client.rest(), [])
            try expectEqual(server.server.statistics.requests, 1)
        }
    }
}

extension RawClient {
    /// A request on another connection while this one is a stream.
    func get2(_ server: TestServer) throws -> Int { try server.client().get("/x").status }
}
