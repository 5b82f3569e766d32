import ChatModel
import Formats

/// What tells a customer of a message in a thread that is not on screen (the UI module's local notification).
struct Notification: CanonicalJSON, Hashable {
    static let maximumLength = 256

    var channelID: String
    var threadID: String
    var threadName: String?
    var messageID: String
    var parentID: String?
    /// Who wrote it.
    var title: String
    /// The beginning of what was written, or what stands for it.
    var text: String
    var createdAt: Timestamp
    /// What the account has not read in all.
    var unreadCount: Int

    /// Where the gateway's page shows the message, relative to its address. Without `from=none` the page would open the
    /// replies to it.
    var link: String {
        let (channel, thread) = (channelID.percentEncoded, threadID.percentEncoded)
        return "/?channel=\(channel)&thread=\(thread)&message=\(messageID.percentEncoded)&from=none"
    }

    init(_ message: Message, threadName: String?, channel: String, unreadCount: Int) {
        channelID = channel
        self.unreadCount = unreadCount
        threadID = message.threadID
        self.threadName = threadName
        messageID = message.id
        parentID = message.parentID
        title = message.notificationTitle
        text = String(message.notificationText.prefix(Self.maximumLength))
        createdAt = message.createdAt
    }

    func encode(to json: inout JSONWriter) {
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

    init(json: JSONValue) throws(ModelError) {
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
