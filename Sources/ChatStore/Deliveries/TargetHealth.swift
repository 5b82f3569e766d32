import ChatModel
import Formats

/// How a target does.
public struct TargetHealth: Sendable, Hashable {
    public var state: TargetState
    /// The reason for the state, as a code of one word.
    public var reason: String?
    /// Since when nothing was taken.
    public var failingSince: Timestamp?
    /// Attempts in a row that failed for the target's sake.
    public var failures: Int
    public var lastAttemptAt: Timestamp?
    /// When one delivery is tried next, while it fails.
    public var nextAt: Timestamp?

    public init(
        state: TargetState, reason: String? = nil, failingSince: Timestamp? = nil, failures: Int = 0,
        lastAttemptAt: Timestamp? = nil, nextAt: Timestamp? = nil
    ) {
        self.state = state
        self.reason = reason
        self.failingSince = failingSince
        self.failures = failures
        self.lastAttemptAt = lastAttemptAt
        self.nextAt = nextAt
    }
}
