import ChatModel
import CXoneWire
import TestSupport
import Testing
@testable import CXoneService

/// What waits for its answer over one socket.
@Suite struct RequestsTests {
    private let clock = ManualClock()

    private func frame(_ id: String) -> ServerFrame { .acknowledgement(Acknowledgement(eventID: id)) }

    @Test func eachRequestHasItsTenSecondsAndAllOfThemOneTimer() async throws {
        let requests = Requests(clock: clock), ends = Journal<String>()
        func ask(_ id: String) throws {
            try requests.wait(for: id) { _ in
                ends.add(id)
            } fail: {
                ends.add("\(id) \($0.code.rawValue)")
            }
        }
        try ask("a")
        #expect(await eventually { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(4))
        try ask("b")
        try ask("c")
        #expect(await requests.answer("a", with: frame("a")))
        clock.advance(by: .seconds(6))
        // The timer has looked at the first one, and sleeps again.
        #expect(await eventually { clock.sleepCount == 2 })
        #expect(ends.entries == ["a"])
        #expect(await requests.answer("c", with: frame("c")))
        #expect(await eventually { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(4))
        #expect(await eventually { ends.entries == ["a", "c", "b eventTimeout"] })
        #expect(clock.sleeperCount == 0)
        // The next one is watched again.
        try ask("d")
        #expect(await eventually { clock.sleeperCount == 1 })
        clock.advance(by: .seconds(10))
        #expect(await eventually { ends.entries.last == "d eventTimeout" })
    }

    @Test func whenTheSocketIsGoneNobodyWaitsAndNothingSleeps() async throws {
        let requests = Requests(clock: clock), ends = Journal<String>()
        try requests.wait(for: "a") { _ in
        } fail: {
            ends.add($0.code.rawValue)
        }
        #expect(await eventually { clock.sleeperCount == 1 })
        requests.failAll(ChatError(.notConnected, "gone"))
        #expect(ends.entries == ["notConnected"])
        // It is cancelled there and then.
        #expect(clock.sleeperCount == 0)
        #expect(throws: ChatError.self) {
            try requests.wait(for: "b") { _ in
            } fail: { _ in
            }
        }
    }

    @Test func whoHasADeadlineOfItsOwnStartsNoTimer() async throws {
        let requests = Requests(clock: clock), ends = Journal<String>()
        for id in ["a", "b", "c"] {
            try requests.wait(for: id, limit: nil) { _ in
                ends.add(id)
            } fail: {
                ends.add("\(id) \($0.code.rawValue)")
            }
        }
        #expect(clock.sleeperCount == 0)
        #expect(await requests.answer("a", with: frame("a")))
        requests.forget("b")
        #expect(await requests.answer("b", with: frame("b")) == false)
        requests.failAll(ChatError(.notConnected, "gone"))
        #expect(ends.entries == ["a", "c notConnected"])
    }
}
