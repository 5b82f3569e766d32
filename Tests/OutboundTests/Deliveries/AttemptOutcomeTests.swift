import Testing

@testable import Outbound

@Suite struct AttemptOutcomeTests {
    @Test func eachStatusIsAboutTheEventOrTheTarget() {
        for status in 100...599 {
            let expected: AttemptOutcome =
                switch status {
                case 200..<300: .delivered
                case 400, 409, 413, 415, 422: .eventFailed
                case 410: .targetGone(delivered: false)
                default: .targetFailed
                }
            #expect(AttemptOutcome(webhookStatus: status) == expected, "\(status)")
        }
    }

    @Test(arguments: [301, 302, 307, 308, 401, 403, 404, 405, 408, 429, 500, 502, 503, 504])
    func whatARedeploymentAnswersLosesNothing(status: Int) {
        #expect(AttemptOutcome(webhookStatus: status) == .targetFailed)
    }

    @Test func noAnswerIsAboutTheTarget() {
        #expect(AttemptOutcome(webhookStatus: nil) == .targetFailed)
        #expect(AttemptOutcome(webhookStatus: nil, instruction: "disable") == .targetFailed)
    }

    @Test func aReceiverMayAbortAnEvent() {
        for status in 100...599 {
            let outcome = AttemptOutcome(webhookStatus: status, instruction: "abort-message")
            let expected: AttemptOutcome =
                switch status {
                case 200..<300: .delivered
                case 410: .targetGone(delivered: false)
                default: .eventRefused
                }
            #expect(outcome == expected, "\(status)")
        }
    }

    @Test func aReceiverMayDisableItsWebhook() {
        for status in 100...599 {
            let outcome = AttemptOutcome(webhookStatus: status, instruction: "disable")
            #expect(outcome == .targetGone(delivered: (200..<300).contains(status)), "\(status)")
        }
    }

    @Test func anInstructionIsReadWithoutSpacesAndCase() {
        #expect(AttemptOutcome(webhookStatus: 500, instruction: " Abort-Message\t") == .eventRefused)
        #expect(AttemptOutcome(webhookStatus: 500, instruction: "DISABLE") == .targetGone(delivered: false))
        for unknown in ["", "abort", "disabled", "abort-message, disable", "retry"] {
            #expect(AttemptOutcome(webhookStatus: 500, instruction: unknown) == .targetFailed)
            #expect(AttemptOutcome(webhookStatus: 400, instruction: unknown) == .eventFailed)
        }
    }
}
