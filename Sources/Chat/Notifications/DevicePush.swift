import ChatModel
import ChatStore
import Formats

/// One message on its way to a device.
public struct DevicePush: Sendable {
    public var id: String
    /// The cursor of the message's event, or what else names the push.
    public var event: String
    public var type: String
    public var threadID: String?
    public var state: DeliveryState
    /// The reason for the state, as a code of one word.
    public var reason: String?
    /// Oldest first, the newest ``ChatStore/AttemptRecord/maximumCount`` of them.
    public var attempts: [AttemptRecord]
    public var createdAt: Timestamp
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
