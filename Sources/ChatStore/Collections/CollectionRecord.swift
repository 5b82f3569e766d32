import ChatModel
import Formats

/// A row of `collection`: the definition of a collection. The items in it are computed from the rows and never
/// stored.
public struct CollectionRecord: Sendable {
    /// The id of the session that owns the collection; ``desk`` for a collection of the desk.
    public var session: String
    public var id: String
    public var createdAt: Timestamp
    /// The definition as JSON; the store does not look into it.
    public var definition: [UInt8]

    /// Stands for the desk in ``session``. No session has an empty id.
    public static let desk = ""

    public init(session: String, id: String, createdAt: Timestamp, definition: [UInt8]) {
        self.session = session
        self.id = id
        self.createdAt = createdAt
        self.definition = definition
    }
}

extension ReadTransaction {
    /// The collections of a session, or of the desk, oldest first.
    public func collections(of session: String) throws -> [CollectionRecord] {
        try db.all(
            "SELECT session, id, createdAt, definition FROM collection WHERE session = ? ORDER BY createdAt, id",
            [.text(session)]
        ) {
            CollectionRecord(
                session: $0.text(0), id: $0.text(1), createdAt: Timestamp(milliseconds: $0.integer(2)),
                definition: $0.blob(3))
        }
    }

    /// Whether the session, or the desk, has a collection of this id.
    public func hasCollection(_ id: String, of session: String) throws -> Bool {
        try db.first("SELECT 1 FROM collection WHERE session = ? AND id = ?", [.text(session), .text(id)]) { _ in true }
            == true
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
            """
            INSERT INTO collection (session, id, createdAt, definition) VALUES (?, ?, ?, ?)
            ON CONFLICT (session, id) DO UPDATE SET createdAt = excluded.createdAt, definition = excluded.definition
            """,
            [
                .text(collection.session), .text(collection.id), .integer(collection.createdAt.milliseconds),
                .blob(collection.definition),
            ])
    }

    /// Deletes a collection. Nothing happens when there is none.
    public func deleteCollection(_ id: String, of session: String) throws {
        try db.run("DELETE FROM collection WHERE session = ? AND id = ?", [.text(session), .text(id)])
    }
}
