import Formats

/// An agent has written a note. It is for the desk alone.
public struct NoteCreatedEvent: FeedEvent {
    public static let type = EventType.noteCreated

    public var threadID: String
    public var note: Encoded<Note>

    public init(threadID: String, note: Encoded<Note>) {
        self.threadID = threadID
        self.note = note
    }

    public var expectedSize: Int { note.bytes.count + 96 }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        json.member("note", note)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        note = try Encoded(json: json["note"] ?? .null)
    }
}

/// A note is gone. It is for the desk alone.
public struct NoteRemovedEvent: FeedEvent {
    public static let type = EventType.noteRemoved

    public var threadID: String
    public var noteID: String

    public init(threadID: String, noteID: String) {
        self.threadID = threadID
        self.noteID = noteID
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("threadId", threadID)
        json.member("noteId", noteID)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        threadID = try json.requiredString("threadId")
        noteID = try json.requiredString("noteId")
    }
}
