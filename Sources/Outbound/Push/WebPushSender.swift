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
    func send(_ push: Push, to settings: BrowserSettings, of holder: Holder) async -> PushReport {
        let began = environment.now()
        func report(_ outcome: PushOutcome, _ answer: HTTPAnswer? = nil, error: String? = nil) -> PushReport {
            let now = environment.now()
            return PushReport(
                outcome: outcome,
                attempt: AttemptRecord(
                    at: began, status: answer?.status, error: error,
                    milliseconds: max(0, now.milliseconds - began.milliseconds),
                    head: answer.flatMap { $0.body.isEmpty ? nil : $0.body }),
                retryAfter: answer?.headers["retry-after"].flatMap { RetryAfter.delay($0, now: now) })
        }
        guard let subscription = settings.subscription else { return report(.gone, error: "closed") }
        if let end = subscription.expirationTime, end <= began { return report(.gone, error: "expired") }
        let request: WebPushRequest
        do {
            request = try WebPushRequest(
                push.message, alert: PushAlert(push.message, for: .webPush), page: settings.page, to: subscription,
                tokens: tokens,
                now: began)
        } catch {
            return report(.dead, error: "notEncrypted")
        }
        var call = HTTPCall(
            "POST", request.url, headers: request.headers.map { HTTPCall.Header($0.name, $0.value) },
            body: request.body,
            timeout: Self.timeout)
        call.holder = holder
        do {
            let answer = try await port.sendReadingStart(call, limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
            return report(PushOutcome(webPushStatus: answer.status), answer)
        } catch {
            return report(.retry, error: AttemptError.word(for: error))
        }
    }
}
