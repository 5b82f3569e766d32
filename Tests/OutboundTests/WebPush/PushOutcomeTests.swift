import Testing

@testable import Outbound

@Suite struct PushOutcomeTests {
    @Test(
        arguments: [
            (200, .delivered), (201, .delivered), (202, .delivered), (299, .delivered),
            (404, .gone), (410, .gone),
            (400, .eventRefused), (413, .eventRefused), (402, .eventRefused), (405, .eventRefused),
            (415, .eventRefused), (301, .eventRefused), (307, .eventRefused),
            (100, .eventRefused),
            (401, .deadAuthorization), (403, .deadAuthorization),
            (406, .targetFailed), (429, .targetFailed), (408, .targetFailed), (500, .targetFailed),
            (502, .targetFailed), (503, .targetFailed), (507, .targetFailed),
            (599, .targetFailed),
        ] as [(Int, AttemptOutcome)])
    func eachAnswerOfAPushServiceHasItsMeaning(status: Int, outcome: AttemptOutcome) {
        #expect(AttemptOutcome(webPushStatus: status) == outcome)
    }
}
