import ChatModel
import Formats

/// A collection as the store keeps it: what it shows. What it holds is not stored.
public struct CollectionRecord: Sendable {
    /// The id of the session whose it is; ``desk`` for one of the desk.
    public var session: String
    public var id: String
    public var createdAt: Timestamp
    /// The definition as JSON.
    public var definition: [UInt8]

    /// No session has this id.
    public static let desk = ""

    public init(session: String, id: String, createdAt: Timestamp, definition: [UInt8]) {
        self.session = session
        self.id = id
        self.createdAt = createdAt
        self.definition = definition
    }
}

extension ReadTransaction {
    /// All collections, oldest first.
    public func collections() throws -> [CollectionRecord] {
        try db.all("SELECT session, id, createdAt, definition FROM collection ORDER BY createdAt, id") {
            CollectionRecord(
                session: $0.text(0), id: $0.text(1), createdAt: Timestamp(milliseconds: $0.integer(2)), definition: $0.blob(3))
        }
    }

    public func hasCollection(_ id: String, of session: String) throws -> Bool {
        try db.first("SELECT 1 FROM collection WHERE session = ? AND id = ?", [.text(session), .text(id)]) { _ in true } == true
    }

    /// Whether there is such a session.
    public func hasSession(_ id: String) throws -> Bool {
        try db.first("SELECT 1 FROM session WHERE id = ?", [.text(id)]) { _ in true } == true
    }
}

extension WriteTransaction {
    /// Adds the collection, or replaces the one of its id.
    public func save(_ collection: CollectionRecord) throws {
        try db.run(
            "REPLACE INTO collection (session, id, createdAt, definition) VALUES (?, ?, ?, ?)",
            [.text(collection.session), .text(collection.id), .integer(collection.createdAt.milliseconds), .blob(collection.definition)])
    }

    public func deleteCollection(_ id: String, of session: String) throws {
        try db.run("DELETE FROM collection WHERE session = ? AND id = ?", [.text(session), .text(id)])
    }
}
