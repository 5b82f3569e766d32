import ChatModel
import Formats

/// Notes among agents. They have a table and events of their own, and the events have the desk as their only audience:
/// nothing that reads messages, or the events of an account, can come upon one.
extension WriteTransaction {
    /// Adds a note of an agent, and logs `note.created` for the desk. The thread and its messages do not change.
    public func addNote(_ text: String, by author: Author, to thread: ThreadRecord, receipt: Receipt?) throws -> Outcome
    {
        let latest = thread.thread.lastMessage?.createdAt ?? thread.thread.createdAt
        let note = Encoded(
            Note(
                id: environment.makeID(), threadID: thread.thread.id, createdAt: max(now, latest), author: author,
                text: text))
        // A note has the same number as its event in the log, as a message has. So its removal finds the event.
        let number = nextOffset
        try db.run(
            "INSERT INTO note (number, thread, id, createdAt, json) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(number), .integer(thread.number), .text(note.value.id),
                .integer(note.value.createdAt.milliseconds), .blob(note.bytes),
            ])
        try append(
            NoteCreatedEvent(threadID: thread.thread.id, note: note, by: cause), owner: thread.owner, message: number,
            members: [AudienceMember(.desk)])
        let outcome = Outcome(.created, id: note.value.id, body: note.bytes, version: number)
        try record(receipt, outcome, message: number)
        return outcome
    }

    /// Removes a note, with its text in the log, the ring and receipts, and logs `note.removed` for the desk. Throws
    /// `unknownNote`.
    public func removeNote(_ id: String, of thread: ThreadRecord) throws {
        let number = try db.first(
            "SELECT number FROM note WHERE thread = ? AND id = ?", [.integer(thread.number), .text(id)]
        ) { $0.integer(0) }
        guard let number else { throw ChatError.unknownNote(id) }
        try erase(note: number, id: id, in: thread)
        let event = NoteRemovedEvent(threadID: thread.thread.id, noteID: id, by: cause)
        try append(event, owner: thread.owner, message: nil, members: [AudienceMember(.desk)])
    }

    /// Removes a note like ``removeNote(_:of:)``, but logs nothing.
    func erase(note number: Int64, id: String, in thread: ThreadRecord) throws {
        try db.run("DELETE FROM note WHERE number = ?", [.integer(number)])
        try scrub(message: number)
        let answer = NoteRemovedEvent(threadID: thread.thread.id, noteID: id, by: .unknown)
        try scrubReceipts(message: number, replacement: answer.data)
    }
}

extension ReadTransaction {
    /// A note's JSON. Throws `unknownNote`.
    public func note(_ id: String, of thread: ThreadRecord) throws -> [UInt8] {
        let json = try db.first(
            "SELECT json FROM note WHERE thread = ? AND id = ?", [.integer(thread.number), .text(id)]
        ) { $0.blob(0) }
        guard let json else { throw ChatError.unknownNote(id) }
        return json
    }

    /// A page of a thread's notes, newest first. `next` leads to older ones. Throws `invalidParameter` for a cursor of
    /// another list.
    public func notePage(of thread: ThreadRecord, _ request: PageRequest) throws -> PageBytes {
        let list = PageCursor.List.notes(thread: thread.number)
        var place = MessagePosition.end
        if let cursor = try request.parsedCursor(of: list) {
            guard case .older(let position) = cursor else { throw PageRequest.badCursor }
            place = position
        }
        let statement = """
            SELECT createdAt, number, json FROM note WHERE thread = ?1 AND (createdAt, number) < (?2, ?3)
            ORDER BY createdAt DESC, number DESC LIMIT ?4
            """
        let found = try db.page(
            db.bounded(statement, by: "json", request.size),
            [
                .integer(thread.number), .integer(place.createdAt), .integer(place.number),
                .integer(Int64(request.limit + 1)),
            ], request.size
        ) {
            PlacedMessage(
                position: MessagePosition(createdAt: $0.integer(0), number: $0.integer(1)), id: "", json: $0.blob(2))
        }
        return PageBytes(
            offset: try headOffset(), items: found.rows.map(\.json), of: list, version: try lastOffset(of: .desk),
            next: found.hasMore ? found.rows.last.map { .older($0.position) } : nil, prev: nil)
    }
}

extension ChatError {
    /// For a note that is not in the thread, or was removed.
    static func unknownNote(_ id: String) -> ChatError { ChatError(.unknownNote, "The thread has no note \(id).") }
}
