import ChatModel
import Formats

/// The body of a push to an app.
///
/// Apps for NICE CXone read the thread's link in one of three shapes; all three are in it: `data.pinpoint.deeplink`,
/// `cxone_data`, and the plain members `threadId` and `channelId`.
struct APNsPayload {
    /// Bytes that APNs takes.
    static let maximumLength = 4096
    /// Bytes of JSON of the event's cursor; a longer one is left out.
    private static let maximumEventLength = 64

    private let message: PushMessage
    private let alert: PushAlert
    private let badge: Int?
    private let deepLink: DeepLinkTemplate?

    /// - Parameters:
    ///   - badge: the number on the app's icon; 0 removes it, nil leaves it.
    ///   - deepLink: nil: without the shape that names a link.
    init(_ message: PushMessage, alert: PushAlert, badge: Int?, deepLink: DeepLinkTemplate?) {
        self.message = message
        self.alert = alert
        self.badge = badge
        self.deepLink = deepLink
    }

    /// JSON of at most ``maximumLength`` bytes, whatever the message has.
    ///
    /// Ids and a link that no payload can hold are left out. They are bounded, so some of the body always has room; it
    /// is cut at a character's end.
    var bytes: [UInt8] {
        let room = Self.maximumLength - encode(body: "").count
        return encode(body: alert.body.cut(toBytes: PushAlert.maximumBodyLength, jsonBytes: room))
    }

    private func encode(body: String) -> [UInt8] {
        let threadID = PushMessage.bounded(message.threadID)
        let channelID = PushMessage.bounded(message.channelID)
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        encodeAPS(body, threadID, to: &json)
        if let threadID, let channelID, let link = deepLink?.link(channel: channelID, thread: threadID) {
            json.name("data")
            json.beginObject()
            json.name("pinpoint")
            json.beginObject()
            json.member("deeplink", link)
            json.endObject()
            json.endObject()
        }
        if let threadID {
            json.name("cxone_data")
            json.beginObject()
            json.member("thread_id", threadID)
            json.member("type", "thread_message")
            json.endObject()
        }
        json.member("threadId", threadID)
        json.member("messageId", PushMessage.bounded(message.messageID))
        json.member("channelId", channelID)
        if message.event.jsonLength <= Self.maximumEventLength {
            json.name("parley")
            json.beginObject()
            json.member("event", message.event)
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    private func encodeAPS(_ body: String, _ threadID: String?, to json: inout JSONWriter) {
        json.name("aps")
        json.beginObject()
        json.name("alert")
        json.beginObject()
        json.member("title", alert.title)
        json.member("body", body)
        json.endObject()
        if let badge { json.member("badge", max(badge, 0)) }
        json.member("sound", "default")
        json.member("thread-id", threadID)
        json.member("content-available", 1)
        json.member("mutable-content", 1)
        json.endObject()
    }
}
