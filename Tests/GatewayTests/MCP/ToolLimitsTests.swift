import HTTPRouting
import TestSupport
import Testing

@testable import Gateway

@Suite struct ToolLimitsTests {
    private let environment = TestEnvironment()

    private func limits() -> ToolLimits { ToolLimits(now: environment.environment.now) }

    /// How many calls are taken at once.
    private func taken(_ limits: ToolLimits, _ identity: Identity = .gateway, isReading: Bool) -> Int {
        (0..<100).count { _ in limits.wait(identity, isReading: isReading) == nil }
    }

    @Test func countsEachSecondAndEachMinute() {
        let limits = limits()
        #expect(taken(limits, isReading: true) == 20)
        #expect(taken(limits, isReading: false) == 2)
        #expect(limits.wait(.gateway, isReading: false) == 1000)
        for _ in 1..<30 {
            environment.advance(milliseconds: 1000)
            #expect(taken(limits, isReading: false) == 2)
        }
        environment.advance(milliseconds: 1000)
        // 60 within the minute: the first of them are 30 seconds old.
        #expect(limits.wait(.gateway, isReading: false) == 30_000)
        #expect(taken(limits, isReading: true) == 20)
        environment.advance(milliseconds: 30_000)
        #expect(taken(limits, isReading: false) == 2)
    }

    @Test func countsEachTokenByItself() {
        let limits = limits()
        #expect(taken(limits, isReading: false) == 2)
        #expect(taken(limits, .session("s"), isReading: false) == 2)
    }
}
