import ChatModel
import Formats

/// What is sent to a webhook: `{"type","timestamp","data"}` in canonical JSON.
package enum WebhookBody {
    /// The body of an event of the log.
    ///
    /// - Parameters:
    ///   - time: of the event in the log.
    ///   - data: one JSON object, as streams of the same audience carry it. It is copied byte for byte.
    package static func event(_ type: EventType, at time: Timestamp, data: some Collection<UInt8>) -> [UInt8] {
        body(type.rawValue, at: time, capacity: data.count) { $0.raw(data) }
    }

    /// The body of `webhook.test`, which the owner of a webhook asks for.
    package static func test(webhook id: String, at time: Timestamp) -> [UInt8] {
        body("webhook.test", at: time) { json in
            json.beginObject()
            json.member("webhookId", id)
            json.endObject()
        }
    }

    /// The body of `reset`: events were deleted from the log before they could be sent, or a database has lost events
    /// that may have been sent.
    ///
    /// - Parameters:
    ///   - from: the last event before the gap.
    ///   - to: the end of the gap. No event between the two exists any more.
    ///   - snapshot: the path at which the state can be read anew.
    package static func reset(from: Cursor, to: Cursor, snapshot: String, at time: Timestamp) -> [UInt8] {
        body("reset", at: time) { json in
            json.beginObject()
            json.member("reason", "expired")
            json.member("from", from.description)
            json.member("to", to.description)
            json.member("snapshot", snapshot)
            json.endObject()
        }
    }

    private static func body(
        _ type: String, at time: Timestamp, capacity: Int = 256, data: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: capacity + 96)
        json.beginObject()
        json.member("type", type)
        json.member("timestamp", time)
        json.name("data")
        data(&json)
        json.endObject()
        return json.bytes
    }
}
