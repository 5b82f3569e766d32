extension Schema {
    /// When a session was used last, kept coarsely. Nobody knows that of sessions from before: they count as used now.
    static let sessions = """
        ALTER TABLE session ADD COLUMN lastUsedAt INTEGER NOT NULL DEFAULT 0;
        UPDATE session SET lastUsedAt = max(createdAt, CAST(strftime('%s', 'now') AS INTEGER) * 1000);
        CREATE INDEX session_use ON session (lastUsedAt, id);
        """
}
