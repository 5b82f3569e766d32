import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct HealthCheckTests {
    /// A commit may wait for another machine for minutes.
    @Test func aCheckThatHangsIsAnsweredInTime() async {
        let gate = Gate(), clock = ManualClock(), runs = Journal<Int>()
        let shared = SharedCheck("store") {
            runs.add(1)
            await gate.pass()
            return HealthCheck("store", true)
        }
        async let first = shared.check(on: clock)
        async let second = shared.check(on: clock)
        #expect(await eventually { clock.sleepCount == 2 })
        clock.advance(by: SharedCheck.patience)
        let late = HealthCheck("store", fault: "no answer within 800.0 ms")
        #expect(await [first, second] == [late, late])
        #expect(runs.entries.count == 1, "who asks meanwhile starts no second run")
        gate.open()
        #expect(await shared.check(on: clock) == HealthCheck("store", true))
    }

    @Test func aCheckThatHasEndedIsMadeAnew() async {
        let runs = Journal<Int>()
        let shared = SharedCheck("files") {
            runs.add(1)
            return HealthCheck("files", fault: runs.entries.count == 1 ? "no space" : nil)
        }
        #expect(await shared.check(on: ManualClock()).failure == "files (no space)")
        #expect(await shared.check(on: ManualClock()).isWell)
    }
}
