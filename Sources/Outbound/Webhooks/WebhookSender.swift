import ChatModel
import ChatStore
import Formats
import HTTPClientPort

/// Sends deliveries to webhooks, as Standard Webhooks has it.
package struct WebhookSender: DeliverySender {
    private let port: any HTTPPort
    private let folderKey: [UInt8]
    private let environment: ModelEnvironment
    private let epoch: String

    /// Bytes of an answer that are read.
    static let answerLimit = 64 << 10

    /// - Parameters:
    ///   - port: judges the addresses that webhooks may go to.
    ///   - folderKey: the key of the data folder, from which the webhooks' secrets are derived.
    ///   - epoch: of the log.
    package init(port: any HTTPPort, folderKey: [UInt8], environment: ModelEnvironment, epoch: String) {
        self.port = port
        self.folderKey = folderKey
        self.environment = environment
        self.epoch = epoch
    }

    package func filter(for target: TargetRecord) -> @Sendable (LogEvent) -> Bool {
        guard let settings = try? WebhookSettings(canonicalJSON: target.settings) else { return { _ in false } }
        let filter = settings.filter
        return { filter.matches(type: $0.type, direction: $0.messageDirection, channel: $0.owner?.channel) }
    }

    package func concurrency(of target: TargetRecord) -> Int {
        (try? WebhookSettings(canonicalJSON: target.settings).concurrency) ?? 1
    }

    package func attempt(_ content: DeliveryContent, to target: TargetRecord) async -> AttemptReport {
        guard let settings = try? WebhookSettings(canonicalJSON: target.settings) else {
            return AttemptReport(.targetFailed, error: "invalidSettings")
        }
        let call = call(content, to: target, settings)
        do {
            let answer = try await port.sendReadingStart(call, limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
            return AttemptReport(
                AttemptOutcome(webhookStatus: answer.status, instruction: answer.headers["webhook-delivery"]),
                status: answer.status, head: answer.body.isEmpty ? nil : answer.body,
                retryAfter: answer.headers["retry-after"].flatMap { RetryAfter.delay($0, now: environment.now()) })
        } catch {
            return AttemptReport(AttemptOutcome(webhookStatus: nil), error: AttemptError.word(for: error))
        }
    }

    private func call(_ content: DeliveryContent, to target: TargetRecord, _ settings: WebhookSettings) -> HTTPCall {
        let now = environment.now()
        let (id, body) = message(content, for: target, now: now)
        let secrets = WebhookSecret.valid(
            folderKey: folderKey, webhook: target.id, generation: target.generation,
            previousUntil: target.previousUntil, now: now)
        var headers = [HTTPCall.Header("Content-Type", "application/json")]
        headers += WebhookSignature.headers(id: id, time: now, body: body, secrets: secrets).map {
            HTTPCall.Header($0.name, $0.value)
        }
        if !settings.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
            headers.append(HTTPCall.Header("User-Agent", "Parley"))
        }
        headers += settings.headers.map { HTTPCall.Header($0.name, $0.value) }
        return HTTPCall(
            "POST", settings.url, headers: headers, body: body, timeout: .seconds(settings.timeoutSeconds))
    }

    /// What is sent, and the id under which it is sent at each attempt. An id has no dot.
    private func message(
        _ content: DeliveryContent, for target: TargetRecord, now: Timestamp
    ) -> (id: String, body: [UInt8]) {
        switch content {
        case .event(let found):
            let data = found.event.data(for: target.audience)
            return (
                String(decoding: found.event.id, as: UTF8.self),
                WebhookBody.event(found.event.type, at: found.at, data: data)
            )
        case .gap(let gap):
            let (from, to) = (Cursor(epoch: epoch, offset: gap.from), Cursor(epoch: epoch, offset: gap.to))
            let snapshot = target.session.map { "/v1/sessions/\($0)/threads" } ?? "/v1/desk/threads"
            return ("reset-\(to)", WebhookBody.reset(from: from, to: to, snapshot: snapshot, at: now))
        case .test(let id):
            return (id, WebhookBody.test(webhook: target.id, at: now))
        }
    }
}

extension LogEvent {
    /// The direction of the message that a message's event tells of, read without parsing the rest: it stands before
    /// all that somebody wrote but ids, whose quotes are escaped.
    fileprivate var messageDirection: MessageDirection? {
        guard type == .messageCreated || type == .messageUpdated,
            let start = data.firstRange(of: Array("\"direction\":\"".utf8))?.upperBound
        else { return nil }
        return MessageDirection(
            rawValue: String(decoding: data[start...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self))
    }
}
