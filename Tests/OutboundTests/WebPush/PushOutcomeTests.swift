import Testing

@testable import Outbound

@Suite struct PushOutcomeTests {
    @Test(
        arguments: [
            (200, .delivered), (201, .delivered), (202, .delivered), (299, .delivered),
            (404, .gone), (410, .gone),
            (400, .dead), (413, .dead), (402, .dead), (405, .dead), (415, .dead), (301, .dead), (307, .dead),
            (100, .dead),
            (401, .deadAuthorization), (403, .deadAuthorization),
            (406, .retry), (429, .retry), (408, .retry), (500, .retry), (502, .retry), (503, .retry), (507, .retry),
            (599, .retry),
        ] as [(Int, PushOutcome)])
    func eachAnswerOfAPushServiceHasItsMeaning(status: Int, outcome: PushOutcome) {
        #expect(PushOutcome(webPushStatus: status) == outcome)
    }
}
