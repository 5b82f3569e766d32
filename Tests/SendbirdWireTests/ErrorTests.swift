@testable import SendbirdWire
import Testing

/// What an answer tells of its request.
@Suite struct ErrorTests {
    private static let noSuchUser = #"{"error":true,"code":400201,"message":"No such user."}"#

    @Test(
        arguments: [
            (200, "{}", nil, .done), (200, "", nil, .done), (204, "", nil, .done),
            (400, noSuchUser, nil, .refused(SendbirdError(.notFound, "No such user."))),
            (403, #"{"error":true,"code":403100}"#, nil, .refused(SendbirdError(.applicationNotAvailable, ""))),
            (404, "<html>", nil, .unknown), (400, "", nil, .unknown), (400, #"{"message":"x"}"#, nil, .unknown),
            (500, #"{"error":true,"code":500901,"message":"x"}"#, nil, .unknown), (503, "<html>", nil, .unknown),
            (302, "{}", nil, .unknown), (100, "", nil, .unknown),
            (429, "<html>", "7", .limited(afterSeconds: 7)), (429, "", nil, .limited(afterSeconds: nil)),
            (429, "", "soon", .limited(afterSeconds: nil)), (429, "", "-1", .limited(afterSeconds: nil)),
            (429, "", "999999999", .limited(afterSeconds: nil)),
            (400, #"{"error":true,"code":500910,"message":"x"}"#, "2", .limited(afterSeconds: 2)),
        ] as [(Int, String, String?, SendbirdOutcome)])
    func anAnswerTellsTheOutcome(_ status: Int, _ body: String, _ after: String?, _ outcome: SendbirdOutcome) {
        #expect(SendbirdOutcome(status: status, body: Array(body.utf8), retryAfter: after) == outcome)
    }

    @Test func theStatusIsNearlyAlways400() {
        let statuses: [(SendbirdErrorCode, Int)] = [
            (.notFound, 400), (.userNotFound, 400), (.tokenInvalid, 400), (.noSuchPath, 404), (.notServed, 400),
            (.applicationNotAvailable, 403), (.rateLimit, 429), (.internalError, 500),
            (SendbirdErrorCode(rawValue: 900_021), 400),
        ]
        for (code, status) in statuses { #expect(code.status == status, "\(code.rawValue)") }
    }

    @Test func anUnknownCodeIsKept() throws {
        let error = try SendbirdError(answer: Array(#"{"code":900021,"message":"a\/b"}"#.utf8))
        #expect(error.code.rawValue == 900_021 && error.message == "a/b")
    }
}
