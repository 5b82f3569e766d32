import ChatModel
import Formats

/// What of an open contact's conversation decides since when its customer waits.
public struct OpenQuestions: Sendable, Equatable {
    /// When the customer's first message behind the last answer was created; nil if the last word is an answer.
    public var firstUnanswered: Timestamp?
    /// When the customer's last message was created, answered or not.
    public var last: Timestamp?
    /// Who has given the last answer; nil if there is none. What the system says is no answer.
    public var lastAnswerer: Author.Kind?

    /// The most messages that one look goes back. Of more questions without an answer the oldest one seen counts.
    static let limit: Int64 = 1000
}

extension ReadTransaction {
    /// Looks back through the conversation of the thread's open contact. Nil if no contact is open.
    public func openQuestions(in record: ThreadRecord) throws -> OpenQuestions? {
        guard record.thread.contactClosedAt == nil, let contact = record.thread.contactID.flatMap({ Int64($0) }),
            let openedAt = try db.first(
                "SELECT openedAt FROM contact WHERE number = ?", [.integer(contact)], { $0.integer(0) })
        else { return nil }
        var questions = OpenQuestions()
        try db.query(
            """
            SELECT createdAt, isToAgent, type, json FROM message
            WHERE thread = ? AND isInThread = 1 AND createdAt >= ? ORDER BY createdAt DESC, number DESC LIMIT ?
            """, [.integer(record.number), .integer(openedAt), .integer(OpenQuestions.limit)]
        ) { row in
            let time = Timestamp(milliseconds: row.integer(0))
            if row.flag(1) {
                questions.last = questions.last ?? time
                if questions.lastAnswerer == nil { questions.firstUnanswered = time }
            } else if questions.lastAnswerer == nil, row.text(2) != MessageType.admin.rawValue {
                let author = try Message(canonicalJSON: row.blob(3)).author.kind
                if author != .system { questions.lastAnswerer = author }
            }
            return questions.lastAnswerer == nil || questions.last == nil
        }
        return questions
    }
}
