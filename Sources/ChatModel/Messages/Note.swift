import Formats

/// What an agent has written about a conversation, for other agents alone.
///
/// It is no message: no list, search, event or transcript of messages can hold one.
public struct Note: CanonicalJSON, Hashable {
    public var id: String
    public var threadID: String
    /// Not before the thread's last message of that time, so that notes stand among the messages in their order.
    public var createdAt: Timestamp
    public var author: Author
    public var text: String

    public init(id: String, threadID: String, createdAt: Timestamp, author: Author, text: String) {
        self.id = id
        self.threadID = threadID
        self.createdAt = createdAt
        self.author = author
        self.text = text
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("threadId", threadID)
        json.member("createdAt", createdAt)
        json.member("author", author)
        json.member("text", text)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        threadID = try json.requiredString("threadId")
        createdAt = try json.requiredTimestamp("createdAt")
        author = try Author(json: json["author"] ?? .null)
        text = try json.requiredString("text")
    }
}

/// A text that agents use often, kept for all of them under a name.
public struct CannedAnswer: CanonicalJSON, Hashable {
    /// How long a name may be, in Unicode code points.
    public static let nameLength = 1...80
    /// How many answers are kept at most.
    public static let maximumCount = 200

    public var id: String
    /// No two answers have the same.
    public var name: String
    public var text: String
    public var updatedAt: Timestamp

    public init(id: String, name: String, text: String, updatedAt: Timestamp) {
        self.id = id
        self.name = name
        self.text = text
        self.updatedAt = updatedAt
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("text", text)
        json.member("updatedAt", updatedAt)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        text = try json.requiredString("text")
        updatedAt = try json.requiredTimestamp("updatedAt")
    }
}
