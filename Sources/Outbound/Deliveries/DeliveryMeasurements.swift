import Chat
import ChatModel
import ChatStore
import Synchronization

/// Counts attempts and their durations since the process started, by kind of target. Any thread may call it.
package final class DeliveryMeasurements: Sendable {
    private let counts = Mutex<[TargetKind: DeliveryStatistics.Kind]>([:])

    /// - Parameter kinds: the kinds that metrics show from the start, with zeros.
    package init(_ kinds: [TargetKind] = [.webhook]) {
        counts.withLock { counts in
            for kind in kinds { counts[kind] = DeliveryStatistics.Kind() }
        }
    }

    /// The counts of this moment.
    package var kinds: [TargetKind: DeliveryStatistics.Kind] { counts.withLock { $0 } }

    /// Counts one attempt. Durations are observed in seconds.
    func note(_ outcome: DeliveryOutcome, of kind: TargetKind, after duration: Duration) {
        counts.withLock { counts in
            counts[kind, default: DeliveryStatistics.Kind()].outcomes[outcome, default: 0] += 1
            counts[kind, default: DeliveryStatistics.Kind()].durations.observe(duration / .seconds(1))
        }
    }
}

/// A sender that counts the attempts of another one, and reports each failed attempt in a line of the log.
package struct MeasuredSender<Base: DeliverySender>: DeliverySender {
    private let base: Base
    private let measurements: DeliveryMeasurements
    private let clock: any Clock<Duration>
    private let notice: @Sendable (String) -> Void

    /// - Parameter notice: gets a line for each failed attempt: the target's id and host, and one word or a status.
    package init(
        _ base: Base, measurements: DeliveryMeasurements, clock: any Clock<Duration>,
        notice: @escaping @Sendable (String) -> Void
    ) {
        self.base = base
        self.measurements = measurements
        self.clock = clock
        self.notice = notice
    }

    package func route(to target: TargetRecord) -> any DeliveryRoute {
        MeasuredRoute(
            base: base.route(to: target), target: target, measurements: measurements, clock: clock, notice: notice)
    }
}

private struct MeasuredRoute: DeliveryRoute {
    let base: any DeliveryRoute
    let target: TargetRecord
    let measurements: DeliveryMeasurements
    let clock: any Clock<Duration>
    let notice: @Sendable (String) -> Void

    var concurrency: Int { base.concurrency }

    func wants(_ event: LogEvent) -> Bool { base.wants(event) }

    /// Makes the other route's attempt, and measures it. An attempt that the gateway's stop has cancelled is not
    /// counted.
    func attempt(_ content: DeliveryContent) async -> AttemptReport {
        var report: AttemptReport?
        let duration = await clock.measure { report = await base.attempt(content) }
        let result = report ?? AttemptReport(.targetFailed, error: "noAnswer")
        // The gateway's stop has cancelled the attempt, which says nothing about the target.
        if Task.isCancelled, result.status == nil { return result }
        let outcome = DeliveryOutcome(result.outcome)
        measurements.note(outcome, of: target.kind, after: duration)
        if outcome != .delivered {
            let answer = result.status.map { "answered \($0)" } ?? result.error ?? "gave no answer"
            notice("\(target.kind.rawValue) \(target.id) at \(target.host ?? "an unknown host"): \(answer)")
        }
        return result
    }
}

extension DeliveryOutcome {
    init(_ outcome: AttemptOutcome) {
        self =
            switch outcome {
            case .delivered, .targetGone(delivered: true): .delivered
            case .eventFailed, .eventRefused: .refused
            case .targetFailed, .targetGone(delivered: false): .failed
            }
    }
}
