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

/// What an agent has written about a customer, for other agents alone.
public struct CustomerNote: CanonicalJSON, Hashable {
    /// Characters (Unicode scalars) of a text.
    public static let textLength = 1...4000
    /// How many notes a customer has at most.
    public static let maximumCount = 100

    public var id: String
    public var customerID: String
    public var channel: String
    public var createdAt: Timestamp
    public var author: Author
    public var text: String

    public init(
        id: String, customerID: String, channel: String, createdAt: Timestamp, author: Author, text: String
    ) {
        self.id = id
        self.customerID = customerID
        self.channel = channel
        self.createdAt = createdAt
        self.author = author
        self.text = text
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("customerId", customerID)
        json.member("channel", channel)
        json.member("createdAt", createdAt)
        json.member("author", author)
        json.member("text", text)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        customerID = try json.requiredString("customerId")
        channel = try json.requiredString("channel")
        createdAt = try json.requiredTimestamp("createdAt")
        author = try Author(json: json["author"] ?? .null)
        text = try json.requiredString("text")
    }
}
