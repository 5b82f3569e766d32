import ChatModel

/// A session as the store keeps it: enough to be there again after a restart.
public struct SessionRecord: Sendable {
    public var id: String
    public var account: Int64
    /// Grows when the session's token must no longer open it.
    public var generation: Int64
    /// It was connected, so that it reconnects by itself.
    public var isConnected: Bool
    public var createdAt: Timestamp
    /// What becomes of its messages that could not be sent.
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
    }
}

extension ReadTransaction {
    /// All sessions, oldest first.
    public func sessions() throws -> [SessionRecord] {
        try db.all("SELECT id, account, generation, isConnected, createdAt, resend FROM session ORDER BY createdAt, id") {
            SessionRecord(
                id: $0.text(0), account: $0.integer(1), generation: $0.integer(2), isConnected: $0.flag(3),
                createdAt: Timestamp(milliseconds: $0.integer(4)), resendPolicy: ResendPolicy(text: $0.text(5)) ?? .manual)
        }
    }
}

extension WriteTransaction {
    /// Adds the session, or replaces the one of its id.
    public func save(_ session: SessionRecord) throws {
        try db.run(
            "REPLACE INTO session (id, account, generation, isConnected, createdAt, resend) VALUES (?, ?, ?, ?, ?, ?)",
            [.text(session.id), .integer(session.account), .integer(session.generation), .flag(session.isConnected),
             .integer(session.createdAt.milliseconds), .text(session.resendPolicy.text)])
    }

    /// Notes whether the session reconnects by itself. Nothing happens to one that was deleted meanwhile: it stays deleted.
    public func setConnected(_ isConnected: Bool, session id: String) throws {
        try db.run("UPDATE session SET isConnected = ? WHERE id = ?", [.flag(isConnected), .text(id)])
    }

    /// Removes the session with its collections.
    public func deleteSession(_ id: String) throws {
        try db.run("DELETE FROM collection WHERE session = ?", [.text(id)])
        try db.run("DELETE FROM session WHERE id = ?", [.text(id)])
    }
}
