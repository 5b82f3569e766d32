import ChatModel
import ChatStore

/// Brings deliveries to targets of one kind.
package protocol DeliverySender: Sendable {
    /// Reads a target once for many attempts: until its owner changes it.
    func route(to target: TargetRecord) -> any DeliveryRoute
}

/// One target as attempts go to it.
package protocol DeliveryRoute: Sendable {
    /// How many lanes have an attempt in flight at once; with 1 all events go out in the order of the log.
    var concurrency: Int { get }

    /// Whether the target wants an event of the log. It is asked on the store's writer, so it must be quick.
    func wants(_ event: LogEvent) -> Bool

    /// Makes one attempt. It ends within a time limit of its own, and soon after its task was cancelled.
    func attempt(_ content: DeliveryContent) async -> AttemptReport
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
