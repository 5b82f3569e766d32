import ChatModel
import Formats
import HTTPClientPort

/// The plaintext of a push: a declarative push message (W3C Push API, `"web_push": 8030`).
///
/// A browser that knows the format shows it without a service worker; in others the worker reads the same members.
struct DeclarativePush {
    /// Bytes. Mobile bridges of some push services take less than RFC 8030's 4096 bytes.
    static let maximumLength = 2999
    /// Bytes of JSON that the body keeps while the link is shortened for it.
    private static let reservedBodyLength = 300
    /// Bytes of JSON of the event's cursor; a longer one is left out.
    private static let maximumEventLength = 64

    private let message: PushMessage
    private let alert: PushAlert
    private let page: PushPage?

    /// - Parameter page: where the chat page is; nil: the notification has no link.
    init(_ message: PushMessage, alert: PushAlert, page: PushPage?) {
        self.message = message
        self.alert = alert
        self.page = page
    }

    /// JSON of at most ``maximumLength`` bytes, whatever the message has.
    ///
    /// What is too long loses in this order: ids of the link (the message first), the body's end. Ids that no payload
    /// can hold are left out.
    var bytes: [UInt8] {
        for link in links {
            let room = Self.maximumLength - encode(body: "", link: link).count
            guard room >= min(alert.body.jsonLength, Self.reservedBodyLength) else { continue }
            return encode(body: alert.body.cut(toBytes: PushAlert.maximumBodyLength, jsonBytes: room), link: link)
        }
        // Bounded ids, title and keys leave more than the reserved bytes, so a body without a link has room.
        return encode(body: "", link: nil)
    }

    /// The tag of the notification: one notification for each thread. At the desk, several customers may use one
    /// thread id.
    private var tag: String {
        let id = [message.threadID, message.customerID].compactMap(\.self).joined(separator: " ")
        return PushMessage.bounded(id) ?? PushTopic.of(message)
    }

    /// The best first.
    private var links: [String?] {
        guard let page else { return [nil] }
        let channel = PushMessage.bounded(message.channelID).map { ("channel", $0) }
        let thread = PushMessage.bounded(message.threadID).map { ("thread", $0) }
        let customer = message.customerID.flatMap(PushMessage.bounded).map { ("customer", $0) }
        let message = PushMessage.bounded(message.messageID).map { ("message", $0) }
        // Without it the page would open the replies to the message.
        let place = message == nil ? nil : ("from", "none")
        return [
            page.link([channel, thread, customer, message, place].compactMap(\.self)),
            page.link([channel, thread, customer].compactMap(\.self)), page.link([]), nil,
        ]
    }

    private func encode(body: String, link: String?) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: Self.maximumLength)
        json.beginObject()
        json.member("web_push", 8030)
        json.name("notification")
        json.beginObject()
        json.member("title", alert.title)
        json.member("body", body)
        json.member("navigate", link)
        json.member("tag", tag)
        json.name("data")
        json.beginObject()
        json.member("threadId", PushMessage.bounded(message.threadID))
        json.member("messageId", PushMessage.bounded(message.messageID))
        json.member("channelId", PushMessage.bounded(message.channelID))
        json.member("cursor", message.event.jsonLength <= Self.maximumEventLength ? message.event : nil)
        json.endObject()
        json.endObject()
        json.endObject()
        return json.bytes
    }
}

/// Where the chat page of a registration is, as its browser sees it; a tap on a notification leads there.
package struct PushPage: Sendable, Hashable {
    /// Bytes.
    package static let maximumLength = 256

    /// An `http` or `https` URL without a query. Several slashes at its end become one; without a path it ends with
    /// one.
    package let url: String

    package init(_ text: String) throws(AddressRefusal) {
        let url = try TargetAddress(text, maximumLength: Self.maximumLength)
        guard !url.pathAndQuery.contains("?") else { throw AddressRefusal("The page's URL must not have a query.") }
        let end = url.url.lastIndex { $0 != "/" } ?? url.url.startIndex
        let trimmed = String(url.url[...end])
        let hasPath = trimmed.split(separator: "/", maxSplits: 3).count > 2
        self.url = trimmed == url.url && hasPath ? trimmed : trimmed + "/"
    }

    /// `<page>?name=value&...`
    func link(_ parameters: [(name: String, value: String)]) -> String {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? url : "\(url)?\(query)"
    }
}
