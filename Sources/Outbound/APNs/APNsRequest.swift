import ChatModel
import Crypto
import Formats

/// One push as it goes to APNs: a POST over HTTP/2.
package struct APNsRequest: Sendable {
    /// Bytes of `apns-collapse-id`.
    static let maximumCollapseIDLength = 64

    /// It holds the device's token: a secret.
    package let url: String
    /// `authorization` is among them: a secret. Names in small letters, as HTTP/2 has them.
    package let headers: [(name: String, value: String)]
    /// At most ``APNsPayload/maximumLength`` bytes.
    package let body: [UInt8]

    /// - Parameters:
    ///   - providerToken: see ``APNsProviderTokens``.
    ///   - expiration: until when APNs keeps the push for a device that is away.
    ///   - id: see ``id(target:push:)``.
    package init(
        _ message: PushMessage, alert: PushAlert, badge: Int?, deepLink: DeepLinkTemplate?, to token: DeviceToken,
        of app: APNsApp, providerToken: String, expiration: Timestamp, id: String
    ) {
        url = "\(app.url)/3/device/\(token.text)"
        body = APNsPayload(message, alert: alert, badge: badge, deepLink: deepLink).bytes
        headers =
            [
                ("authorization", "bearer \(providerToken)"), ("content-type", "application/json"),
                ("apns-topic", app.topic),
            ] + Self.headers(message.messageID, expiration: expiration, id: id)
    }

    /// The headers that say how a push is delivered, whatever app it is for.
    static func headers(_ message: String, expiration: Timestamp, id: String) -> [(name: String, value: String)] {
        [
            ("apns-push-type", "alert"), ("apns-priority", "10"),
            ("apns-expiration", String(max(expiration.milliseconds / 1000, 0))),
            ("apns-collapse-id", collapseID(message: message)), ("apns-id", id),
        ]
    }

    /// A repetition of a push replaces what the device shows of it: the message's id, or 32 hexadecimal digits of its
    /// SHA-256 where it is too long for the header, or has a character that no header keeps.
    static func collapseID(message id: String) -> String {
        let isShort = (1...maximumCollapseIDLength).contains(id.utf8.count)
        let isPrintable = id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isShort && isPrintable ? id : Hexadecimal.digest(id)
    }

    /// The push's `apns-id`: a UUID of version 8 (RFC 9562), the same in each attempt.
    ///
    /// - Parameters:
    ///   - target: the target's id.
    ///   - push: names the push among those of the target.
    package static func id(target: String, push: String) -> String {
        var bytes = Array(SHA256.hash(data: Array("\(target)\u{0}\(push)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let parts = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
        return parts.map(Hexadecimal.encode).joined(separator: "-")
    }
}

/// An answer of APNs: its status, and what its body says (`{"reason":"...","timestamp":...}`).
package struct APNsAnswer: Sendable, Hashable {
    package let status: Int
    /// Apple's word for what went wrong; nil when the body names none, or something that is no such word.
    package let reason: String?
    /// Since when the device's token is no longer valid; with 410 alone.
    package let timestamp: Timestamp?

    /// - Parameter body: as much of it as was read. A body that is no JSON has no reason.
    package init(status: Int, body: [UInt8]) {
        self.status = status
        let json = try? JSONParser.parse(body)
        reason = json?["reason"]?.string.flatMap { reason in
            (1...64).contains(reason.utf8.count) && reason.utf8.allSatisfy(\.isAlphanumeric) ? reason : nil
        }
        timestamp = json?["timestamp"]?.integer.map(Timestamp.init(milliseconds:))
    }
}

extension APNsAnswer {
    /// What it means for a delivery, its device and its app; nil: the provider token is too old, and another one is to be
    /// tried (``APNsProviderTokens/renewed(afterExpiryOf:now:)``).
    ///
    /// - Parameter registeredAt: when the device gave its token the last time.
    func outcome(registeredAt: Timestamp) -> AttemptOutcome? {
        switch (status, reason) {
        case (200..<300, _): .delivered
        case (410, "Unregistered"), (410, "ExpiredToken"):
            // A token that was registered again since then is valid again.
            timestamp.map { $0 > registeredAt } == true ? .gone : .targetFailed
        case (_, "ExpiredProviderToken"): nil
        case (_, let reason?): Self.outcomes[reason] ?? usualOutcome
        // A relay may limit without Apple's words.
        case (429, nil): .targetFailed
        // And may refuse who sends without them.
        case (403, nil): .held
        case (_, nil): usualOutcome
        }
    }

    /// For a reason that Apple's table does not have, and for none.
    private var usualOutcome: AttemptOutcome { status >= 500 ? .targetFailed : .eventRefused }

    /// Apple's table, without the reasons above. The status adds nothing to a reason. A device whose token and app do
    /// not belong together is kept: a wrong topic must not erase all devices.
    private static let outcomes: [String: AttemptOutcome] = [
        "BadDeviceToken": .refused, "DeviceTokenNotForTopic": .refused,

        "BadCollapseId": .eventRefused, "BadExpirationDate": .eventRefused, "BadMessageId": .eventRefused,
        "BadPriority": .eventRefused, "BadTopic": .eventRefused, "DuplicateHeaders": .eventRefused,
        "InvalidPushType": .eventRefused, "MissingDeviceToken": .eventRefused, "MissingTopic": .eventRefused,
        "PayloadEmpty": .eventRefused, "BadPath": .eventRefused, "MethodNotAllowed": .eventRefused,
        "PayloadTooLarge": .eventRefused,

        "TopicDisallowed": .held, "InvalidProviderToken": .held, "MissingProviderToken": .held,
        "UnrelatedKeyIdInToken": .held, "BadEnvironmentKeyIdInToken": .held, "BadEnvironmentKeyInToken": .held,
        "BadCertificate": .held, "BadCertificateEnvironment": .held, "Forbidden": .held,

        "TooManyRequests": .targetFailed, "TooManyProviderTokenUpdates": .targetFailed, "IdleTimeout": .targetFailed,
        "InternalServerError": .targetFailed, "ServiceUnavailable": .targetFailed, "Shutdown": .targetFailed,
    ]
}

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
