import MicroHTTP
import Testing

@testable import parley

/// Answers that are passed on while they come.
@Suite(.timeLimit(.minutes(5))) struct ForwardedBodyTests {
    /// What the loop takes at a time, and what it is told after it.
    private func fill(_ body: ForwardedBody, _ limit: Int = 1000) -> (bytes: [UInt8], progress: EventProgress) {
        var buffer = EventBuffer(limit: limit)
        let progress = body.fill(&buffer)
        return (buffer.contents, progress)
    }

    @Test func aPieceGoesOutInAsManyTurnsAsItTakes() async throws {
        let body = ForwardedBody {}
        try await body.take(Array(0..<250))
        #expect(fill(body, 100) == (Array(0..<100), .more))
        #expect(fill(body, 100) == (Array(100..<200), .more))
        #expect(fill(body, 100) == (Array(200..<250), .idle))
        try await body.take([1])
        body.end(isWhole: true)
        #expect(fill(body) == ([1], .end))
    }

    @Test func thereIsRoomWhenTheClientHasTakenAll() async throws {
        let body = ForwardedBody {}
        let piece = [UInt8](repeating: 7, count: 100 << 10)
        let (taken, told) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await body.take(piece)
            told.finish()
        }
        var count = 0
        while count < piece.count {
            count += fill(body, 1 << 20).bytes.count
            await Task.yield()
        }
        for await _ in taken {}
        try await task.value
        #expect(count == piece.count)
    }

    /// Its client may read nothing for a long time.
    @Test func whoWaitsForRoomWaitsNoMoreWhenTheAnswerEnds() async throws {
        let body = ForwardedBody {}
        let task = Task { try await body.take([UInt8](repeating: 7, count: 100 << 10)) }
        while fill(body, 1).bytes.isEmpty { await Task.yield() }
        body.end(isWhole: false)
        await #expect(throws: CancellationError.self) { try await task.value }
        // What has come before is sent.
        #expect(fill(body, 1 << 20).progress == .end)
    }

    @Test func whoHasGoneTakesNothing() async throws {
        let (ended, told) = AsyncStream.makeStream(of: Void.self)
        let body = ForwardedBody { told.finish() }
        let task = Task { try await body.take([UInt8](repeating: 7, count: 100 << 10)) }
        body.closed(.peerGone)
        for await _ in ended {}
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) { try await body.take([1]) }
    }
}
