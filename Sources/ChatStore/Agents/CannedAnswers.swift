import ChatModel
import Formats

/// The answers that agents keep for all of them.
extension ReadTransaction {
    /// All of them, by name.
    public func cannedAnswers() throws -> [CannedAnswer] {
        try db.all("SELECT json FROM answer ORDER BY name") { try CannedAnswer(canonicalJSON: $0.blob(0)) }
    }

    /// Throws `unknownAnswer`.
    public func cannedAnswer(_ id: String) throws -> CannedAnswer {
        let answer = try db.first("SELECT json FROM answer WHERE id = ?", [.text(id)]) {
            try CannedAnswer(canonicalJSON: $0.blob(0))
        }
        guard let answer else { throw ChatError.unknownAnswer(id) }
        return answer
    }
}

extension WriteTransaction {
    /// Keeps a text under a name. The answer that had the name gets the text, and keeps its id.
    ///
    /// Throws `tooManyAnswers` for a new name when there are ``CannedAnswer/maximumCount``.
    public func keepAnswer(_ text: String, as name: String) throws -> (answer: CannedAnswer, isNew: Bool) {
        let known = try db.first("SELECT id FROM answer WHERE name = ?", [.text(name)]) { $0.text(0) }
        if known == nil {
            let count = try db.first("SELECT count(*) FROM answer") { $0.integer(0) } ?? 0
            guard count < CannedAnswer.maximumCount else {
                throw ChatError(
                    .tooManyAnswers, "The desk keeps \(CannedAnswer.maximumCount) answers, and there may not be more.")
            }
        }
        let answer = CannedAnswer(id: known ?? environment.makeID(), name: name, text: text, updatedAt: now)
        try db.run(
            """
            INSERT INTO answer (id, name, json) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, json = excluded.json
            """,
            [.text(answer.id), .text(name), .blob(answer.canonicalJSON)])
        return (answer, known == nil)
    }

    /// Throws `unknownAnswer`.
    public func removeAnswer(_ id: String) throws {
        let changes = try db.change("DELETE FROM answer WHERE id = ?", [.text(id)])
        guard changes == 1 else { throw ChatError.unknownAnswer(id) }
    }
}

extension ChatError {
    /// For an answer that is not kept, or not any more.
    static func unknownAnswer(_ id: String) -> ChatError {
        ChatError(.unknownAnswer, "The desk keeps no answer \(id).")
    }
}
