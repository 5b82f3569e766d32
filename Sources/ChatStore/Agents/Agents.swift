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

extension ReadTransaction {
    /// The channels of a service, in the order in which they were made.
    public func channels(of service: String) throws -> [Channel] {
        try db.all("SELECT json FROM channel WHERE service = ? ORDER BY position", [.text(service)]) {
            try Channel(canonicalJSON: $0.blob(0))
        }
    }

    /// The channel of this id; nil if the service has none.
    public func channel(_ id: String, of service: String) throws -> Channel? {
        try db.first("SELECT json FROM channel WHERE service = ? AND id = ?", [.text(service), .text(id)]) {
            try Channel(canonicalJSON: $0.blob(0))
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
    }
}
