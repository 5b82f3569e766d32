extension Schema {
    /// Members that are more than an owner, who replied how often, and histories that were reset.
    ///
    /// - `thread.customerRead..`: the furthest that any member has read, ever: it stays when that member leaves.
    /// - `replier`: one row an author and parent (the parent by its number), so that the most frequent authors
    ///   are found without counting replies.
    /// - `erasure`: threads whose messages up to a time are still to be erased.
    static let members = """
        ALTER TABLE member ADD COLUMN state TEXT NOT NULL DEFAULT 'joined';
        ALTER TABLE member ADD COLUMN isHidden INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE member ADD COLUMN historyResetAt INTEGER;
        ALTER TABLE thread ADD COLUMN customerReadAt INTEGER NOT NULL DEFAULT -1;
        ALTER TABLE thread ADD COLUMN customerReadTo INTEGER NOT NULL DEFAULT -1;
        UPDATE thread SET (customerReadAt, customerReadTo) = (
            SELECT readAt, readTo FROM member WHERE member.thread = thread.number ORDER BY readAt DESC, readTo DESC LIMIT 1)
        WHERE number IN (SELECT thread FROM member);

        CREATE TABLE replier (
            parent INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, count INTEGER NOT NULL, author BLOB NOT NULL,
            PRIMARY KEY (parent, kind, id)
        ) WITHOUT ROWID;
        CREATE INDEX replier_order ON replier (parent, count DESC);

        CREATE TABLE erasure (thread INTEGER PRIMARY KEY, line INTEGER NOT NULL);
        """
}
