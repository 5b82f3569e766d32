import Formats

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
