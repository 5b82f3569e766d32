import ChatModel
import ChatStore
import Formats

/// One push to one device, with its attempts: what ``Delivery`` is for a webhook.
public struct DevicePush: Sendable {
    public var id: String
    /// The cursor of the message's event, or the name of a test push.
    public var event: String
    public var type: String
    public var threadID: String?
    public var state: DeliveryState
    /// Why the push is in this state, as a code of one word; nil where the state needs no reason.
    public var reason: String?
    /// Oldest first, the newest ``ChatStore/AttemptRecord/maximumCount`` of them.
    public var attempts: [AttemptRecord]
    public var createdAt: Timestamp
    /// When the next attempt is due; nil where none is planned.
    public var nextAttemptAt: Timestamp?
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

    /// The push as the API shows it. Members without a value are left out.
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
        for attempt in attempts { Self.write(attempt, to: &json) }
        json.endArray()
        json.member("createdAt", createdAt)
        if let nextAttemptAt { json.member("nextAttemptAt", nextAttemptAt) }
        if let doneAt { json.member("doneAt", doneAt) }
        json.endObject()
        return json.bytes
    }

    private static func write(_ attempt: AttemptRecord, to json: inout JSONWriter) {
        json.beginObject()
        json.member("at", attempt.at)
        if let status = attempt.status { json.member("status", status) }
        json.member("error", attempt.error)
        json.member("milliseconds", attempt.milliseconds)
        // A service may answer any bytes; those that are no text are shown as U+FFFD.
        if let head = attempt.head, !head.isEmpty { json.member("head", String(decoding: head, as: UTF8.self)) }
        json.endObject()
    }
}
