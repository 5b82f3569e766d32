import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct APNsOutcomeTests {
    private static let registeredAt = Timestamp(milliseconds: 1_772_442_904_512)

    private func outcome(_ status: Int, _ body: String) -> AttemptOutcome? {
        APNsAnswer(status: status, body: Array(body.utf8)).outcome(registeredAt: Self.registeredAt)
    }

    /// Apple's table, row by row.
    @Test(
        arguments: [
            (400, "BadDeviceToken", .refused), (400, "DeviceTokenNotForTopic", .refused),
            (400, "BadCollapseId", .eventRefused), (400, "BadExpirationDate", .eventRefused),
            (400, "BadMessageId", .eventRefused),
            (400, "BadPriority", .eventRefused), (400, "BadTopic", .eventRefused),
            (400, "DuplicateHeaders", .eventRefused),
            (400, "InvalidPushType", .eventRefused), (400, "MissingDeviceToken", .eventRefused),
            (400, "MissingTopic", .eventRefused),
            (400, "PayloadEmpty", .eventRefused), (400, "TopicDisallowed", .held),
            (403, "ExpiredProviderToken", nil),
            (403, "InvalidProviderToken", .held), (403, "MissingProviderToken", .held),
            (403, "UnrelatedKeyIdInToken", .held), (403, "BadEnvironmentKeyIdInToken", .held),
            (403, "BadEnvironmentKeyInToken", .held), (403, "BadCertificate", .held),
            (403, "BadCertificateEnvironment", .held), (403, "Forbidden", .held),
            (404, "BadPath", .eventRefused), (405, "MethodNotAllowed", .eventRefused),
            (413, "PayloadTooLarge", .eventRefused),
            (429, "TooManyRequests", .targetFailed), (429, "TooManyProviderTokenUpdates", .targetFailed),
            (400, "IdleTimeout", .targetFailed), (500, "InternalServerError", .targetFailed),
            (503, "ServiceUnavailable", .targetFailed),
            (503, "Shutdown", .targetFailed),
        ] as [(Int, String, AttemptOutcome?)])
    func eachReasonHasItsMeaning(status: Int, reason: String, expected: AttemptOutcome?) {
        #expect(outcome(status, #"{"reason":"\#(reason)"}"#) == expected)
    }

    @Test(
        arguments: [
            ("Unregistered", 1, .gone), ("ExpiredToken", 1, .gone), ("Unregistered", 0, .targetFailed),
            ("ExpiredToken", -1, .targetFailed),
        ] as [(String, Int64, AttemptOutcome?)])
    func aDeviceIsGoneUnlessItRegisteredSince(reason: String, offset: Int64, expected: AttemptOutcome?) {
        let timestamp = Self.registeredAt.milliseconds + offset
        #expect(outcome(410, #"{"reason":"\#(reason)","timestamp":\#(timestamp)}"#) == expected)
    }

    @Test(
        arguments: [
            (400, "NewReason", .eventRefused), (403, "NewReason", .eventRefused), (410, "NewReason", .eventRefused),
            (429, "NewReason", .eventRefused),
            (499, "NewReason", .eventRefused), (500, "NewReason", .targetFailed), (503, "NewReason", .targetFailed),
            (599, "NewReason", .targetFailed),
        ] as [(Int, String, AttemptOutcome?)])
    func anUnknownReasonGoesByTheStatus(status: Int, reason: String, expected: AttemptOutcome?) {
        #expect(outcome(status, #"{"reason":"\#(reason)"}"#) == expected)
    }

    @Test(
        arguments: [
            (200, "", .delivered), (400, "", .eventRefused), (403, "<html>", .held), (410, "", .eventRefused),
            (429, "", .targetFailed),
            (502, "", .targetFailed),
            (400, #"{"reason":7}"#, .eventRefused), (400, #"{"reason":""}"#, .eventRefused), (301, "", .eventRefused),
            (410, #"{"reason":"Unregistered"}"#, .targetFailed),
            (410, #"{"reason":"Unregistered","timestamp":"x"}"#, .targetFailed),
        ] as [(Int, String, AttemptOutcome?)])
    func anAnswerWithoutApplesWordsGoesByTheStatus(status: Int, body: String, expected: AttemptOutcome?) {
        #expect(outcome(status, body) == expected)
    }

    /// What is kept of an attempt must not hold what a relay echoes.
    @Test(arguments: [String(repeating: "a", count: 65), "Bad Token", "token=00fc13ad", ""])
    func aReasonIsOneWord(text: String) {
        #expect(APNsAnswer(status: 400, body: Array(#"{"reason":"\#(text)"}"#.utf8)).reason == nil)
    }
}
