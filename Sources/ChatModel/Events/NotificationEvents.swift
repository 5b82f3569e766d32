import Formats

/// What tells a customer of a message in a thread that is not on screen (the UI module's local notification).
public struct NotificationEvent: FeedEvent, Hashable {
    public static let type = EventType.notification

    /// Characters of ``text`` at most.
    static let maximumLength = 256

    public var channelID: String
    public var threadID: String
    public var threadName: String?
    public var messageID: String
    public var parentID: String?
    /// Who wrote it.
    public var title: String
    /// The beginning of what was written, or what stands for it.
    public var text: String
    public var createdAt: Timestamp
    /// What the account has not read in all.
    public var unreadCount: Int

    /// Where the gateway's page shows the message, relative to its address. Without `from=none` the page would open the
    /// replies to it.
    public var link: String {
        let (channel, thread) = (channelID.percentEncoded, threadID.percentEncoded)
        return "/?channel=\(channel)&thread=\(thread)&message=\(messageID.percentEncoded)&from=none"
    }

    public init(_ message: Message, threadName: String?, channel: String, unreadCount: Int) {
        channelID = channel
        self.unreadCount = unreadCount
        threadID = message.threadID
        self.threadName = threadName
        messageID = message.id
        parentID = message.parentID
        title = message.notificationTitle
        text = message.notificationText.cut(toScalars: Self.maximumLength).text
        createdAt = message.createdAt
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("channelId", channelID)
        json.member("threadId", threadID)
        json.member("threadName", threadName)
        json.member("messageId", messageID)
        json.member("parentId", parentID)
        json.member("title", title)
        json.member("text", text)
        json.member("createdAt", createdAt)
        json.member("link", link)
        // Those of one thread take each other's place, where a system shows one of each tag.
        json.member("tag", threadID)
        json.member("unreadCount", unreadCount)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        channelID = try json.requiredString("channelId")
        threadID = try json.requiredString("threadId")
        threadName = json["threadName"]?.string
        messageID = try json.requiredString("messageId")
        parentID = json["parentId"]?.string
        title = try json.requiredString("title")
        text = try json.requiredString("text")
        createdAt = try json.requiredTimestamp("createdAt")
        unreadCount = Int(clamping: try json.requiredInteger("unreadCount"))
    }
}

/// What an account has not read in all is another number than the session was told last. It is live only.
public struct UnreadUpdatedEvent: FeedEvent {
    public static let type = EventType.unreadUpdated

    public var total: UnreadTotal

    public init(_ total: UnreadTotal) { self.total = total }

    public func encode(to json: inout JSONWriter) { total.encode(to: &json) }

    public init(json: JSONValue) throws(ModelError) { total = try UnreadTotal(json: json) }
}

extension Message {
    /// Who has written it, for a notification.
    package var notificationTitle: String { author.name ?? "No name" }

    /// What was written, or what stands for it.
    package var notificationText: String {
        let count = attachments.count
        let files = count == 0 ? "Unknown message" : count == 1 ? "1 attachment" : "\(count) attachments"
        return [text, content?.fallbackText].compactMap { $0 }.first { !$0.isEmpty } ?? files
    }
}
