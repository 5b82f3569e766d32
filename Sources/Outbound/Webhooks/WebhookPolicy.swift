import ChatModel
import ChatStore
import Formats

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
