import GRDB

/// The tables, one migration a version of the database.
///
/// Every stored key begins with the account, directly or through its thread. Columns
/// beside `json` repeat what SQL must see; `json` is the canonical JSON that answers show.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: first)
        }
        migrator.registerMigration("2") { db in try db.execute(sql: replies) }
        migrator.registerMigration("3") { db in try db.execute(sql: members) }
        migrator.registerMigration("4", migrate: addCollections)
        migrator.registerMigration("5") { db in try db.execute(sql: synchronization) }
        migrator.registerMigration("6") { db in try db.execute(sql: attachments) }
        migrator.registerMigration("7") { db in try db.execute(sql: contacts) }
        migrator.registerMigration("8") { db in try db.execute(sql: remoteFiles) }
        migrator.registerMigration("9") { db in try db.execute(sql: reading + sessions + unsentUploads) }
        migrator.registerMigration("10") { db in try db.execute(sql: unread + deliveries) }
        migrator.registerMigration("11") { db in try db.execute(sql: devices + watermarks) }
        return migrator
    }

    private static let first = """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

        CREATE TABLE account (
            number INTEGER PRIMARY KEY,
            service TEXT NOT NULL, channel TEXT NOT NULL, customer TEXT NOT NULL,
            json BLOB NOT NULL, customFields BLOB NOT NULL, createdAt INTEGER NOT NULL,
            UNIQUE (service, channel, customer)
        );

        CREATE TABLE channel (
            service TEXT NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL, json BLOB NOT NULL,
            PRIMARY KEY (service, id)
        ) WITHOUT ROWID;

        CREATE TABLE session (
            id TEXT PRIMARY KEY, account INTEGER NOT NULL, generation INTEGER NOT NULL,
            isConnected INTEGER NOT NULL, createdAt INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX session_order ON session (createdAt, id);

        CREATE TABLE thread (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            owner INTEGER NOT NULL, id TEXT NOT NULL,
            isKnownToDesk INTEGER NOT NULL, isClosed INTEGER NOT NULL, activity INTEGER NOT NULL,
            version INTEGER NOT NULL, messagesVersion INTEGER NOT NULL, lastMessage INTEGER,
            deskReadAt INTEGER NOT NULL DEFAULT -1, deskReadTo INTEGER NOT NULL DEFAULT -1,
            json BLOB NOT NULL
        );
        CREATE INDEX thread_id ON thread (id);
        CREATE INDEX thread_desk ON thread (isClosed, activity, number) WHERE isKnownToDesk = 1;

        CREATE TABLE member (
            account INTEGER NOT NULL, thread INTEGER NOT NULL, id TEXT NOT NULL,
            isClosed INTEGER NOT NULL, activity INTEGER NOT NULL, unread INTEGER NOT NULL DEFAULT 0,
            readAt INTEGER NOT NULL DEFAULT -1, readTo INTEGER NOT NULL DEFAULT -1,
            PRIMARY KEY (account, id)
        ) WITHOUT ROWID;
        CREATE INDEX member_thread ON member (thread);
        CREATE INDEX member_order ON member (account, isClosed, activity, thread);

        CREATE TABLE message (
            number INTEGER PRIMARY KEY,
            thread INTEGER NOT NULL, id TEXT NOT NULL, createdAt INTEGER NOT NULL,
            isToAgent INTEGER NOT NULL, isSeen INTEGER NOT NULL, version INTEGER NOT NULL, json BLOB NOT NULL
        );
        CREATE UNIQUE INDEX message_id ON message (thread, id);
        CREATE INDEX message_order ON message (thread, createdAt, number);

        CREATE TABLE tombstone (thread INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (thread, id)) WITHOUT ROWID;

        CREATE TABLE watermark (
            thread INTEGER NOT NULL, isToAgent INTEGER NOT NULL, readAt INTEGER NOT NULL, readTo INTEGER NOT NULL,
            seenAt INTEGER NOT NULL, version INTEGER NOT NULL,
            PRIMARY KEY (thread, isToAgent, readAt, readTo)
        ) WITHOUT ROWID;

        CREATE TABLE log (
            offset INTEGER PRIMARY KEY, at INTEGER NOT NULL, type TEXT NOT NULL, owner INTEGER NOT NULL,
            message INTEGER, audience BLOB NOT NULL, data BLOB NOT NULL
        );
        CREATE INDEX log_message ON log (message) WHERE message IS NOT NULL;
        CREATE TABLE audience (account INTEGER NOT NULL, offset INTEGER NOT NULL, PRIMARY KEY (account, offset)) WITHOUT ROWID;

        CREATE TABLE receipt (
            scope TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
            body BLOB NOT NULL, message INTEGER, at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX receipt_at ON receipt (at);
        CREATE INDEX receipt_message ON receipt (message) WHERE message IS NOT NULL;
        """
}
