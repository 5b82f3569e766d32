import ChatModel
import Formats

/// A row of `session`: what is needed to restore the session after a restart.
public struct SessionRecord: Sendable {
    public var id: String
    public var account: Int64
    /// Grows when tokens that were given out for the session must become invalid.
    public var generation: Int64
    /// Whether the session was connected, so that it reconnects after a restart.
    public var isConnected: Bool
    public var createdAt: Timestamp
    /// About when somebody last used the session; it may be some hours too early.
    public var lastUsedAt: Timestamp
    /// What happens to the session's messages that could not be sent.
    public var resendPolicy: ResendPolicy

    public init(
        id: String, account: Int64, generation: Int64, isConnected: Bool, createdAt: Timestamp,
        resendPolicy: ResendPolicy = .manual
    ) {
        self.id = id
        self.account = account
        self.generation = generation
        self.isConnected = isConnected
        self.createdAt = createdAt
        self.resendPolicy = resendPolicy
        lastUsedAt = createdAt
    }

    static let columns = """
        session.id, session.account, session.generation, session.isConnected, session.createdAt, session.resend, session.lastUsedAt
        """
    static let columnCount: Int32 = 7

    init(row: SQLRow) {
        self.init(
            id: row.text(0), account: row.integer(1), generation: row.integer(2), isConnected: row.flag(3),
            createdAt: Timestamp(milliseconds: row.integer(4)), resendPolicy: ResendPolicy(text: row.text(5)) ?? .manual
        )
        lastUsedAt = Timestamp(milliseconds: row.integer(6))
    }
}

extension ReadTransaction {
    /// All sessions, oldest first.
    public func sessions() throws -> [SessionRecord] {
        try db.all(
            "SELECT \(SessionRecord.columns) FROM session ORDER BY createdAt, id", [], SessionRecord.init)
    }
}

extension WriteTransaction {
    /// Adds the session, or replaces the one of its id.
    public func save(_ session: SessionRecord) throws {
        try db.run(
            """
            REPLACE INTO session (id, account, generation, isConnected, createdAt, resend, lastUsedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(session.id), .integer(session.account), .integer(session.generation), .flag(session.isConnected),
                .integer(session.createdAt.milliseconds), .text(session.resendPolicy.text),
                .integer(session.lastUsedAt.milliseconds),
            ])
    }

    /// Stores whether the session reconnects after a restart. A session that was deleted meanwhile stays deleted.
    public func setConnected(_ isConnected: Bool, session id: String) throws {
        try db.run("UPDATE session SET isConnected = ? WHERE id = ?", [.flag(isConnected), .text(id)])
    }

    /// Deletes the session with its collections and its device. Its account and messages stay. Returns false if there
    /// was none.
    @discardableResult
    public func deleteSession(_ id: String) throws -> Bool {
        try db.run("DELETE FROM collection WHERE session = ?", [.text(id)])
        let account = try db.first("SELECT account FROM session WHERE id = ?", [.text(id)]) { $0.integer(0) }
        if let device = try account.flatMap({ try device(of: id, account: $0) }) { try deleteTarget(device.id) }
        try db.run("DELETE FROM session WHERE id = ?", [.text(id)])
        return db.changesCount > 0
    }
}
