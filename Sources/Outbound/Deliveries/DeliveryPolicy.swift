import ChatModel
import ChatStore
import Formats

/// What the engine has to know of a kind of targets: how a target is reached, and what is done after an attempt.
package struct DeliveryPolicy: Sendable {
    let kind: TargetKind
    /// After answers that speak of one event.
    let event: RetrySchedule
    /// After failures that speak of the whole target.
    let target: RetrySchedule
    /// The way to a target, as its owner has set it.
    let route: @Sendable (TargetRecord) -> DeliveryRoute

    /// What becomes of a delivery after an attempt that ended now.
    func end(
        of delivery: DeliveryRecord, after report: AttemptReport, at now: DeliveryMachine.Moment
    ) -> DeliveryResult.End {
        switch report.outcome {
        case .delivered, .targetGone(delivered: true): return .delivered
        case .targetFailed, .targetGone(delivered: false): return .waiting
        case .eventRefused: return .dead(reason: "aborted")
        case .eventFailed:
            let wait = event.wait(
                afterFailures: delivery.refusalCount + 1, at: now.time, random: now.random,
                retryAfter: report.retryAfter)
            return wait.map { .refused(nextAt: $0.nextAt) } ?? .dead(reason: "refused")
        }
    }

    /// How a target does after an attempt that ended now. An answer that speaks of the event alone shows that the target
    /// works.
    func health(
        _ health: TargetHealth, after report: AttemptReport, at now: DeliveryMachine.Moment
    ) -> TargetHealth {
        switch report.outcome {
        case .delivered, .eventFailed, .eventRefused:
            return TargetHealth(state: .active)
        case .targetGone:
            return TargetHealth(state: .disabled, reason: "gone", lastAttemptAt: now.time)
        case .targetFailed:
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

extension DeliveryPolicy {
    package static func webhooks(_ sender: WebhookSender) -> DeliveryPolicy {
        DeliveryPolicy(kind: .webhook, event: .event, target: .target, route: sender.route(to:))
    }
}
