import ChatModel
import ChatStore
import Formats

/// A wait that ends at a time of the wall clock, but never lasts longer than its delay.
///
/// The wall clock may be set while it lasts. Whoever sleeps for ``remaining(at:)`` on a clock that only goes forward is
/// done afterwards, whatever the wall clock says then.
package struct RetryWait: Sendable, Equatable {
    package let startedAt: Timestamp
    package let nextAt: Timestamp

    init(startedAt: Timestamp, delay: Duration) {
        self.startedAt = startedAt
        nextAt = startedAt.advanced(by: delay)
    }

    /// A wait that was stored.
    ///
    /// - Parameter startedAt: when the last attempt ended, or the delivery was made.
    package init(startedAt: Timestamp, nextAt: Timestamp) {
        self.startedAt = startedAt
        self.nextAt = nextAt
    }

    /// How long it still lasts: at most its delay; zero when it is over.
    ///
    /// A time before its start tells that the clock was set back. It is over then: nobody knows how long it has lasted.
    package func remaining(at now: Timestamp) -> Duration {
        guard now >= startedAt, now < nextAt else { return .zero }
        return .milliseconds(nextAt.milliseconds - now.milliseconds)
    }
}

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

/// How long to leave the store alone after it failed: 1 s, doubling to 60 s.
struct StorageWait {
    private var next = Duration.seconds(1)

    mutating func fail() -> Duration {
        defer { next = min(next * 2, .seconds(60)) }
        return next
    }

    mutating func succeed() { next = .seconds(1) }
}
