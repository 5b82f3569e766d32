import ChatModel
import ChatStore

/// What is measured of deliveries. It names kinds and states, never a target or its host.
public struct DeliveryStatistics: Sendable {
    /// What one kind of targets has had since the start of the process.
    public struct Kind: Sendable {
        /// Attempts, by what came of them.
        public var outcomes: [DeliveryOutcome: Int]
        /// From the beginning of an attempt to the end of its answer.
        public var durations: Histogram

        public init(outcomes: [DeliveryOutcome: Int] = [:], durations: Histogram = Histogram()) {
            self.outcomes = outcomes
            self.durations = durations
        }
    }

    public var kinds: [TargetKind: Kind]
    /// By the states of webhooks and of devices.
    public var targets: [TargetKind: [String: Int]]
    /// Deliveries that wait.
    public var pending: [TargetKind: Int64]
    /// How far the slowest webhook is behind the log's end, in offsets. Those that are paused or disabled do not count.
    public var greatestLag: Int64

    public init(
        kinds: [TargetKind: Kind], targets: [TargetKind: [String: Int]], pending: [TargetKind: Int64], greatestLag: Int64
    ) {
        self.kinds = kinds
        self.targets = targets
        self.pending = pending
        self.greatestLag = greatestLag
    }
}

/// What came of an attempt.
public enum DeliveryOutcome: String, Sendable, CaseIterable {
    /// The target took the event.
    case delivered
    /// The receiver refused this event.
    case refused
    /// It took nothing, or gave no answer.
    case failed
}
