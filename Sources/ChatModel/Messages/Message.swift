import Formats

/// An entry of a thread (the SDK's `Message`).
public struct Message: CanonicalJSON, Hashable {
    public var id: String
    public var threadID: String
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// When its author last changed the text; nil if never.
    public var editedAt: Timestamp?
    public var direction: MessageDirection
    public var author: Author
    public var type: MessageType
    public var customType: String?
    public var text: String?
    /// What a rich message shows; its text is what stands for it elsewhere.
    public var content: RichContent?
    /// What belongs to the answer that was chosen in a rich message.
    public var postback: String?
    public var attachments: [Attachment]
    public var status: MessageStatus
    /// Why the last attempt to send it failed; nil unless its status is `failed`.
    public var failure: Failure?
    /// When the other side read it.
    public var seenAt: Timestamp?
    /// The message that this one replies to.
    public var parentID: String?
    /// Of a reply: whether the conversation's own list shows it (Sendbird: reply to channel); nil for other messages.
    public var alsoInThread: Bool?
    /// Of a message that has replies.
    public var replyInfo: ReplyInfo?

    public init(
        id: String, threadID: String, createdAt: Timestamp, direction: MessageDirection, author: Author,
        type: MessageType = .text, text: String?, status: MessageStatus
    ) {
        self.id = id
        self.threadID = threadID
        self.createdAt = createdAt
        self.updatedAt = createdAt
        self.direction = direction
        self.author = author
        self.type = type
        self.text = text
        self.attachments = []
        self.status = status
    }

    /// Whether the conversation's own list shows it.
    public var isInConversation: Bool { parentID == nil || alsoInThread != false }

    /// How many replies it has, as its service says.
    public var replyCount: Int { replyInfo?.count ?? 0 }

    /// What is left of it when its author is erased: its place among the others.
    public func redacted(at time: Timestamp) -> Message {
        var rest = Message(
            id: id, threadID: threadID, createdAt: createdAt, direction: direction,
            author: Author(id: Self.removedAuthor, kind: author.kind), text: "", status: status)
        (rest.seenAt, rest.parentID, rest.alsoInThread, rest.replyInfo) = (seenAt, parentID, alsoInThread, replyInfo)
        rest.updatedAt = max(time, updatedAt.advanced(byMilliseconds: 1))
        return rest
    }

    /// Whether it was removed, and stands there for its replies alone. No message of a person is empty.
    public var isRemoved: Bool {
        author.id == Self.removedAuthor && text == "" && attachments.isEmpty && content == nil
    }

    private static let removedAuthor = "removed"

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("threadId", threadID)
        json.member("createdAt", createdAt)
        json.member("updatedAt", updatedAt)
        if let editedAt { json.member("editedAt", editedAt) }
        json.member("direction", direction.rawValue)
        json.member("author", author)
        json.member("type", type.rawValue)
        json.member("customType", customType)
        json.member("text", text)
        if let content {
            json.name("content")
            content.encode(to: &json)
        }
        json.member("postback", postback)
        json.member("attachments", attachments)
        json.member("status", status.rawValue)
        if let failure { json.member("failure", failure) }
        if let seenAt { json.member("seenAt", seenAt) }
        json.member("parentId", parentID)
        if let alsoInThread { json.member("alsoInThread", alsoInThread) }
        if let replyInfo { json.member("replyInfo", replyInfo) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        threadID = try json.requiredString("threadId")
        createdAt = try json.requiredTimestamp("createdAt")
        updatedAt = try json.requiredTimestamp("updatedAt")
        editedAt = json["editedAt"] == nil ? nil : try json.requiredTimestamp("editedAt")
        direction = try json.requiredCase("direction")
        author = try Author(json: json["author"] ?? .null)
        type = try json.requiredCase("type")
        customType = json["customType"]?.string
        text = json["text"]?.string
        if let value = json["content"] { content = try RichContent(json: value, of: type) }
        postback = json["postback"]?.string
        attachments = try json.requiredArray("attachments")
        status = try json.requiredCase("status")
        failure = try json.optional("failure")
        seenAt = json["seenAt"] == nil ? nil : try json.requiredTimestamp("seenAt")
        parentID = json["parentId"]?.string
        alsoInThread = json["alsoInThread"]?.bool
        replyInfo = try json.optional("replyInfo")
    }
}

/// Which way a message goes (the SDK's `MessageDirection`; on CXone's wire `inbound`, `outbound`).
public enum MessageDirection: String, Sendable, CaseIterable {
    case toAgent, toClient
}

/// How far a message has come (the SDK's `MessageStatus`, and `pending` for services that are remote).
public enum MessageStatus: String, Sendable, CaseIterable {
    case pending, sent, delivered, seen, failed
}

