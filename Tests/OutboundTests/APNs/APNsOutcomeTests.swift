import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct APNsOutcomeTests {
    private static let registeredAt = Timestamp(milliseconds: 1_772_442_904_512)

    private func outcome(_ status: Int, _ body: String) -> APNsOutcome {
        APNsOutcome(APNsAnswer(status: status, body: Array(body.utf8)), registeredAt: Self.registeredAt)
    }

    /// Apple's table, row by row.
    @Test(
        arguments: [
            (400, "BadDeviceToken", .refused), (400, "DeviceTokenNotForTopic", .refused),
            (400, "BadCollapseId", .dead), (400, "BadExpirationDate", .dead), (400, "BadMessageId", .dead),
            (400, "BadPriority", .dead), (400, "BadTopic", .dead), (400, "DuplicateHeaders", .dead),
            (400, "InvalidPushType", .dead), (400, "MissingDeviceToken", .dead), (400, "MissingTopic", .dead),
            (400, "PayloadEmpty", .dead), (400, "TopicDisallowed", .holdApp),
            (403, "ExpiredProviderToken", .newTokenAndRetry),
            (403, "InvalidProviderToken", .holdApp), (403, "MissingProviderToken", .holdApp),
            (403, "UnrelatedKeyIdInToken", .holdApp), (403, "BadEnvironmentKeyIdInToken", .holdApp),
            (403, "BadEnvironmentKeyInToken", .holdApp), (403, "BadCertificate", .holdApp),
            (403, "BadCertificateEnvironment", .holdApp), (403, "Forbidden", .holdApp),
            (404, "BadPath", .dead), (405, "MethodNotAllowed", .dead), (413, "PayloadTooLarge", .dead),
            (429, "TooManyRequests", .retry), (429, "TooManyProviderTokenUpdates", .retry),
            (400, "IdleTimeout", .retry), (500, "InternalServerError", .retry), (503, "ServiceUnavailable", .retry),
            (503, "Shutdown", .retry),
        ] as [(Int, String, APNsOutcome)])
    func eachReasonHasItsMeaning(status: Int, reason: String, expected: APNsOutcome) {
        #expect(outcome(status, #"{"reason":"\#(reason)"}"#) == expected)
    }

    @Test(
        arguments: [
            ("Unregistered", 1, .gone), ("ExpiredToken", 1, .gone), ("Unregistered", 0, .retry),
            ("ExpiredToken", -1, .retry),
        ] as [(String, Int64, APNsOutcome)])
    func aDeviceIsGoneUnlessItRegisteredSince(reason: String, offset: Int64, expected: APNsOutcome) {
        let timestamp = Self.registeredAt.milliseconds + offset
        #expect(outcome(410, #"{"reason":"\#(reason)","timestamp":\#(timestamp)}"#) == expected)
    }

    @Test(
        arguments: [
            (400, "NewReason", .dead), (403, "NewReason", .dead), (410, "NewReason", .dead), (429, "NewReason", .dead),
            (499, "NewReason", .dead), (500, "NewReason", .retry), (503, "NewReason", .retry),
            (599, "NewReason", .retry),
        ] as [(Int, String, APNsOutcome)])
    func anUnknownReasonGoesByTheStatus(status: Int, reason: String, expected: APNsOutcome) {
        #expect(outcome(status, #"{"reason":"\#(reason)"}"#) == expected)
    }

    @Test(
        arguments: [
            (200, "", .delivered), (400, "", .dead), (403, "<html>", .holdApp), (410, "", .dead), (429, "", .retry),
            (502, "", .retry),
            (400, #"{"reason":7}"#, .dead), (400, #"{"reason":""}"#, .dead), (301, "", .dead),
            (410, #"{"reason":"Unregistered"}"#, .retry), (410, #"{"reason":"Unregistered","timestamp":"x"}"#, .retry),
        ] as [(Int, String, APNsOutcome)])
    func anAnswerWithoutApplesWordsGoesByTheStatus(status: Int, body: String, expected: APNsOutcome) {
        #expect(outcome(status, body) == expected)
    }

    @Test func noAnswerIsARetry() {
        #expect(APNsOutcome(nil, registeredAt: Self.registeredAt) == .retry)
    }

    /// What is kept of an attempt must not hold what a relay echoes.
    @Test(arguments: [String(repeating: "a", count: 65), "Bad Token", "token=00fc13ad", ""])
    func aReasonIsOneWord(text: String) {
        #expect(APNsAnswer(status: 400, body: Array(#"{"reason":"\#(text)"}"#.utf8)).reason == nil)
    }
}
