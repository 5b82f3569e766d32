import Formats

/// A thread has a new message.
public struct MessageCreatedEvent: FeedEvent {
    public static let type = EventType.messageCreated

    public var threadID: String
    public var cause: EventCause
    public var message: Encoded<Message>

    public init(threadID: String, message: Encoded<Message>, by cause: EventCause) {
        self.threadID = threadID
        self.cause = cause
        self.message = message
    }

    public var expectedSize: Int { message.bytes.count + 96 + cause.expectedSize }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        cause.encode(to: &json)
        json.member("message", message)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        cause = try EventCause(json: json)
        message = try Encoded(json: json["message"] ?? .null)
    }
}

/// A message has changed.
public struct MessageUpdatedEvent: FeedEvent {
    public static let type = EventType.messageUpdated

    public var threadID: String
    public var cause: EventCause
    public var message: Encoded<Message>
    /// How sending a failed message again has ended. Nil for all other changes.
    public var reason: OutgoingReason?

    public init(threadID: String, message: Encoded<Message>, by cause: EventCause, reason: OutgoingReason? = nil) {
        self.threadID = threadID
        self.cause = cause
        self.message = message
        self.reason = reason
    }

    public var expectedSize: Int { message.bytes.count + 128 + cause.expectedSize }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        cause.encode(to: &json)
        json.member("message", message)
        json.member("reason", reason?.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        cause = try EventCause(json: json)
        message = try Encoded(json: json["message"] ?? .null)
        reason = json["reason"]?.string.flatMap(OutgoingReason.init)
    }
}

/// A message is gone.
public struct MessageRemovedEvent: FeedEvent {
    public static let type = EventType.messageRemoved

    public var threadID: String
    public var cause: EventCause
    public var messageID: String
    /// Why a message that was never sent is not kept any longer. Nil for messages that were sent.
    public var reason: OutgoingReason?

    public init(threadID: String, messageID: String, by cause: EventCause, reason: OutgoingReason? = nil) {
        self.threadID = threadID
        self.cause = cause
        self.messageID = messageID
        self.reason = reason
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        cause.encode(to: &json)
        json.member("messageId", messageID)
        json.member("reason", reason?.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        cause = try EventCause(json: json)
        messageID = try json.requiredString("messageId")
        reason = json["reason"]?.string.flatMap(OutgoingReason.init)
    }
}

/// Why an unsent message left its list, or changed in it.
public enum OutgoingReason: String, Sendable, CaseIterable {
    case resendSucceeded, retentionExpired, exceededMaxCount, manualAction, resendFailed
}

/// What a message tells of its replies has changed; nothing else of the message has.
public struct ThreadInfoEvent: FeedEvent {
    public static let type = EventType.threadInfo

    public var threadID: String
    public var cause: EventCause
    /// The message that has the replies.
    public var parentID: String
    public var replyInfo: ReplyInfo

    public init(threadID: String, parentID: String, replyInfo: ReplyInfo, by cause: EventCause) {
        self.threadID = threadID
        self.cause = cause
        self.parentID = parentID
        self.replyInfo = replyInfo
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        cause.encode(to: &json)
        json.member("parentId", parentID)
        json.member("replyInfo", replyInfo)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        cause = try EventCause(json: json)
        parentID = try json.requiredString("parentId")
        replyInfo = try ReplyInfo(json: json["replyInfo"] ?? .null)
    }
}

/// An agent has written a note. It is for the desk alone.
public struct NoteCreatedEvent: FeedEvent {
    public static let type = EventType.noteCreated

    public var threadID: String
    public var cause: EventCause
    public var note: Encoded<Note>

    public init(threadID: String, note: Encoded<Note>, by cause: EventCause) {
        self.threadID = threadID
        self.cause = cause
        self.note = note
    }

    public var expectedSize: Int { note.bytes.count + 96 + cause.expectedSize }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        cause.encode(to: &json)
        json.member("note", note)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        cause = try EventCause(json: json)
        note = try Encoded(json: json["note"] ?? .null)
    }
}

/// A note is gone. It is for the desk alone.
public struct NoteRemovedEvent: FeedEvent {
    public static let type = EventType.noteRemoved

    public var threadID: String
    public var cause: EventCause
    public var noteID: String

    public init(threadID: String, noteID: String, by cause: EventCause) {
        self.threadID = threadID
        self.cause = cause
        self.noteID = noteID
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        cause.encode(to: &json)
        json.member("noteId", noteID)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        cause = try EventCause(json: json)
        noteID = try json.requiredString("noteId")
    }
}
