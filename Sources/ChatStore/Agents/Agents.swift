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

    /// When the first message of the conversation was created that stands behind all of agents and is a customer's; nil
    /// if the last word is an agent's. A live chat that waits for its first agent waits since its beginning.
    public func firstUnanswered(in thread: ThreadRecord) throws -> Timestamp? {
        var first: Timestamp?
        try db.query(
            """
            SELECT createdAt, isToAgent, type FROM message WHERE thread = ? AND isInThread = 1
            ORDER BY createdAt DESC, number DESC
            """, [.integer(thread.number)]
        ) { row in
            if row.flag(1) { first = Timestamp(milliseconds: row.integer(0)) }
            // What the system says is no answer.
            return row.flag(1) || row.text(2) == MessageType.admin.rawValue
        }
        return first ?? (thread.thread.queuePosition == nil ? nil : thread.thread.createdAt)
    }
}

extension ReadTransaction {
    /// The most agents that a list shows.
    private static var agentLimit: Int64 { 200 }

    /// The agents who were at work last, the latest first.
    public func agents() throws -> [Agent] {
        try db.all("SELECT json FROM agent ORDER BY seenAt DESC, id LIMIT ?", [.integer(Self.agentLimit)]) {
            try Agent(canonicalJSON: $0.blob(0))
        }
    }
}
