import Bounds
import Glibc
import Testing

@testable import MicroHTTP

/// What streams have unsent is counted, and what they have alike is in memory once.
@Suite(.serialized) struct UnsentFrameTests {
    private func frame(_ frames: inout UnsentFrames, _ bytes: [UInt8], _ memory: ByteCounter) -> UnsentFrame? {
        bytes.withUnsafeBytes { frames.frame(of: $0, memory) }
    }

    @Test func equalFramesAreOne() throws {
        let memory = ByteCounter(limit: 20_000)
        var frames = UnsentFrames()
        let great = [UInt8](repeating: 1, count: 10_000)
        var kept = try (0..<1000).map { _ in try #require(frame(&frames, great, memory)) }
        #expect(memory.used == 10_000)
        let other = [UInt8](repeating: 2, count: 10_000)
        kept.append(try #require(frame(&frames, other, memory)))
        #expect(memory.used == 20_000)
        #expect(frame(&frames, great + [1], memory) == nil)
        kept = []
        #expect(memory.used == 0)
    }

    @Test func manyDifferentFramesAreFoundNoMore() throws {
        let memory = ByteCounter(limit: 1 << 20)
        var frames = UnsentFrames()
        let kept = try (0..<20).map { number in
            try #require(frame(&frames, [UInt8](repeating: UInt8(number), count: 5000), memory))
        }
        #expect(memory.used == 100_000)
        let again = try #require(frame(&frames, [UInt8](repeating: 19, count: 5000), memory))
        #expect(again === kept[19] && memory.used == 100_000)
    }

    /// Many streams whose clients do not read keep one great event together.
    @Test func aGreatEventIsInMemoryOnce() async throws {
        let process = ByteCounter(limit: 64 << 20)
        try await withServer(configure: {
            $0.memory = process
            $0.sendBuffer = 8192
        }) { server in
            let streams = try (0..<100).map { _ in try server.stream(receiveBuffer: 4096) }
            let great = String(repeating: "x", count: 400_000) + "\n"
            let sources = streams.map(\.1)
            server.server.execute { for source in sources { source.publish(great, on: server.server) } }
            for source in sources { try source.blocks.wait() }
            try expect(process.used > 400_000 && process.used < 1_000_000, "\(process.used)")
            // All of it comes to who reads after all.
            try expect(try streams[7].0.chunkText() == great)
            for (client, _) in streams { client.close() }
            try server.eventually("nothing is kept") { process.used == 0 }
        }
    }

    /// Where there is no room, the stream ends, and the client resumes from its last id.
    @Test func aStreamWithoutRoomEnds() async throws {
        try await withServer(configure: {
            $0.maxUnsent = 500_000
            $0.sendBuffer = 8192
        }) { server in
            let streams = try (0..<4).map { _ in try server.stream(receiveBuffer: 4096) }
            let sources = streams.map(\.1)
            server.server.execute {
                for (number, source) in sources.enumerated() {
                    source.publish(String(repeating: "\(number)", count: 400_000) + "\n", on: server.server)
                }
            }
            for (_, source) in streams[1...] { try expectEqual(try source.ends.wait(), [.stalled]) }
            try expect(try streams[0].0.chunkText() == String(repeating: "0", count: 400_000) + "\n")
        }
    }

    /// One holder's unread streams fill its share, and no more: those of others and of root go on.
    @Test func oneHoldersUnreadStreamsAreCutAlone() async throws {
        let process = ByteCounter(limit: 64 << 20)
        try await withServer(configure: {
            $0.memory = process
            $0.maxUnsent = 8_000_000
            $0.sendBuffer = 8192
        }) { server in
            func stream(_ holder: String?) throws -> (RawClient, TestSource) {
                let before = server.server.statistics.streams
                let client = try server.client(receiveBuffer: 4096)
                client.send(
                    "GET /events HTTP/1.1\r\nHost: h\r\n" + (holder.map { "X-Holder: \($0)\r\n" } ?? "") + "\r\n")
                try expectEqual(try client.head().status, 200)
                try server.eventually("open") { server.server.statistics.streams == before + 1 }
                return (client, try server.handler.sources.wait(for: before + 1)[before])
            }
            let own = try (0..<6).map { _ in try stream("ann") }
            let (other, root) = (try stream("bo"), try stream(nil))
            let sources = (own + [other, root]).map(\.1)
            // Each another text of 400,000 bytes: ann has room for two, of a million.
            server.server.execute {
                for (number, source) in sources.enumerated() {
                    source.publish(String(repeating: "\(number)", count: 400_000) + "\n", on: server.server)
                }
            }
            for (_, source) in own[2...] { try expectEqual(try source.ends.wait(), [.stalled]) }
            try expect(process.used < 1_700_000, "\(process.used)")
            for (number, (client, _)) in [(0, own[0]), (1, own[1]), (6, other), (7, root)] {
                try expect(try client.chunkText() == String(repeating: "\(number)", count: 400_000) + "\n", "\(number)")
            }
        }
    }

    /// What two holders keep alike counts for each.
    @Test func holdersShareNoFrames() throws {
        let shares = ByteShares(of: ByteCounter(limit: 200_000))
        let (ann, bo) = (shares.counter(of: .named("ann")), shares.counter(of: .named("bo")))
        var frames = UnsentFrames()
        let great = [UInt8](repeating: 1, count: 10_000)
        let kept = try [ann, bo, ann].map { try #require(frame(&frames, great, $0)) }
        #expect(ann.used == 10_000 && bo.used == 10_000 && kept[0] === kept[2])
    }
}
