import Bounds
import ChatModel
import ChatStore
import HTTPClientPort

/// Sends pushes to push services.
package struct WebPushSender: Sendable {
    private let port: any HTTPPort
    private let tokens: VAPIDTokens
    private let environment: ModelEnvironment

    static let timeout = Duration.seconds(15)
    /// Bytes of an answer that are read.
    static let answerLimit = 64 << 10

    /// - Parameter port: judges the addresses that sessions may name.
    package init(port: any HTTPPort, tokens: VAPIDTokens, environment: ModelEnvironment) {
        self.port = port
        self.tokens = tokens
        self.environment = environment
    }

    /// One attempt, which ends within ``timeout``.
    ///
    /// - Parameter holder: who chose the address.
    func send(_ push: Push, to settings: BrowserSettings, of holder: Holder) async -> AttemptReport {
        let began = environment.now()
        guard let subscription = settings.subscription else { return AttemptReport(.gone, error: "closed") }
        if let end = subscription.expirationTime, end <= began { return AttemptReport(.gone, error: "expired") }
        let request: WebPushRequest
        do {
            request = try WebPushRequest(
                push.message, alert: PushAlert(push.message, for: .webPush), page: settings.page, to: subscription,
                tokens: tokens,
                now: began)
        } catch {
            return AttemptReport(.eventRefused, error: "notEncrypted")
        }
        var call = HTTPCall(
            "POST", request.url, headers: request.headers.map { HTTPCall.Header($0.name, $0.value) },
            body: request.body,
            timeout: Self.timeout)
        call.holder = holder
        do {
            let answer = try await port.sendReadingStart(call, limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
            return AttemptReport(AttemptOutcome(webPushStatus: answer.status), answer, at: environment.now())
        } catch {
            return AttemptReport(.targetFailed, error: AttemptError.word(for: error))
        }
    }
}
