import Chat
import ChatModel
import ChatStore
import Synchronization

/// Counts attempts and their durations since the process started, by kind of target. Any thread may call it.
package final class DeliveryMeasurements: Sendable {
    private let counts = Mutex<[TargetKind: DeliveryStatistics.Kind]>([:])

    /// - Parameter kinds: the kinds that metrics show from the start, with zeros.
    package init(_ kinds: [TargetKind] = TargetKind.allCases) {
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

extension DeliveryOutcome {
    init(_ outcome: AttemptOutcome) {
        self =
            switch outcome {
            case .delivered, .targetGone(delivered: true): .delivered
            case .eventFailed, .eventRefused, .gone, .refused, .deadAuthorization: .refused
            case .targetFailed, .targetGone(delivered: false), .held, .deviceHeld: .failed
            }
    }
}
