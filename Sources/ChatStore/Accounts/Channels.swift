import ChatModel
import Formats

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
