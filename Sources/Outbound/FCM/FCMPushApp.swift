import ChatModel
import ChatStore
import HTTPClientPort

/// An app that is reached by Firebase Cloud Messaging, by its interface "HTTP v1".
package struct FCMPushApp: PushableApp {
    private let app: FCMApp
    private let tokens: FCMAccessTokens
    private let port: any HTTPPort
    private let environment: ModelEnvironment

    /// The limit of one call.
    static let timeout = Duration.seconds(15)

    package var configuration: any ConfiguredApp { app }

    /// The apps, each with its access tokens. Apps of one account share them.
    ///
    /// - Parameter port: makes a port that trusts these certificates, and judges where it connects to.
    package static func all(
        _ accesses: [FCMAccess], environment: ModelEnvironment, port: (TrustRoots?) -> any HTTPPort
    ) -> [FCMPushApp] {
        var tokens: [[String]: FCMAccessTokens] = [:]
        return accesses.map { access in
            let port = port(access.trustRoots)
            let signer = [access.app.accountPath, access.app.caPath ?? ""]
            let known =
                tokens[signer] ?? FCMAccessTokens(account: access.account, port: port, environment: environment)
            tokens[signer] = known
            return FCMPushApp(app: access.app, tokens: known, port: port, environment: environment)
        }
    }

    /// Ends within twice the limits of a call and of an access token's exchange, because a token that is not accepted
    /// leads to a second one.
    package func send(_ push: Push, to device: TargetRecord, at token: DeviceToken) async throws -> AppAnswer {
        do {
            let accessToken = try await tokens.current()
            let first = try await call(push, token, accessToken)
            if first.outcome != nil { return first.answer }
            await tokens.discard(accessToken)
            return try await call(push, token, tokens.current()).answer
        } catch let failure as FCMTokenFailure {
            return failure.answer
        }
    }

    private func call(
        _ push: Push, _ token: DeviceToken, _ accessToken: String
    ) async throws -> (outcome: AttemptOutcome?, answer: AppAnswer) {
        let payload = FCMPayload(
            push.message, alert: PushAlert(push.message, for: .fcm), badge: push.badge, to: token,
            isDataOnly: app.isDataOnly)
        let answer = try await port.sendReadingStart(
            HTTPCall(
                "POST", "\(app.url)/v1/projects/\(app.project)/messages:send",
                headers: [
                    HTTPCall.Header("authorization", "Bearer \(accessToken)"),
                    HTTPCall.Header("content-type", "application/json"),
                ], body: payload.bytes, timeout: Self.timeout),
            limit: FCMAnswer.maximumLength, kept: FCMAnswer.maximumLength)
        let said = FCMAnswer(status: answer.status, body: answer.body)
        let wait = answer.headers["retry-after"].flatMap { RetryAfter.delay($0, now: environment.now()) }
        let found = AppAnswer(
            // An access token that was just made cannot be wrong by its age: the account is.
            outcome: said.outcome ?? .held, status: answer.status, reason: said.code,
            retryAfter: wait ?? said.usualWait, isOfAnotherApp: said.isOfAnotherApp)
        return (said.outcome, found)
    }
}
