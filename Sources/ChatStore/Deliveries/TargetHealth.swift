import ChatModel
import Formats

/// Whether events are sent to a target.
public enum TargetState: String, Sendable, CaseIterable {
    /// They are sent.
    case active
    /// It took nothing lately: one delivery is tried now and then, all others wait.
    case failing
    /// Its owner has stopped it.
    case paused
    /// It failed for too long, or wants nothing more. It goes on when its owner says so.
    case disabled

    /// Deliveries are tried.
    public var isSending: Bool { self == .active || self == .failing }
}

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
