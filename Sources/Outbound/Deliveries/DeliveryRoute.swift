import ChatModel
import ChatStore

/// One target as attempts go to it: what its sender has read of it for many attempts, until its owner changes it.
package struct DeliveryRoute: Sendable {
    var kind: TargetKind
    /// What the log calls the target: its kind, its id and its host, and nothing that may be secret.
    var title: String
    /// How many lanes have an attempt in flight at once, from 1; with 1 all events go out in the order of the log.
    var concurrency: Int
    /// Whether the target wants an event of the log. It is asked on the store's writer, so it must be quick.
    var wants: @Sendable (LogEvent) -> Bool
    /// Makes one attempt. It ends within a time limit of its own, and soon after its task was cancelled.
    var attempt: @Sendable (DeliveryContent) async -> AttemptReport
}

/// What is sent to a target.
package enum DeliveryContent: Sendable {
    /// An event of the log.
    case event(DeliveryEvent)
    /// The log has lost events that were not delivered.
    case gap(LogGap)
    /// The owner wants to see something come, under this id.
    case test(id: String)
}

/// What came of one attempt.
package struct AttemptReport: Sendable {
    var outcome: AttemptOutcome
    /// Of the answer; nil where none came.
    var status: Int?
    /// Why no answer came, in one word.
    var error: String?
    /// The beginning of the answer's body.
    var head: [UInt8]?
    /// How long the answer asked to wait.
    var retryAfter: Duration?

    init(
        _ outcome: AttemptOutcome, status: Int? = nil, error: String? = nil, head: [UInt8]? = nil,
        retryAfter: Duration? = nil
    ) {
        self.outcome = outcome
        self.status = status
        self.error = error
        self.head = head
        self.retryAfter = retryAfter
    }
}
