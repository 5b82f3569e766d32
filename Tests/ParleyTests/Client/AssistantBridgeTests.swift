import Testing

@testable import parley

@Suite struct AssistantBridgeTests {
    @Test func pausesGrowToAMinute() {
        var pauses = BridgePauses()
        #expect((0..<7).map { _ in pauses.next() } == [2, 4, 8, 16, 32, 60, 60])
    }
}
