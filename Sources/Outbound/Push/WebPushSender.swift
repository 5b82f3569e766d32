import ChatModel
import ChatStore
import HTTPClientPort

/// What came of sending one push.
struct PushReport: Sendable {
    var outcome: WebPushOutcome
    var attempt: AttemptRecord
    /// How long the service asked to wait.
    var retryAfter: Duration?
}

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
    func send(_ message: PushMessage, to settings: DeviceSettings) async -> PushReport {
        let began = environment.now()
        func report(_ outcome: WebPushOutcome, _ answer: HTTPAnswer? = nil, error: String? = nil) -> PushReport {
            let now = environment.now()
            return PushReport(
                outcome: outcome,
                attempt: AttemptRecord(
                    at: began, status: answer?.status, error: error, milliseconds: max(0, now.milliseconds - began.milliseconds),
                    head: answer.flatMap { $0.body.isEmpty ? nil : $0.body }),
                retryAfter: answer?.headers["retry-after"].flatMap { RetryAfter.delay($0, now: now) })
        }
        guard let subscription = settings.subscription else { return report(.gone, error: "closed") }
        if let end = subscription.expirationTime, end <= began { return report(.gone, error: "expired") }
        let request: WebPushRequest
        do {
            request = try WebPushRequest(
                message, alert: PushAlert(message, content: .full), page: settings.page, to: subscription, tokens: tokens, now: began)
        } catch {
            return report(.dead, error: "notEncrypted")
        }
        let call = HTTPCall(
            "POST", request.url, headers: request.headers.map { HTTPCall.Header($0.name, $0.value) }, body: request.body,
            timeout: Self.timeout)
        do {
            let answer = try await port.sendReadingStart(call, limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
            let outcome = WebPushOutcome(
                status: answer.status, retryAfter: answer.headers["retry-after"], now: environment.now())
            return report(outcome, answer)
        } catch {
            return report(.retry(notBefore: nil), error: Self.word(for: error))
        }
    }

    /// Why no answer came, without anything of what was sent.
    private static func word(for error: any Error) -> String {
        switch error {
        case is AddressRefusal: "addressRefused"
        case HTTPCallError.timeout: "timeout"
        case HTTPCallError.unknownHost: "unknownHost"
        case HTTPCallError.invalidURL: "invalidURL"
        default: "notConnected"
        }
    }
}
