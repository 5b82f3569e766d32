import ChatModel
import Formats

/// The agents that the desk has seen at work. There are no accounts for agents: whoever writes or takes a conversation
/// is one, by the id and name that came with it.
extension WriteTransaction {
    /// How old the noted time may become before it is written again, in milliseconds: an agent who writes much costs a
    /// read for each message, and a write in an hour.
    private static var noteInterval: Int64 { 3_600_000 }

    /// Notes that an agent is at work, under the present name.
    public func noteAgent(_ agent: Agent) throws {
        let known = try db.first("SELECT json, seenAt FROM agent WHERE id = ?", [.text(agent.id)]) {
            (json: $0.blob(0), seenAt: $0.integer(1))
        }
        let json = agent.canonicalJSON
        if let known, known.json == json, now.milliseconds < known.seenAt + Self.noteInterval { return }
        try db.run(
            """
            INSERT INTO agent (id, seenAt, json) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET seenAt = excluded.seenAt, json = excluded.json
            """,
            [.text(agent.id), .integer(now.milliseconds), .blob(json)])
    }
}

extension ReadTransaction {
    /// The agent of this id as the desk saw them last; nil if they were never at work.
    public func agent(_ id: String) throws -> Agent? {
        try db.first("SELECT json FROM agent WHERE id = ?", [.text(id)]) { try Agent(canonicalJSON: $0.blob(0)) }
    }

    /// The most agents that a list shows.
    private static var agentLimit: Int64 { 200 }

    /// The agents who were at work last, the latest first.
    public func agents() throws -> [Agent] {
        try db.all("SELECT json FROM agent ORDER BY seenAt DESC, id LIMIT ?", [.integer(Self.agentLimit)]) {
            try Agent(canonicalJSON: $0.blob(0))
        }
    }
}

extension ReadTransaction {
    /// The channels of a service, in the order in which they were made.
    public func channels(of service: String) throws -> [Channel] {
        try db.all("SELECT json FROM channel WHERE service = ? ORDER BY position", [.text(service)]) {
            try Channel(canonicalJSON: $0.blob(0))
        }
    }

    /// The channel of this id; nil if the service has none.
    public func channel(_ id: String, of service: String) throws -> Channel? {
        if let known = hot?.channel(id, of: service) {
            #if DEBUG
                try checkHot(known, is: try storedChannel(id, of: service)?.channel)
            #endif
            return known
        }
        guard let stored = try storedChannel(id, of: service) else { return nil }
        hot?.cache(stored.channel, of: service, byteCount: stored.byteCount)
        return stored.channel
    }

    private func storedChannel(_ id: String, of service: String) throws -> (channel: Channel, byteCount: Int)? {
        try db.first("SELECT json FROM channel WHERE service = ? AND id = ?", [.text(service), .text(id)]) { row in
            let json = row.blob(0)
            return (try Channel(canonicalJSON: json), json.count)
        }
    }
}

extension WriteTransaction {
    /// Adds the channel at the end of the service's list, or replaces the one with its id, which keeps its place.
    public func save(_ channel: Channel, of service: String) throws {
        try db.run(
            """
            INSERT INTO channel (service, id, position, json)
            VALUES (?1, ?2, (SELECT count(*) FROM channel WHERE service = ?1), ?3)
            ON CONFLICT (service, id) DO UPDATE SET json = excluded.json
            """,
            [.text(service), .text(channel.id), .blob(channel.canonicalJSON)])
        hot?.forget(channel: channel.id, of: service)
    }
}

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
