import ChatModel
import ChatStore
import Formats

/// One event that is to be sent to one webhook, or one push to one device, with its attempts, as the target's owner sees
/// it. A snapshot: it does not change while attempts go on.
public struct Delivery: Sendable {
    public var id: String
    /// The value of the header `webhook-id` (Standard Webhooks 1.0.0): the event's cursor, or the name of a test
    /// message. It stays the same when the event is sent again, so a receiver can recognise a repetition. For a push: the
    /// cursor of the message's event, or the name of a test push.
    public var event: String
    public var type: String
    public var threadID: String?
    public var state: DeliveryState
    /// Why the delivery is in this state, as a code of one word; nil where the state needs no reason.
    public var reason: String?
    /// Oldest first, the newest ``ChatStore/AttemptRecord/maximumCount`` of them.
    public var attempts: [AttemptRecord]
    public var createdAt: Timestamp
    /// When the next attempt is due; nil where none is planned.
    public var nextAttemptAt: Timestamp?
    /// When the delivery reached its last state; nil while it is pending.
    public var doneAt: Timestamp?

    public init(
        id: String, event: String, type: String, threadID: String? = nil, state: DeliveryState, reason: String? = nil,
        attempts: [AttemptRecord], createdAt: Timestamp, nextAttemptAt: Timestamp? = nil, doneAt: Timestamp? = nil
    ) {
        self.id = id
        self.event = event
        self.type = type
        self.threadID = threadID
        self.state = state
        self.reason = reason
        self.attempts = attempts
        self.createdAt = createdAt
        self.nextAttemptAt = nextAttemptAt
        self.doneAt = doneAt
    }

    /// The delivery as the API shows it. Members without a value are left out.
    public var json: [UInt8] {
        var json = JSONWriter(reservingCapacity: 512)
        json.beginObject()
        json.member("id", id)
        json.member("event", event)
        json.member("type", type)
        json.member("threadId", threadID)
        json.member("state", state.rawValue)
        json.member("reason", reason)
        json.name("attempts")
        json.beginArray()
        for attempt in attempts { attempt.encode(to: &json) }
        json.endArray()
        json.member("createdAt", createdAt)
        if let nextAttemptAt { json.member("nextAttemptAt", nextAttemptAt) }
        if let doneAt { json.member("doneAt", doneAt) }
        json.endObject()
        return json.bytes
    }
}

extension AttemptRecord {
    fileprivate func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("at", at)
        if let status { json.member("status", status) }
        json.member("error", error)
        json.member("milliseconds", milliseconds)
        // Bytes that are no UTF-8 are shown as U+FFFD: the receiver may answer anything.
        if let head, !head.isEmpty { json.member("head", String(decoding: head, as: UTF8.self)) }
        json.endObject()
    }
}

/// A page of the deliveries to a webhook or a device, the newest event first.
public struct ShownDeliveryPage: Sendable {
    public var items: [Delivery]
    /// Where the list goes on; nil at its end.
    public var next: String?

    public init(items: [Delivery], next: String?) {
        self.items = items
        self.next = next
    }
}

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
