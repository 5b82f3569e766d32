extension Schema {
    /// When a session was used last, kept coarsely.
    static let sessions = """
        ALTER TABLE session ADD COLUMN lastUsedAt INTEGER NOT NULL DEFAULT 0;
        UPDATE session SET lastUsedAt = createdAt;
        CREATE INDEX session_use ON session (lastUsedAt, id);
        """
}
