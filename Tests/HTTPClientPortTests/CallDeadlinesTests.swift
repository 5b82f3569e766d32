import TestSupport
import Testing

@testable import HTTPClientPort

@Suite(.timeLimit(.minutes(5))) struct CallDeadlinesTests {
    /// A call that ends only when it is cancelled.
    @Sendable private static func hang() async throws -> Int {
        try await ContinuousClock().sleep(for: .seconds(3600))
        return 0
    }

    @Test func eachCallEndsWithItsOwnTime() async throws {
        let deadlines = CallDeadlines()
        let ended = Journal<Int>()
        let start = ContinuousClock.now
        // The later ones are waited for first.
        for milliseconds in [900, 500, 100] {
            let deadline = start + .milliseconds(milliseconds)
            _ = deadlines.add(until: deadline) {
                #expect(ContinuousClock.now >= deadline)
                ended.add(milliseconds)
            }
        }
        #expect(await eventually { ended.entries == [100, 500, 900] })
        #expect(deadlines.count == 0)
    }

    @Test func aCallThatEndsInTimeLeavesNothing() async throws {
        let deadlines = CallDeadlines()
        #expect(try await deadlines.run(until: .now + .seconds(3600)) { 7 } == 7)
        await #expect(throws: HTTPCallError.noAnswer) {
            _ = try await deadlines.run(until: .now + .seconds(3600)) { throw HTTPCallError.noAnswer }
        }
        #expect(deadlines.count == 0)
    }

    /// What a call returns after it was cancelled may be half of an answer.
    @Test func whatComesTooLateIsNoResult() async throws {
        let deadlines = CallDeadlines()
        await #expect(throws: HTTPCallError.timeout) {
            _ = try await deadlines.run(until: .now + .milliseconds(50)) {
                _ = try? await Self.hang()
                return 1
            }
        }
    }

    @Test func whoIsCancelledEndsTheCall() async throws {
        let deadlines = CallDeadlines()
        let waiting = Task { try await deadlines.run(until: .now + .seconds(3600), Self.hang) }
        #expect(await eventually { deadlines.count == 1 })
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(deadlines.count == 0)
    }
}
