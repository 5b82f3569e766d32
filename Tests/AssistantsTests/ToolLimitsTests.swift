import HTTPRouting
import Testing

@testable import Assistants

@Suite struct ToolLimitsTests {
    private func limits(reads: Int = 40, writes: Int = 6) -> ToolLimits {
        var rates = ToolRates()
        (rates.readsPerMinute, rates.writesPerMinute) = (reads, writes)
        return ToolLimits(rates)
    }

    /// How many calls are taken at once.
    private func taken(
        _ limits: ToolLimits, _ identity: Identity = .gateway, client: String? = nil, isReading: Bool, at now: Int64 = 0
    ) -> Int {
        let caller = ToolLimits.Caller(identity, client: client, isReading: isReading)
        return (0..<100).count { _ in limits.wait(caller, at: now) == nil }
    }

    @Test func countsAMinutesCalls() {
        let limits = limits()
        #expect(taken(limits, isReading: true) == 40)
        #expect(taken(limits, isReading: false) == 6)
        let caller = ToolLimits.Caller(.gateway, client: nil, isReading: false)
        #expect(limits.wait(caller, at: 0) == 10_000)
        #expect(taken(limits, isReading: false, at: 20_000_000) == 2)
        #expect(taken(limits, isReading: false, at: 90_000_000) == 6)
    }

    /// Thirty-one chats a minute, three writes each: what one desk's assistants did when all of them had one limit.
    @Test func theDefaultLetsAnAssistantWork() {
        let limits = ToolLimits(ToolRates())
        let caller = ToolLimits.Caller(.gateway, client: "a", isReading: false)
        for call in 0..<93 { #expect(limits.wait(caller, at: Int64(call)) == nil) }
    }

    @Test func countsEachClientOfTheGatewaysTokenAndEachSessionsToken() {
        let limits = limits()
        #expect(taken(limits, client: "a", isReading: false) == 6)
        #expect(taken(limits, client: "b", isReading: false) == 6)
        #expect(taken(limits, .session("s"), client: "a", isReading: false) == 6)
        #expect(taken(limits, .session("s"), client: "b", isReading: false) == 0)
        #expect(taken(limits, .session("t"), isReading: false) == 6)
    }
}
