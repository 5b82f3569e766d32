import ChatModel
import TestSupport
import Testing

@testable import Chat

@Suite struct PendingRequestsTests {
    private let gone = ChatError(.notConnected, "gone")

    @Test func aRequestReturnsItsResultOrItsError() async throws {
        let pending = PendingRequests()
        #expect(try await pending.run(in: pending.round) { () throws(ChatError) in 7 } == 7)
        #expect(
            await refusal {
                try await pending.run(in: pending.round) { () throws(ChatError) -> Int in
                    throw ChatError(.invalidData, "")
                }
            } == .invalidData)
        #expect(pending.count == 0)
    }

    @Test func failingAllReleasesThoseThatWaitAndDropsTheirLateResults() async throws {
        let pending = PendingRequests()
        let gate = Gate()
        let tasks = (0..<10).map { number in
            Task {
                try await pending.run(in: 0) { () async throws(ChatError) -> Int in
                    await gate.pass(); return number
                }
            }
        }
        #expect(await eventually { pending.count == 10 })
        pending.fail(gone)
        for task in tasks { #expect(await refusal { try await task.value } == .notConnected) }
        // One of the next round comes out of the gate behind them.
        let next = Task {
            try await pending.run(in: 1) { () async throws(ChatError) -> Int in
                await gate.pass(); return 10
            }
        }
        #expect(await eventually { pending.count == 1 })
        gate.open()
        #expect(try await next.value == 10)
        #expect(pending.count == 0)
    }

    @Test func aRequestForAConnectionThatIsGoneIsNotMade() async throws {
        let pending = PendingRequests()
        let round = pending.round
        pending.fail(gone)
        let wasMade = Flag()
        #expect(
            await refusal { try await pending.run(in: round) { () throws(ChatError) in wasMade.raise() } }
                == .notConnected)
        #expect(!wasMade.isRaised)
        #expect(
            await refusal { try await pending.run(in: pending.round) { () throws(ChatError) in wasMade.raise() } }
                == nil)
    }

    @Test func underRacesEachRequestIsAnsweredOnce() async throws {
        let pending = PendingRequests()
        let outcomes = await withTaskGroup(of: ChatError.Code?.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    await refusal {
                        try await pending.run(in: pending.round) { () async throws(ChatError) -> Int in
                            await Task.yield()
                            if number % 3 == 0 { throw ChatError(.invalidData, "") }
                            return number
                        }
                    }
                }
                if number % 50 == 0 {
                    group.addTask {
                        pending.fail(self.gone); return nil
                    }
                }
            }
            return await group.reduce(into: [ChatError.Code?: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes.values.reduce(0, +) == 2040)
        #expect(Set(outcomes.keys).isSubset(of: [nil, .invalidData, .notConnected]))
        #expect(pending.count == 0)
    }
}
