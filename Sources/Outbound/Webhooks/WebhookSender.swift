import Bounds
import ChatModel
import ChatStore
import Formats
import HTTPClientPort

/// Sends deliveries to webhooks, as Standard Webhooks has it.
package struct WebhookSender: Sendable {
    let port: any HTTPPort
    let folderKey: [UInt8]
    let environment: ModelEnvironment
    let epoch: String

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

    func route(to target: TargetRecord) -> DeliveryRoute {
        let route = WebhookRoute(target, self)
        return DeliveryRoute(
            kind: target.kind, title: { route.title }, concurrency: route.concurrency, wants: route.wants,
            attempt: route.attempt)
    }
}

/// A webhook as attempts go to it: what they have in common is read and made once.
struct WebhookRoute: Sendable {
    private let target: TargetRecord
    private let sender: WebhookSender
    /// Nil if the stored settings cannot be read. Then nothing is wanted, and each attempt fails.
    private let settings: WebhookSettings?
    private let filter: WebhookFilter?
    private let address: CallTarget?
    private let headers: [HTTPCall.Header]
    private let secrets: WebhookSecrets

    /// Bytes of an answer that are read.
    private static let answerLimit = ByteBound.receiverAnswer.bytes

    init(_ target: TargetRecord, _ sender: WebhookSender) {
        self.target = target
        self.sender = sender
        settings = try? WebhookSettings(canonicalJSON: target.settings)
        filter = settings?.filter
        address = settings.flatMap { try? CallTarget("POST", $0.url) }
        let own = settings?.headers ?? []
        var headers = [HTTPCall.Header("Content-Type", "application/json")]
        if !own.contains(where: { $0.name.lowercased() == "user-agent" }) {
            headers.append(HTTPCall.Header("User-Agent", "Parley"))
        }
        self.headers = headers + own.map { HTTPCall.Header($0.name, $0.value) }
        secrets = WebhookSecrets(
            folderKey: sender.folderKey, webhook: target.id, generation: target.generation,
            previousUntil: target.previousUntil)
    }

    var concurrency: Int { max(1, settings?.concurrency ?? 1) }

    /// With the host alone: the rest of the address may hold secrets.
    var title: String {
        let host = settings.flatMap { try? TargetAddress($0.url).host }
        return "\(target.kind.rawValue) \(target.id) at \(host ?? "an unknown host")"
    }

    func wants(_ event: LogEvent) -> Bool {
        guard let filter, !event.isImport else { return false }
        return filter.matches(type: event.type, direction: event.messageDirection, channel: event.owner?.channel)
    }

    func attempt(_ content: DeliveryContent) async -> AttemptReport {
        guard let settings else { return AttemptReport(.targetFailed, error: "invalidSettings") }
        do {
            let answer = try await sender.port.sendReadingStart(
                try call(content, timeout: .seconds(settings.timeoutSeconds)), limit: Self.answerLimit,
                kept: AttemptRecord.maximumHead)
            let instruction = answer.headers["webhook-delivery"]
            return AttemptReport(
                AttemptOutcome(webhookStatus: answer.status, instruction: instruction), answer,
                at: sender.environment.now())
        } catch {
            return AttemptReport(AttemptOutcome(webhookStatus: nil), error: AttemptError.word(for: error))
        }
    }

    private func call(_ content: DeliveryContent, timeout: Duration) throws(HTTPCallError) -> HTTPCall {
        guard let address else { throw .invalidURL }
        let now = sender.environment.now()
        let (id, body) = message(content, now: now)
        let signed = WebhookSignature.headers(id: id, time: now, body: body, secrets: secrets.valid(at: now))
        return HTTPCall(
            to: address, headers: signed.map { HTTPCall.Header($0.name, $0.value) } + headers, body: body,
            timeout: timeout)
    }

    /// What is sent, and the id under which it is sent at each attempt. An id has no dot.
    private func message(_ content: DeliveryContent, now: Timestamp) -> (id: String, body: [UInt8]) {
        switch content {
        case .event(let found):
            let data = found.event.data(for: target.audience)
            return (
                String(decoding: found.event.id, as: UTF8.self),
                WebhookBody.event(found.event.type, at: found.at, data: data)
            )
        case .gap(let gap):
            let from = Cursor(epoch: sender.epoch, offset: gap.from)
            let to = Cursor(epoch: sender.epoch, offset: gap.to)
            let snapshot = target.session.map { "/v1/sessions/\($0)/threads" } ?? "/v1/desk/threads"
            return ("reset-\(to)", WebhookBody.reset(from: from, to: to, snapshot: snapshot, at: now))
        case .test(let id):
            return (id, WebhookBody.test(webhook: target.id, at: now))
        case .push(let push):
            assertionFailure("a webhook is sent events")
            return (push.id, WebhookBody.test(webhook: target.id, at: now))
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

/// Webhooks get every event that they want, those of a thread in its order, and are probed while they fail.
package struct WebhookPolicy: DeliveryPolicy {
    package let kind: TargetKind
    /// After answers that speak of one event.
    private let event = RetrySchedule.event
    /// After failures that speak of the whole target.
    private let target = RetrySchedule.target
    private let route: @Sendable (TargetRecord) -> DeliveryRoute

    init(kind: TargetKind = .webhook, route: @escaping @Sendable (TargetRecord) -> DeliveryRoute) {
        self.kind = kind
        self.route = route
    }

    package init(_ sender: WebhookSender) { self.init(route: sender.route(to:)) }

    package func route(to target: TargetRecord) -> DeliveryRoute { route(target) }

    package func end(
        of delivery: DeliveryRecord, after report: AttemptReport, expiresAt: Timestamp?, at now: DeliveryMachine.Moment
    ) -> DeliveryResult.End {
        switch report.outcome {
        case .delivered, .targetGone(delivered: true): return .delivered
        case .targetFailed, .targetGone(delivered: false), .held, .deviceHeld: return .waiting
        case .eventRefused, .gone, .refused, .deadAuthorization: return .dead(reason: "aborted")
        case .eventFailed:
            let wait = event.wait(
                afterFailures: delivery.refusalCount + 1, at: now.time, random: now.random,
                retryAfter: report.retryAfter)
            return wait.map { .refused(nextAt: $0.nextAt) } ?? .dead(reason: "refused")
        }
    }

    /// An answer that speaks of the event alone shows that the target works.
    package func health(
        _ health: TargetHealth, after report: AttemptReport, at now: DeliveryMachine.Moment
    ) -> TargetHealth {
        switch report.outcome {
        case .delivered, .eventFailed, .eventRefused, .deadAuthorization:
            return TargetHealth(state: .active)
        case .targetGone, .gone, .refused:
            return TargetHealth(state: .disabled, reason: "gone", lastAttemptAt: now.time)
        case .targetFailed, .held, .deviceHeld:
            let (since, failures) = (health.failingSince ?? now.time, health.failures + 1)
            if RetrySchedule.isExhausted(failingSince: since, now: now.time) {
                return TargetHealth(
                    state: .disabled, reason: "failing", failingSince: since, failures: failures,
                    lastAttemptAt: now.time)
            }
            let wait = target.wait(
                afterFailures: failures, at: now.time, random: now.random, retryAfter: report.retryAfter)
            return TargetHealth(
                state: .failing, failingSince: since, failures: failures, lastAttemptAt: now.time, nextAt: wait?.nextAt)
        }
    }
}
