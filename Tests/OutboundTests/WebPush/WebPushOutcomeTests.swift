import ChatModel
import Testing

@testable import Outbound

@Suite struct WebPushOutcomeTests {
    private static let now = Timestamp(milliseconds: 1_772_442_904_512)

    @Test(arguments: [
        (200, .delivered), (201, .delivered), (202, .delivered), (299, .delivered),
        (404, .gone), (410, .gone),
        (400, .dead), (413, .dead), (402, .dead), (405, .dead), (415, .dead), (301, .dead), (307, .dead), (100, .dead),
        (401, .deadAuthorization), (403, .deadAuthorization),
        (406, .retry(notBefore: nil)), (429, .retry(notBefore: nil)), (408, .retry(notBefore: nil)),
        (500, .retry(notBefore: nil)), (502, .retry(notBefore: nil)), (503, .retry(notBefore: nil)),
        (507, .retry(notBefore: nil)), (599, .retry(notBefore: nil)), (nil, .retry(notBefore: nil)),
    ] as [(Int?, WebPushOutcome)])
    func eachAnswerHasItsMeaning(status: Int?, outcome: WebPushOutcome) {
        #expect(WebPushOutcome(status: status, retryAfter: nil, now: Self.now) == outcome)
    }

    @Test(arguments: [406, 429, 503]) func aServiceMayNameATime(status: Int) {
        let outcome = WebPushOutcome(status: status, retryAfter: "120", now: Self.now)
        #expect(outcome == .retry(notBefore: Self.now.advanced(bySeconds: 120)))
    }

    @Test func threeRefusalsInARowRefuseTheDevice() {
        var count = 0
        for outcome in [.deadAuthorization, .retry(notBefore: nil), .dead, .deadAuthorization] as [WebPushOutcome] {
            count = outcome.authorizationFailures(after: count)
        }
        #expect(count == WebPushOutcome.refusalLimit - 1)
        #expect(WebPushOutcome.deadAuthorization.authorizationFailures(after: count) == WebPushOutcome.refusalLimit)
        #expect(WebPushOutcome.delivered.authorizationFailures(after: count) == 0)
    }

    @Test(arguments: [
        ("0", 0), ("120", 120), (" 5", 5), ("86400", 86_400), ("86401", 86_400), ("99999999999999999999999", 86_400),
        ("Mon, 02 Mar 2026 09:16:04 GMT", 59), ("Mon, 02 Mar 2026 09:00:00 GMT", 0),
        ("Thu, 02 Apr 2026 09:16:04 GMT", 86_400),
    ] as [(String, Int64)])
    func readsRetryAfter(text: String, seconds: Int64) throws {
        let time = try #require(RetryAfterHeader.time(text, now: Self.now))
        #expect((time.milliseconds - Self.now.milliseconds) / 1000 == seconds)
    }

    @Test(arguments: ["", "soon", "-1", "+5", "1.5", "12 s", "Mon, 02 Mar 2026", "Mon, 31 Feb 2026 09:16:04 GMT",
        "Mon, 02 Xxx 2026 09:16:04 GMT", "Mon, 02 Mar 2026 09:16:04 UTC"])
    func anUnreadableRetryAfterIsNone(text: String) {
        #expect(RetryAfterHeader.time(text, now: Self.now) == nil)
    }
}
