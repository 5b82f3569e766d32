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
