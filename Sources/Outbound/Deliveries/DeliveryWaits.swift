import ChatModel
import ChatStore
import Formats

extension TargetHealth {
    /// How long until one delivery may be tried; zero for a target that does not fail.
    func probeWait(at now: Timestamp) -> Duration {
        guard state == .failing, let nextAt else { return .zero }
        return RetryWait(startedAt: lastAttemptAt ?? now, nextAt: nextAt).remaining(at: now)
    }
}

extension DeliveryRecord {
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
