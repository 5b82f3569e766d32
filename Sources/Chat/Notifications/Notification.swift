import ChatModel

/// What tells a customer of a message in a thread that is not on screen (the UI module's local notification).
struct Notification: CanonicalJSON, Hashable {
    static let maximumLength = 256

    var threadID: String
    var threadName: String?
    var messageID: String
    var parentID: String?
    /// Who wrote it.
    var title: String
    /// The beginning of what was written, or what stands for it.
    var text: String
    var createdAt: Timestamp

    init(_ message: Message, threadName: String?) {
        threadID = message.threadID
        self.threadName = threadName
        messageID = message.id
        parentID = message.parentID
        title = message.author.name ?? "No name"
        let count = message.attachments.count
        let files = count == 0 ? "Unknown message" : count == 1 ? "1 attachment" : "\(count) attachments"
        let words = [message.text, message.content?.fallbackText].compactMap { $0 }.first { !$0.isEmpty }
        text = String((words ?? files).prefix(Self.maximumLength))
        createdAt = message.createdAt
    }

    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        json.member("threadName", threadName)
        json.member("messageId", messageID)
        json.member("parentId", parentID)
        json.member("title", title)
        json.member("text", text)
        json.member("createdAt", createdAt)
        json.endObject()
    }

    init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        threadName = json["threadName"]?.string
        messageID = try json.requiredString("messageId")
        parentID = json["parentId"]?.string
        title = try json.requiredString("title")
        text = try json.requiredString("text")
        createdAt = try json.requiredTimestamp("createdAt")
    }
}
