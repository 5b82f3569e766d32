import ChatModel
import Formats

/// The body of a push by FCM.
///
/// A notification is shown by the system, without the app; beside it are the ids as data. An app that shows its
/// notifications itself gets data only, with the texts in it: also by the names that apps for NICE CXone read
/// (`pinpoint.notification.title` and so on). All values of data are strings, as FCM demands.
struct FCMPayload {
    /// Bytes that FCM takes, without the token.
    static let maximumLength = 4096
    /// Bytes of JSON of the event's cursor; a longer one is left out.
    private static let maximumEventLength = 64

    private let message: PushMessage
    private let alert: PushAlert
    private let badge: Int?
    private let token: DeviceToken
    private let isDataOnly: Bool

    /// - Parameter badge: how many messages are unread; nil: nobody has counted.
    init(_ message: PushMessage, alert: PushAlert, badge: Int?, to token: DeviceToken, isDataOnly: Bool) {
        self.message = message
        self.alert = alert
        self.badge = badge.map { max($0, 0) }
        self.token = token
        self.isDataOnly = isDataOnly
    }

    /// JSON of at most ``maximumLength`` bytes beside the token, whatever the message has.
    ///
    /// Ids and a link that no payload can hold are left out. They are bounded, so some of the body always has room; it
    /// is cut at a character's end.
    var bytes: [UInt8] {
        let room = Self.maximumLength - (encode(body: "").count - token.text.jsonLength)
        return encode(
            body: alert.body.cut(toBytes: PushAlert.maximumBodyLength, jsonBytes: isDataOnly ? room / 2 : room))
    }

    private func encode(body: String) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.name("message")
        json.beginObject()
        json.member("token", token.text)
        if !isDataOnly {
            json.name("notification")
            json.beginObject()
            json.member("title", alert.title)
            json.member("body", body)
            json.endObject()
        }
        encodeData(body, to: &json)
        encodeDelivery(to: &json)
        json.endObject()
        json.endObject()
        return json.bytes
    }

    private func encodeData(_ body: String, to json: inout JSONWriter) {
        let threadID = PushMessage.bounded(message.threadID)
        let channelID = PushMessage.bounded(message.channelID)
        json.name("data")
        json.beginObject()
        json.member("threadId", threadID)
        json.member("messageId", PushMessage.bounded(message.messageID))
        json.member("channelId", channelID)
        json.member("event", message.event.jsonLength <= Self.maximumEventLength ? message.event : nil)
        if isDataOnly {
            json.member("title", alert.title)
            json.member("body", body)
            json.member("badge", badge.map(String.init))
            json.member("pinpoint.notification.title", alert.title)
            json.member("pinpoint.notification.body", body)
        }
        if let threadID, let channelID, let link = message.deepLink?.link(channel: channelID, thread: threadID) {
            json.member("pinpoint.deeplink", link)
        }
        json.endObject()
    }

    /// How it is delivered. The next push of a thread takes the place of the one before, at FCM while the device is
    /// away and then on the device: FCM keeps pushes of four names for a device.
    private func encodeDelivery(to json: inout JSONWriter) {
        let topic = PushTopic.of(message)
        json.name("android")
        json.beginObject()
        json.member("priority", "HIGH")
        json.member("ttl", "\(RetrySchedule.timeToLive.wholeMilliseconds / 1000)s")
        json.member("collapse_key", topic)
        if !isDataOnly {
            json.name("notification")
            json.beginObject()
            json.member("tag", topic)
            if let badge { json.member("notification_count", badge) }
            json.endObject()
        }
        json.endObject()
    }
}
