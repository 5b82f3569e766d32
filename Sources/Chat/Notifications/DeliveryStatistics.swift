import ChatModel
import ChatStore

/// Counts and durations of deliveries, for the gateway's metrics. They name kinds and states only, never a target or
/// its host: metrics are often readable by more people than the chats are.
public struct DeliveryStatistics: Sendable {
    /// What one kind of targets has had since the process started.
    public struct Kind: Sendable {
        /// How many attempts ended in each way.
        public var outcomes: [DeliveryOutcome: Int]
        /// From the beginning of an attempt to the end of its answer.
        public var durations: Histogram

        public init(outcomes: [DeliveryOutcome: Int] = [:], durations: Histogram = Histogram()) {
            self.outcomes = outcomes
            self.durations = durations
        }
    }

    public var kinds: [TargetKind: Kind]
    /// How many webhooks and devices are in each of their states; the inner key is the state's name in the API.
    public var targets: [TargetKind: [String: Int]]
    /// How many deliveries wait to be sent, now or later.
    public var pending: [TargetKind: Int64]
    /// How far the slowest webhook is behind the log's end, in offsets of the log. Webhooks that are paused or disabled
    /// do not count: nobody expects them to move.
    public var greatestLag: Int64

    public init(
        kinds: [TargetKind: Kind], targets: [TargetKind: [String: Int]], pending: [TargetKind: Int64],
        greatestLag: Int64
    ) {
        self.kinds = kinds
        self.targets = targets
        self.pending = pending
        self.greatestLag = greatestLag
    }
}

/// How one attempt to deliver ended.
public enum DeliveryOutcome: String, Sendable, CaseIterable {
    /// The target took the event.
    case delivered
    /// The receiver answered that it does not take this event.
    case refused
    /// No answer came, or the answer says that another attempt may succeed.
    case failed
}
