import ChatModel
import ChatStore
import Formats

extension TargetHealth {
    /// How the target does after an attempt that ended now.
    ///
    /// An answer that speaks of the event alone shows that the target works.
    ///
    /// - Parameters:
    ///   - random: a number in 0..<1.
    ///   - retryAfter: what the answer asked for.
    func after(
        _ outcome: AttemptOutcome, at now: Timestamp, random: @autoclosure () -> Double, retryAfter: Duration?
    ) -> TargetHealth {
        switch outcome {
        case .delivered, .eventFailed, .eventRefused:
            return TargetHealth(state: .active)
        case .targetGone:
            return TargetHealth(state: .disabled, reason: "gone", lastAttemptAt: now)
        case .targetFailed:
            let since = failingSince ?? now
            if RetrySchedule.isExhausted(failingSince: since, now: now) {
                return TargetHealth(
                    state: .disabled, reason: "failing", failingSince: since, failures: failures + 1, lastAttemptAt: now
                )
            }
            let wait = RetrySchedule.target.wait(
                afterFailures: failures + 1, at: now, random: random(), retryAfter: retryAfter)
            return TargetHealth(
                state: .failing, failingSince: since, failures: failures + 1, lastAttemptAt: now, nextAt: wait?.nextAt)
        }
    }

    /// How long until one delivery may be tried; zero for a target that does not fail.
    func probeWait(at now: Timestamp) -> Duration {
        guard state == .failing, let nextAt else { return .zero }
        return RetryWait(startedAt: lastAttemptAt ?? now, nextAt: nextAt).remaining(at: now)
    }
}

extension DeliveryRecord {
    /// What becomes of the delivery after an attempt that ended now.
    ///
    /// - Parameters:
    ///   - random: a number in 0..<1.
    ///   - retryAfter: what the answer asked for.
    func end(
        after outcome: AttemptOutcome, at now: Timestamp, random: @autoclosure () -> Double, retryAfter: Duration?
    ) -> DeliveryResult.End {
        switch outcome {
        case .delivered, .targetGone(delivered: true): return .delivered
        case .targetFailed, .targetGone(delivered: false): return .waiting
        case .eventRefused: return .dead(reason: "aborted")
        case .eventFailed:
            let wait = RetrySchedule.event.wait(
                afterFailures: refusalCount + 1, at: now, random: random(), retryAfter: retryAfter)
            return wait.map { .refused(nextAt: $0.nextAt) } ?? .dead(reason: "refused")
        }
    }

    /// The delivery as it waits after an attempt with this end; nil if it does not wait any more.
    func after(_ end: DeliveryResult.End) -> DeliveryRecord? {
        var waiting = self
        switch end {
        case .delivered, .dead: return nil
        case .refused(let nextAt):
            waiting.refusalCount += 1
            waiting.nextAt = nextAt
        case .waiting: break
        }
        return waiting
    }

    /// How long until it may be tried, for its own sake.
    func ownWait(at now: Timestamp) -> Duration {
        guard let nextAt else { return .zero }
        return RetryWait(startedAt: lastAttemptAt ?? createdAt, nextAt: nextAt).remaining(at: now)
    }
}
