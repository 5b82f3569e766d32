import Formats
import HTTPClientPort
import Testing

@testable import Outbound

@Suite struct FCMAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let answer: HTTPAnswer
        let outcome: AttemptOutcome?
        let code: String?

        init(_ answer: HTTPAnswer, _ outcome: AttemptOutcome?, _ code: String?) {
            (self.answer, self.outcome, self.code) = (answer, outcome, code)
        }

        var testDescription: String { "\(answer.status) \(code ?? "-")" }
    }

    /// The codes of Google's article "FCM Error Codes", and what stands for them where a relay answers.
    static let rows = [
        Row(HTTPAnswer(status: 200, body: Array(#"{"name":"projects/p/messages/1"}"#.utf8)), .delivered, nil),
        Row(.refusal(404, "NOT_FOUND", code: "UNREGISTERED"), .gone, "UNREGISTERED"),
        Row(.refusal(403, "PERMISSION_DENIED", code: "SENDER_ID_MISMATCH"), .refused, "SENDER_ID_MISMATCH"),
        Row(
            .refusal(400, "INVALID_ARGUMENT", code: "INVALID_ARGUMENT", field: "message.token"), .refused,
            "INVALID_ARGUMENT"),
        Row(.refusal(400, "INVALID_ARGUMENT", field: "message.token"), .refused, "INVALID_ARGUMENT"),
        Row(
            .refusal(400, "INVALID_ARGUMENT", code: "INVALID_ARGUMENT", field: "message.android.ttl"), .eventRefused,
            "INVALID_ARGUMENT"),
        Row(.refusal(400, "INVALID_ARGUMENT", code: "INVALID_ARGUMENT"), .eventRefused, "INVALID_ARGUMENT"),
        Row(.refusal(429, "RESOURCE_EXHAUSTED", code: "QUOTA_EXCEEDED"), .targetFailed, "QUOTA_EXCEEDED"),
        Row(.refusal(503, "UNAVAILABLE", code: "UNAVAILABLE"), .targetFailed, "UNAVAILABLE"),
        Row(.refusal(500, "INTERNAL", code: "INTERNAL"), .targetFailed, "INTERNAL"),
        Row(.refusal(401, "UNAUTHENTICATED", code: "THIRD_PARTY_AUTH_ERROR"), .deviceHeld, "THIRD_PARTY_AUTH_ERROR"),
        Row(.refusal(401, "UNAUTHENTICATED"), nil, "UNAUTHENTICATED"),
        Row(.refusal(403, "PERMISSION_DENIED"), .held, "PERMISSION_DENIED"),
        // A project that is not there must erase no device.
        Row(.refusal(404, "NOT_FOUND"), .held, "NOT_FOUND"), Row(HTTPAnswer(status: 404), .held, nil),
        Row(.refusal(500, "UNKNOWN", code: "UNSPECIFIED_ERROR"), .targetFailed, "UNSPECIFIED_ERROR"),
        Row(HTTPAnswer(status: 502, body: Array("<html>".utf8)), .targetFailed, nil),
        Row(HTTPAnswer(status: 302), .held, nil), Row(HTTPAnswer(status: 413), .eventRefused, nil),
        Row(HTTPAnswer(status: 429), .targetFailed, nil),
    ]

    @Test(arguments: rows) func anAnswerLeadsToAnOutcome(row: Row) {
        let answer = FCMAnswer(status: row.answer.status, body: row.answer.body)
        #expect(answer.outcome == row.outcome)
        #expect(answer.code == row.code)
    }

    @Test func aTokenThatIsNoneIsKnownByItsSentenceToo() {
        let body =
            #"{"error":{"message":"The registration token is not a valid FCM registration token","status":"INVALID_ARGUMENT"}}"#
        #expect(FCMAnswer(status: 400, body: Array(body.utf8)).outcome == .refused)
    }

    @Test func onlyWordsAreTakenFromABody() {
        for word in ["a b", "\u{1B}[2J", String(repeating: "A", count: 65), ""] {
            var json = JSONWriter()
            json.beginObject()
            json.name("error")
            json.beginObject()
            json.member("status", word)
            json.endObject()
            json.endObject()
            #expect(FCMAnswer(status: 500, body: json.bytes).code == nil)
        }
    }

    @Test func whoMustWaitWaitsAsGoogleAsks() {
        #expect(FCMAnswer(status: 429, body: []).usualWait == .seconds(60))
        #expect(FCMAnswer(status: 503, body: []).usualWait == .seconds(10))
        #expect(FCMAnswer(status: 400, body: []).usualWait == nil)
    }
}
