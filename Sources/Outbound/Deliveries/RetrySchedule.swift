import ChatModel
import Formats

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
