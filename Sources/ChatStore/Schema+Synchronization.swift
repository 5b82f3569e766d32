extension Schema {
    /// What is kept of a remote service beside its rows: which ranges are complete, how far was synchronized, and own
    /// messages that the service has not confirmed.
    static let synchronization = """
        CREATE TABLE chunk (
            thread INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL, isOpen INTEGER NOT NULL,
            PRIMARY KEY (thread, low)
        ) WITHOUT ROWID;
        CREATE INDEX chunk_open ON chunk (thread) WHERE isOpen = 1;

        CREATE TABLE orphan (thread INTEGER PRIMARY KEY);

        CREATE TABLE remoteID (thread INTEGER NOT NULL, remote TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (thread, remote)) WITHOUT ROWID;

        CREATE TABLE syncPosition (
            account INTEGER NOT NULL, thread TEXT NOT NULL, kind TEXT NOT NULL, token TEXT NOT NULL,
            PRIMARY KEY (account, thread, kind)
        ) WITHOUT ROWID;

        CREATE TABLE outgoing (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL, thread TEXT NOT NULL, id TEXT NOT NULL,
            isFailed INTEGER NOT NULL DEFAULT 0, failedAt INTEGER, failure TEXT,
            policy TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL, json BLOB NOT NULL
        );
        CREATE UNIQUE INDEX outgoing_id ON outgoing (account, thread, id);
        CREATE INDEX outgoing_expiry ON outgoing (account, failedAt) WHERE isFailed = 1;

        ALTER TABLE session ADD COLUMN resend TEXT NOT NULL DEFAULT 'manual';
        """
}
