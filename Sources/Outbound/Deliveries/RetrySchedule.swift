import ChatModel
import Formats
import ChatStore

/// How long to wait after each failure in a row.
///
/// Each delay is multiplied by a random 0.75 to 1.25, so that what failed together does not come back in one instant.
struct RetrySchedule: Sendable, Equatable {
    /// What is done when the steps are used up.
    private enum End: Equatable {
        case giveUp
        case goOn(every: Duration)
    }

    private let steps: [Duration]
    private let end: End

    /// After answers that speak of one event: its lane waits, then the delivery is dead.
    static let event = RetrySchedule(steps: [.seconds(5), .minutes(1), .minutes(5), .minutes(30)], end: .giveUp)

    /// After failures that speak of the whole target: one probe after each delay, without an end.
    static let target = RetrySchedule(
        steps: [.seconds(1), .seconds(5), .seconds(15), .minutes(1), .minutes(5), .minutes(15), .minutes(30)],
        end: .goOn(every: .minutes(60)))

    /// For devices. The end is ``timeToLive`` of the event.
    static let push = RetrySchedule(
        steps: [.seconds(5), .seconds(15), .minutes(1), .minutes(5)], end: .goOn(every: .minutes(15)))

    /// For devices that wait for what an operator has to mend, with their app or alone.
    static let held = RetrySchedule(steps: [], end: .goOn(every: AppHolds.pause))

    /// How long after its creation an event is worth a push.
    static let timeToLive = Duration.minutes(24 * 60)

    /// A target that takes nothing for so long is disabled.
    static let patience = Duration.minutes(72 * 60)

    /// The wait that begins now; nil when there is none, and the delivery is dead.
    ///
    /// - Parameters:
    ///   - failures: in a row, with the one that has just been; from 1.
    ///   - random: a number in 0..<1.
    ///   - retryAfter: what the answer asked for. It counts when it is longer; see ``RetryAfter``.
    ///   - deadline: nothing is tried at or after this time.
    func wait(
        afterFailures failures: Int, at now: Timestamp, random: Double, retryAfter: Duration? = nil,
        deadline: Timestamp? = nil
    ) -> RetryWait? {
        guard let step = step(afterFailures: failures) else { return nil }
        let factor = 0.75 + min(max(random, 0), 1) / 2
        let delay = max(Duration.milliseconds(Int64(Double(step.wholeMilliseconds) * factor)), retryAfter ?? .zero)
        let wait = RetryWait(startedAt: now, delay: delay)
        if let deadline, wait.nextAt >= deadline { return nil }
        return wait
    }

    /// Whether a target that has failed since then is to be disabled.
    static func isExhausted(failingSince: Timestamp, now: Timestamp) -> Bool {
        failingSince.advanced(by: patience) <= now
    }

    private func step(afterFailures failures: Int) -> Duration? {
        let index = max(failures, 1) - 1
        if index < steps.count { return steps[index] }
        switch end {
        case .giveUp: return nil
        case .goOn(let delay): return delay
        }
    }
}

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

extension Duration {
    static func minutes(_ minutes: Int64) -> Duration { .seconds(60 * minutes) }

    /// Rounded toward zero; durations beyond 64 bits give the largest number.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        let (sum, isBeyond) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isBeyond ? (seconds < 0 ? .min : .max) : sum
    }
}

extension Timestamp {
    func advanced(by duration: Duration) -> Timestamp { advanced(byMilliseconds: duration.wholeMilliseconds) }
}