/// What a message holds.
public enum MessageType: String, Sendable, CaseIterable {
    case text, file, quickReplies, listPicker, richLink, timePicker, admin, unknown
}

extension Message {
    /// The names of the members of the JSON that differ from an earlier copy of the message, in the order of the JSON;
    /// `updatedAt` is left out, because it changes with everything.
    public func changes(since before: Message) -> [String] {
        var names: [String] = []
        func add(_ name: String, if differs: Bool) { if differs { names.append(name) } }
        add("createdAt", if: createdAt != before.createdAt)
        add("editedAt", if: editedAt != before.editedAt)
        add("direction", if: direction != before.direction)
        add("author", if: author != before.author)
        add("type", if: type != before.type)
        add("customType", if: customType != before.customType)
        add("text", if: !text.hasSameBytes(as: before.text))
        add("content", if: content != before.content)
        add("postback", if: postback != before.postback)
        add("attachments", if: attachments != before.attachments)
        add("status", if: status != before.status)
        add("failure", if: failure != before.failure)
        add("seenAt", if: seenAt != before.seenAt)
        add("parentId", if: parentID != before.parentID)
        add("alsoInThread", if: alsoInThread != before.alsoInThread)
        add("replyInfo", if: replyInfo != before.replyInfo)
        return names
    }
}

/// What a parent message tells of its replies (Sendbird's `ThreadInfo`): the service's word, never counted by a client.
public struct ReplyInfo: CanonicalJSON, Hashable {
    /// Authors in ``mostReplies`` at most.
    public static let maximumAuthors = 5

    public var count: Int
    /// The authors with the most replies, most first.
    public var mostReplies: [Author]
    public var lastRepliedAt: Timestamp?
    /// Of two infos the one with the later time is true.
    public var updatedAt: Timestamp

    public init(count: Int, mostReplies: [Author], lastRepliedAt: Timestamp?, updatedAt: Timestamp) {
        self.count = count
        self.mostReplies = mostReplies
        self.lastRepliedAt = lastRepliedAt
        self.updatedAt = updatedAt
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("count", count)
        json.member("mostReplies", mostReplies)
        if let lastRepliedAt { json.member("lastRepliedAt", lastRepliedAt) }
        json.member("updatedAt", updatedAt)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        count = Int(try json.requiredInteger("count"))
        mostReplies = try json.requiredArray("mostReplies")
        lastRepliedAt = json["lastRepliedAt"] == nil ? nil : try json.requiredTimestamp("lastRepliedAt")
        updatedAt = try json.requiredTimestamp("updatedAt")
    }
}

/// The newest message of a thread, as lists of threads show it.
public struct MessagePreview: CanonicalJSON, Hashable {
    /// Code points of the text that a preview carries at most.
    public static let maximumLength = 256

    public var id: String
    public var createdAt: Timestamp
    public var direction: MessageDirection
    public var author: Author
    public var type: MessageType
    /// The beginning of the text.
    public var text: String?
    public var status: MessageStatus

    public init(_ message: Message) {
        id = message.id
        createdAt = message.createdAt
        direction = message.direction
        author = message.author
        type = message.type
        text = message.text?.cut(toScalars: Self.maximumLength).text
        status = message.status
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("createdAt", createdAt)
        json.member("direction", direction.rawValue)
        json.member("author", author)
        json.member("type", type.rawValue)
        json.member("text", text)
        json.member("status", status.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        createdAt = try json.requiredTimestamp("createdAt")
        direction = try json.requiredCase("direction")
        author = try Author(json: json["author"] ?? .null)
        type = try json.requiredCase("type")
        text = json["text"]?.string
        status = try json.requiredCase("status")
    }
}

/// A file that a message carries.
public struct Attachment: CanonicalJSON, Hashable {
    public var id: String
    public var name: String
    public var mimeType: String
    /// Bytes.
    public var size: Int64
    /// The id of a picture of the file, which is fetched as a file; nil if there is none.
    public var previewID: String?

    /// - Parameters:
    ///   - name: cleaned by the rule for all names (``FileName``).
    ///   - mimeType: likewise.
    public init(id: String, name: String, mimeType: String, size: Int64, previewID: String? = nil) {
        self.id = id
        self.name = FileName.clean(name)
        self.mimeType = FileName.cleanType(mimeType)
        self.size = size
        self.previewID = previewID
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("mimeType", mimeType)
        json.member("size", size)
        json.member("previewId", previewID)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        mimeType = try json.requiredString("mimeType")
        size = try json.requiredInteger("size")
        previewID = json["previewId"]?.string
    }
}
