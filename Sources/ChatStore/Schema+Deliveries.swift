extension Schema {
    /// Where events go that leave the gateway, and how far they are on their way. No body is stored: a delivery names
    /// an offset of the log, and what is sent is made anew at each attempt.
    ///
    /// - `target`: without an account, the desk's events go there. `position` is the last offset that was taken; the
    ///   log lost events in the range from `gapFrom` to `gapTo` before they were taken or delivered, and the target was
    ///   not told yet.
    /// - `delivery`: `lane` is the same for all events of a thread, 0 without one. `refusals` counts the attempts after
    ///   which the target took other events, but not this one.
    /// - `attempt`: the newest of each delivery. `head` is the beginning of an answer, which may repeat what was sent.
    static let deliveries = """
        CREATE TABLE target (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, account INTEGER, session TEXT, json BLOB NOT NULL,
            generation INTEGER NOT NULL, previousUntil INTEGER, state TEXT NOT NULL, reason TEXT,
            position INTEGER NOT NULL, gapFrom INTEGER, gapTo INTEGER,
            failingSince INTEGER, failures INTEGER NOT NULL, lastAttemptAt INTEGER, nextAt INTEGER,
            createdAt INTEGER NOT NULL, version INTEGER NOT NULL
        );
        CREATE INDEX target_kind ON target (kind, number);
        CREATE INDEX target_account ON target (account, kind) WHERE account IS NOT NULL;

        CREATE TABLE delivery (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            target INTEGER NOT NULL, offset INTEGER NOT NULL, lane INTEGER NOT NULL, message INTEGER, type TEXT NOT NULL,
            state TEXT NOT NULL, reason TEXT, attempts INTEGER NOT NULL DEFAULT 0, refusals INTEGER NOT NULL DEFAULT 0,
            createdAt INTEGER NOT NULL, lastAttemptAt INTEGER, nextAt INTEGER, doneAt INTEGER,
            UNIQUE (target, offset)
        );
        CREATE INDEX delivery_state ON delivery (target, state, offset);
        CREATE INDEX delivery_done ON delivery (target, doneAt) WHERE doneAt IS NOT NULL;
        CREATE INDEX delivery_message ON delivery (message) WHERE message IS NOT NULL;

        CREATE TABLE attempt (
            delivery INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, status INTEGER, error TEXT,
            milliseconds INTEGER NOT NULL, head BLOB,
            PRIMARY KEY (delivery, number)
        ) WITHOUT ROWID;
        """
}
