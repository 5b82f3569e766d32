import ChatModel
import CryptoExtras
import Formats
import HTTPClientPort
import TestSupport
import Testing

@testable import Outbound

@Suite struct FCMAccessTokensTests {
    private let environment = TestEnvironment()
    private let google = ScriptedFCM()

    private func tokens() throws -> FCMAccessTokens {
        FCMAccessTokens(
            account: try FCMAccount(FCMAccount.exampleFile()), port: google, environment: environment.environment)
    }

    @Test func theAccountsSignatureIsExchangedForAToken() async throws {
        #expect(try await tokens().current() == "token-1")
        let call = try #require(google.exchanges.first)
        #expect(call.method == "POST" && call.url == FCMAccount.exampleTokenURL)
        #expect(call.header("content-type") == "application/x-www-form-urlencoded")
        let body = String(decoding: call.body ?? [], as: UTF8.self)
        let prefix = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        try #require(body.hasPrefix(prefix))
        let parts = body.dropFirst(prefix.count).split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let key = try FCMAccount.exampleKey.get().publicKey
        let signature = _RSA.Signing.RSASignature(rawRepresentation: try #require(Base64URL.decode(parts[2])))
        #expect(
            key.isValidSignature(
                signature, for: Array("\(parts[0]).\(parts[1])".utf8), padding: .insecurePKCS1v1_5))
        #expect(
            String(decoding: try #require(Base64URL.decode(parts[0])), as: UTF8.self)
                == #"{"alg":"RS256","typ":"JWT","kid":"9f8e7d6c"}"#)
        let now = environment.now.milliseconds / 1000
        #expect(
            String(decoding: try #require(Base64URL.decode(parts[1])), as: UTF8.self)
                == #"{"iss":"push@example-shop.iam.gserviceaccount.com","#
                + #""scope":"https://www.googleapis.com/auth/firebase.messaging","#
                + #""aud":"https://oauth2.googleapis.com/token","iat":\#(now),"exp":\#(now + 3600)}"#)
    }

    @Test func aTokenIsKeptUntilShortlyBeforeItsEnd() async throws {
        let tokens = try tokens()
        #expect(try await tokens.current() == "token-1")
        environment.advance(milliseconds: (3599 - 300) * 1000 - 1)
        #expect(try await tokens.current() == "token-1")
        environment.advance(milliseconds: 1)
        #expect(try await tokens.current() == "token-2")
        #expect(google.exchanges.count == 2)
    }

    @Test func aShortTokenIsKeptForHalfOfItsLife() async throws {
        google.answerExchanges(.granting("short", seconds: 60))
        let tokens = try tokens()
        #expect(try await tokens.current() == "short")
        environment.advance(milliseconds: 29_999)
        #expect(try await tokens.current() == "short")
        environment.advance(milliseconds: 1)
        #expect(try await tokens.current() == "token-2")
    }

    @Test func aClockThatWasSetBackMakesNoTokenLastLonger() async throws {
        let tokens = try tokens()
        _ = try await tokens.current()
        environment.advance(milliseconds: -3_600_000)
        #expect(try await tokens.current() == "token-2")
    }

    @Test func allWhoNeedATokenWaitForOneExchange() async throws {
        let tokens = try tokens()
        google.close()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await tokens.current() } }
            #expect(await eventually { await tokens.waitingCount == 20 })
            google.open()
            for try await token in group { #expect(token == "token-1") }
        }
        #expect(google.exchanges.count == 1)
    }

    @Test func aFailureIsToldToAllAndTheNextOneAsksAgain() async throws {
        let tokens = try tokens()
        google.answerExchanges(HTTPAnswer(status: 503))
        await #expect(throws: FCMTokenFailure.self) { try await tokens.current() }
        #expect(try await tokens.current() == "token-2")
    }

    /// Google has not answered yet, and another push still waits for it.
    @Test(.timeLimit(.minutes(5))) func whoIsCancelledLeavesAtOnce() async throws {
        let tokens = try tokens()
        google.close()
        let waiting = (0..<2).map { _ in Task { try await tokens.current() } }
        #expect(await eventually { await tokens.waitingCount == 2 })
        waiting[0].cancel()
        await #expect(throws: CancellationError.self) { try await waiting[0].value }
        #expect(await tokens.waitingCount == 1)
        #expect(google.cancelledCount == 0)
        google.open()
        #expect(try await waiting[1].value == "token-1")
    }

    @Test func anExchangeEndsWhenNobodyWaitsForItAnyMore() async throws {
        let tokens = try tokens()
        google.close()
        let waiting = (0..<2).map { _ in Task { try await tokens.current() } }
        #expect(await eventually { await tokens.waitingCount == 2 })
        waiting[0].cancel()
        #expect(await eventually { await tokens.waitingCount == 1 })
        #expect(google.cancelledCount == 0, "the other one still waits")
        waiting[1].cancel()
        for task in waiting { await #expect(throws: (any Error).self) { try await task.value } }
        #expect(await eventually { google.cancelledCount == 1 })
        #expect(try await tokens.current() == "token-2", "the next one does not get the end of the last")
    }

    @Test func aDiscardedTokenIsReplacedAndNoOther() async throws {
        let tokens = try tokens()
        _ = try await tokens.current()
        await tokens.discard("another")
        #expect(try await tokens.current() == "token-1")
        await tokens.discard("token-1")
        #expect(try await tokens.current() == "token-2")
    }

    struct Refusal: Sendable {
        let answer: HTTPAnswer
        let outcome: AttemptOutcome
        let reason: String
    }

    static let refusals = [
        Refusal(
            answer: HTTPAnswer(status: 400, body: Array(#"{"error":"invalid_grant","error_description":"x"}"#.utf8)),
            outcome: .held, reason: "invalid_grant"),
        Refusal(answer: HTTPAnswer(status: 401), outcome: .held, reason: "accessTokenRefused"),
        Refusal(answer: HTTPAnswer(status: 302), outcome: .held, reason: "accessTokenRefused"),
        Refusal(
            answer: HTTPAnswer(status: 400, body: Array(#"{"error":"a b"}"#.utf8)), outcome: .held,
            reason: "accessTokenRefused"),
        Refusal(answer: HTTPAnswer(status: 200), outcome: .held, reason: "noAccessToken"),
        // It would become a header of its own.
        Refusal(answer: .granting(#"a\r\nx: y"#), outcome: .held, reason: "noAccessToken"),
        Refusal(
            answer: .granting(String(repeating: "a", count: 4097)), outcome: .held, reason: "noAccessToken"),
        Refusal(answer: HTTPAnswer(status: 429), outcome: .targetFailed, reason: "accessTokenUnavailable"),
        Refusal(answer: HTTPAnswer(status: 500), outcome: .targetFailed, reason: "accessTokenUnavailable"),
    ]

    @Test(arguments: refusals.indices) func aRefusalSaysWhetherTheAppWaits(index: Int) async throws {
        let row = Self.refusals[index]
        google.answerExchanges(row.answer)
        let tokens = try tokens()
        let failure = try #require(await #expect(throws: FCMTokenFailure.self) { try await tokens.current() })
        #expect(failure.answer.outcome == row.outcome && failure.answer.reason == row.reason)
        #expect(failure.answer.host == "oauth2.googleapis.com")
    }
}
