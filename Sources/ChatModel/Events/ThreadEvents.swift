import Formats

/// A thread is new to whoever hears of it.
///
/// What a reader alone sees of the thread (``Membership``) is no part of it. The log event adds it for each audience,
/// at the end of the thread, which is therefore the last member.
public struct ThreadCreatedEvent: FeedEvent {
    public static let type = EventType.threadCreated

    public var cause: EventCause
    public var thread: Encoded<ChatThread>

    public init(_ thread: Encoded<ChatThread>, by cause: EventCause) {
        self.thread = thread
        self.cause = cause
    }

    public var expectedSize: Int { thread.bytes.count + 16 + cause.expectedSize }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        cause.encode(to: &json)
        json.member("thread", thread)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        cause = try EventCause(json: json)
        thread = try Encoded(json: json["thread"] ?? .null)
    }
}

/// A thread has changed. It is written as ``ThreadCreatedEvent`` is.
public struct ThreadUpdatedEvent: FeedEvent {
    public static let type = EventType.threadUpdated

    public var cause: EventCause
    public var thread: Encoded<ChatThread>

    public init(_ thread: Encoded<ChatThread>, by cause: EventCause) {
        self.thread = thread
        self.cause = cause
    }

    public var expectedSize: Int { thread.bytes.count + 16 + cause.expectedSize }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        cause.encode(to: &json)
        json.member("thread", thread)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        cause = try EventCause(json: json)
        thread = try Encoded(json: json["thread"] ?? .null)
    }
}

/// A thread is gone for whoever hears of it.
public struct ThreadRemovedEvent: FeedEvent {
    public static let type = EventType.threadRemoved

    public var threadID: String
    public var cause: EventCause
    /// The id of the customer who has the thread now, for the desk: its customer has said who they are. Nil for a
    /// thread that is gone for good, and for customers.
    public var movedTo: String?

    public init(threadID: String, by cause: EventCause, movedTo: String? = nil) {
        self.threadID = threadID
        self.cause = cause
        self.movedTo = movedTo
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        cause.encode(to: &json)
        json.member("movedTo", movedTo)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        cause = try EventCause(json: json)
        movedTo = json["movedTo"]?.string
    }
}

/// Somebody types, or has stopped. It is live only.
public struct TypingEvent: FeedEvent {
    public static let type = EventType.typing

    public var threadID: String
    public var isTyping: Bool
    public var author: Author
    /// Whose thread it is, for the desk. Nil for customers.
    public var channel: String?
    public var customer: Customer?
    /// What stands in the customer's field, for the desk. Nil for customers, and if it is not told.
    public var text: String?

    public init(
        threadID: String, isTyping: Bool, author: Author, channel: String? = nil, customer: Customer? = nil,
        text: String? = nil
    ) {
        self.threadID = threadID
        self.isTyping = isTyping
        self.author = author
        self.channel = channel
        self.customer = customer
        self.text = text
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        json.member("isTyping", isTyping)
        json.member("author", author)
        json.member("channel", channel)
        if let customer { json.member("customer", customer) }
        json.member("text", text)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        guard let isTyping = json["isTyping"]?.bool else { throw ModelError(member: "isTyping") }
        self.isTyping = isTyping
        author = try Author(json: json["author"] ?? .null)
        channel = json["channel"]?.string
        customer = try json.optional("customer")
        text = json["text"]?.string
    }
}

/// A live chat has another place in its queue, or has left the queue.
///
/// It is live only. An event of the thread says it too.
public struct QueueUpdatedEvent: FeedEvent {
    public static let type = EventType.queueUpdated

    public var threadID: String
    /// The place, from 1. Nil once the chat waits no longer.
    public var queuePosition: Int?

    public init(threadID: String, queuePosition: Int?) {
        self.threadID = threadID
        self.queuePosition = queuePosition
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        if let queuePosition { json.member("queuePosition", queuePosition) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        queuePosition = json["queuePosition"] == nil ? nil : Int(clamping: try json.requiredInteger("queuePosition"))
    }
}
