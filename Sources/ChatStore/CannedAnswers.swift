import ChatModel
import Formats

/// An answer to keep. If there is an answer of this name, a property that is nil changes nothing in it, and `.some(nil)`
/// removes the value.
public struct CannedAnswerDraft: Sendable, Hashable {
    public var name: String
    public var text: String
    public var shortcut: String??
    public var channels: [String]??
    public var language: String??

    public init(
        name: String, text: String, shortcut: String?? = nil, channels: [String]?? = nil, language: String?? = nil
    ) {
        self.name = name
        self.text = text
        self.shortcut = shortcut
        self.channels = channels
        self.language = language
    }
}

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
    /// Keeps an answer under its name. The answer that had the name gets the text and what else the draft has, and
    /// keeps its id.
    ///
    /// Throws `tooManyAnswers` when there would be more than ``CannedAnswer/maximumCount``, or more than
    /// ``CannedAnswer/maximumByteCount``, and `answerExists` where another answer has the shortcut.
    @discardableResult
    public func keepAnswer(_ draft: CannedAnswerDraft) throws -> (answer: CannedAnswer, before: CannedAnswer?) {
        let known = try db.first("SELECT json FROM answer WHERE name = ?", [.text(draft.name)]) {
            (answer: try CannedAnswer(canonicalJSON: $0.blob(0)), size: $0.blob(0).count)
        }
        var answer =
            known?.answer ?? CannedAnswer(id: environment.makeID(), name: draft.name, text: draft.text, updatedAt: now)
        (answer.text, answer.updatedAt) = (draft.text, now)
        if let shortcut = draft.shortcut { answer.shortcut = shortcut }
        if let channels = draft.channels { answer.channels = channels }
        if let language = draft.language { answer.language = language }
        let json = answer.canonicalJSON
        try checkRoom(forAnswerOf: json.count, insteadOf: known?.size)
        if let key = answer.shortcutKey {
            let other = try db.first("SELECT id FROM answer WHERE shortcut = ?", [.text(key)]) { $0.text(0) }
            guard other == nil || other == answer.id else {
                throw ChatError(.answerExists, "Another answer has the shortcut \(key).", pointer: "/shortcut")
            }
        }
        try db.run(
            """
            INSERT INTO answer (id, name, json, shortcut) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, json = excluded.json, shortcut = excluded.shortcut
            """,
            [.text(answer.id), .text(draft.name), .blob(json), .optional(answer.shortcutKey)])
        return (answer, known?.answer)
    }

    /// - Parameter old: the bytes of the answer that is replaced; nil for a new one.
    private func checkRoom(forAnswerOf size: Int, insteadOf old: Int?) throws {
        let kept = try db.first("SELECT count(*), CAST(coalesce(sum(length(json)), 0) AS bigint) FROM answer") {
            (count: $0.integer(0), bytes: Int($0.integer(1)))
        }
        guard let kept else { return }
        guard old != nil || kept.count < CannedAnswer.maximumCount else {
            throw ChatError(
                .tooManyAnswers, "The desk keeps \(CannedAnswer.maximumCount) answers, and there may not be more.")
        }
        guard size <= (old ?? 0) || kept.bytes - (old ?? 0) + size <= CannedAnswer.maximumByteCount else {
            throw ChatError(
                .tooManyAnswers, "All answers together have at most \(CannedAnswer.maximumByteCount) bytes.")
        }
    }

    /// Throws `unknownAnswer`.
    public func removeAnswer(_ id: String) throws {
        let changes = try db.change("DELETE FROM answer WHERE id = ?", [.text(id)])
        guard changes == 1 else { throw ChatError.unknownAnswer(id) }
    }
}

extension CannedAnswer {
    /// What the column `shortcut` has: no two answers have the same in upper or lower case.
    var shortcutKey: String? { shortcut?.lowercased() }
}

extension ChatError {
    /// For an answer that is not kept, or not any more.
    package static func unknownAnswer(_ id: String) -> ChatError {
        ChatError(.unknownAnswer, "The desk keeps no answer \(id).")
    }
}
