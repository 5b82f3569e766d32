import ChatModel
import Formats

extension Schema {
    /// The steps from the tables of each landed version to the next. ``Schema`` says what the tables are for; here
    /// stands only what a step does. A step that was landed is never changed.
    static let migrations = Migrator([
        script(firstTables), script(replies), script(members), addCollections, script(synchronization),
        script(attachments), script(contacts), script(remoteFiles), script(readingAndUse), script(unreadAndDeliveries),
        script(devicesAndWatermarks), script(threadOrder), script(notes + connectedSessions + agentsAndWaiting),
        script(places), script(greatFields + receiptHolders + lostOffsets + quotas + outgoingOrder),
        script(access), script(customersPages), script(teamsDay), script(extras + receiptsInOrder),
        packedEvents,
    ])

    /// From here on the rows of `log` are packed (``PackedJSON``), which earlier versions cannot read. Those that are there
    /// stay as they are.
    private static let packedEvents: Migrator.Step = { _ in }

    private static func script(_ sql: String) -> Migrator.Step { { try $0.execute(sql) } }

    private static let firstTables = """
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

    private static let replies = """
        ALTER TABLE message ADD COLUMN parent TEXT;
        ALTER TABLE message ADD COLUMN isInThread INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE message ADD COLUMN type TEXT NOT NULL DEFAULT 'text';
        ALTER TABLE message ADD COLUMN customType TEXT;
        ALTER TABLE message ADD COLUMN sender TEXT NOT NULL DEFAULT '';
        UPDATE message SET
            type = json_extract(CAST(json AS TEXT), '$.type'), sender = json_extract(CAST(json AS TEXT), '$.author.id'),
            customType = json_extract(CAST(json AS TEXT), '$.customType');

        DROP INDEX message_order;
        CREATE INDEX message_order ON message (thread, createdAt, number) WHERE isInThread = 1;
        CREATE INDEX message_aside ON message (thread, createdAt, number) WHERE isInThread = 0;
        CREATE INDEX message_replies ON message (thread, parent, createdAt, number) WHERE parent IS NOT NULL;
        """

    private static let members = """
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

    private static let collectionTables = """
        ALTER TABLE member ADD COLUMN createdAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE member ADD COLUMN nameKey BLOB NOT NULL DEFAULT x'FF';
        ALTER TABLE member ADD COLUMN customType TEXT;
        CREATE INDEX member_created ON member (account, createdAt, id);
        CREATE INDEX member_name ON member (account, nameKey, id);

        CREATE TABLE collection (
            session TEXT NOT NULL, id TEXT NOT NULL, createdAt INTEGER NOT NULL, definition BLOB NOT NULL,
            PRIMARY KEY (session, id)
        ) WITHOUT ROWID;
        """

    @Sendable private static func addCollections(_ db: SQLiteConnection) throws {
        try db.execute(collectionTables)
        // The keys are computed in one place, not once more in SQL.
        var number: Int64 = 0
        while let next = try db.first(
            "SELECT number, json FROM thread WHERE number > ? ORDER BY number LIMIT 1", [.integer(number)],
            { ($0.integer(0), $0.blob(1)) }
        ) {
            number = next.0
            try DatabaseSession.lite(db).write(ThreadKeys(try ChatThread(canonicalJSON: next.1)), ofThread: number)
        }
    }

    private static let synchronization = """
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

    private static let attachments = """
        CREATE TABLE attachment (
            id TEXT PRIMARY KEY, uploader INTEGER NOT NULL, thread INTEGER, message INTEGER, createdAt INTEGER NOT NULL,
            digest BLOB NOT NULL, json BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX attachment_message ON attachment (message) WHERE message IS NOT NULL;
        CREATE INDEX attachment_unsent ON attachment (createdAt) WHERE message IS NULL;
        """

    private static let contacts = """
        CREATE TABLE contact (
            number INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL, openedAt INTEGER NOT NULL, closedAt INTEGER
        );
        CREATE INDEX contact_thread ON contact (thread);

        CREATE TABLE waiting (thread INTEGER PRIMARY KEY, service TEXT NOT NULL, channel TEXT NOT NULL, since INTEGER NOT NULL);
        CREATE UNIQUE INDEX waiting_order ON waiting (service, channel, since, thread);

        CREATE TABLE inactivity (thread INTEGER PRIMARY KEY, dueAt INTEGER NOT NULL);
        CREATE INDEX inactivity_due ON inactivity (dueAt);
        """

    private static let remoteFiles = """
        CREATE TABLE remoteFile (attachment TEXT PRIMARY KEY, url TEXT NOT NULL, isHere INTEGER NOT NULL) WITHOUT ROWID;

        CREATE TABLE remoteChannel (
            service TEXT NOT NULL, id TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (service, id)
        ) WITHOUT ROWID;
        """

    /// Nobody knows when sessions from before were used: they count as used now.
    private static let readingAndUse = """
        ALTER TABLE thread ADD COLUMN channel TEXT NOT NULL DEFAULT '';
        UPDATE thread SET channel = (SELECT channel FROM account WHERE account.number = thread.owner);
        CREATE INDEX thread_desk_channel ON thread (channel, isClosed, activity, number) WHERE isKnownToDesk = 1;

        ALTER TABLE waiting ADD COLUMN told INTEGER NOT NULL DEFAULT 0;

        DROP INDEX thread_id;
        CREATE INDEX thread_id ON thread (id, owner);
        CREATE INDEX thread_channel ON thread (id, channel);

        ALTER TABLE session ADD COLUMN lastUsedAt INTEGER NOT NULL DEFAULT 0;
        UPDATE session SET lastUsedAt = max(createdAt, CAST(strftime('%s', 'now') AS INTEGER) * 1000);
        CREATE INDEX session_use ON session (lastUsedAt, id);

        CREATE INDEX attachment_uploader ON attachment (uploader) WHERE message IS NULL;
        """

    private static let unreadAndDeliveries = """
        CREATE INDEX member_unread ON member (account, unread)
        WHERE unread > 0 AND isClosed = 0 AND isHidden = 0 AND state = 'joined';

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

    private static let devicesAndWatermarks = """
        ALTER TABLE target ADD COLUMN address TEXT;
        UPDATE target SET address = json_extract(CAST(json AS TEXT), '$.subscription.endpoint') WHERE kind = 'webPush';
        CREATE INDEX target_address ON target (address) WHERE address IS NOT NULL;
        CREATE INDEX target_desk ON target (kind, number) WHERE account IS NULL;

        ALTER TABLE watermark ADD COLUMN fromAt INTEGER NOT NULL DEFAULT -1;
        ALTER TABLE watermark ADD COLUMN fromTo INTEGER NOT NULL DEFAULT -1;
        """

    private static let notes = """
        CREATE TABLE note (
            number INTEGER PRIMARY KEY, thread INTEGER NOT NULL, id TEXT NOT NULL, createdAt INTEGER NOT NULL,
            json BLOB NOT NULL
        );
        CREATE UNIQUE INDEX note_id ON note (thread, id);
        CREATE INDEX note_order ON note (thread, createdAt, number);
        """

    /// Who waits is told by the last message, as pages did it before: earlier ones are not looked for. Known agents are
    /// those of threads; the newest thread tells the name.
    private static let agentsAndWaiting = """
        CREATE TABLE answer (id TEXT PRIMARY KEY, name TEXT NOT NULL, json BLOB NOT NULL) WITHOUT ROWID;
        CREATE UNIQUE INDEX answer_name ON answer (name);

        CREATE TABLE agent (id TEXT PRIMARY KEY, seenAt INTEGER NOT NULL, json BLOB NOT NULL) WITHOUT ROWID;
        INSERT OR REPLACE INTO agent (id, seenAt, json)
        SELECT json_extract(text, '$.agent.id'), activity, CAST(json_extract(text, '$.agent') AS BLOB)
        FROM (SELECT activity, CAST(json AS TEXT) AS text FROM thread WHERE isKnownToDesk = 1)
        WHERE json_extract(text, '$.agent.id') IS NOT NULL ORDER BY activity;

        UPDATE thread SET json = CAST(json_set(
            CAST(json AS TEXT), '$.waitingSince', json_extract(CAST(json AS TEXT), '$.lastMessage.createdAt')) AS BLOB)
        WHERE isKnownToDesk = 1 AND isClosed = 0
            AND json_extract(CAST(json AS TEXT), '$.lastMessage.direction') = 'toAgent';
        UPDATE thread SET json = CAST(json_set(
            CAST(json AS TEXT), '$.waitingSince', json_extract(CAST(json AS TEXT), '$.createdAt')) AS BLOB)
        WHERE isKnownToDesk = 1 AND isClosed = 0
            AND json_extract(CAST(json AS TEXT), '$.queuePosition') IS NOT NULL
            AND json_extract(CAST(json AS TEXT), '$.lastMessage') IS NULL;
        """

    /// `OFFSET` is a reserved word of PostgreSQL's SQL. Only the schema's text is written.
    private static let places = """
        ALTER TABLE log RENAME COLUMN offset TO place;
        ALTER TABLE audience RENAME COLUMN offset TO place;
        ALTER TABLE delivery RENAME COLUMN offset TO place;
        """

    /// Fields that are in their threads' rows stay there until the thread changes.
    private static let greatFields = "CREATE TABLE fields (thread INTEGER PRIMARY KEY, json BLOB NOT NULL);"

    private static let receiptHolders = """

        ALTER TABLE receipt ADD COLUMN holder TEXT;
        CREATE INDEX receipt_holder ON receipt (holder, at) WHERE holder IS NOT NULL;
        """

    private static let lostOffsets = """

        CREATE TABLE lost (low INTEGER NOT NULL, high INTEGER NOT NULL, at INTEGER NOT NULL);
        """

    private static let outgoingOrder = """

        CREATE INDEX outgoing_order ON outgoing (account, number);
        """

    /// What was written before counts for nobody: to count it, all messages would be read and written anew.
    private static let quotas = """

        CREATE TABLE usage (account INTEGER PRIMARY KEY, texts INTEGER NOT NULL, files INTEGER NOT NULL);
        ALTER TABLE message ADD COLUMN payer INTEGER;
        ALTER TABLE message ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE attachment ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
        """

    private static let threadOrder = """
        DROP INDEX member_order;
        CREATE INDEX member_order ON member (account, isClosed, activity DESC, id);
        """

    private static let connectedSessions = """
        CREATE INDEX session_connected ON session (account) WHERE isConnected = 1;
        """

    private static let access = """
        CREATE TABLE accessKey (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, digest BLOB NOT NULL, previousDigest BLOB, previousUntil INTEGER,
            scopes BLOB NOT NULL, channels BLOB, agent BLOB, createdAt INTEGER NOT NULL, createdBy TEXT NOT NULL,
            expiresAt INTEGER, lastUsedAt INTEGER
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX accessKey_digest ON accessKey (digest);

        CREATE TABLE person (
            id TEXT PRIMARY KEY, email TEXT NOT NULL, proxyName TEXT, name TEXT NOT NULL, publicName TEXT,
            role TEXT NOT NULL, channels BLOB, state TEXT NOT NULL, password TEXT, picture BLOB,
            createdAt INTEGER NOT NULL, lastSeenAt INTEGER, settings BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX person_email ON person (email);
        CREATE UNIQUE INDEX person_proxyName ON person (proxyName);

        CREATE TABLE picture (digest BLOB NOT NULL PRIMARY KEY, type TEXT NOT NULL, bytes BLOB NOT NULL);

        CREATE TABLE login (
            id TEXT PRIMARY KEY, person TEXT NOT NULL, cookieDigest BLOB NOT NULL, pageDigest BLOB NOT NULL,
            how TEXT NOT NULL, label TEXT NOT NULL, createdAt INTEGER NOT NULL, lastUsedAt INTEGER NOT NULL,
            expiresAt INTEGER NOT NULL, confirmedAt INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX login_person ON login (person, createdAt, id);
        CREATE INDEX login_expiry ON login (expiresAt, id);

        CREATE TABLE invitation (
            digest BLOB PRIMARY KEY, person TEXT NOT NULL, createdAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL,
            createdBy TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX invitation_person ON invitation (person);

        CREATE TABLE audit (
            number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, actorName TEXT NOT NULL,
            action TEXT NOT NULL, subject TEXT NOT NULL, detail BLOB NOT NULL, address TEXT NOT NULL
        );
        CREATE INDEX audit_action ON audit (action, number);
        CREATE INDEX audit_actor ON audit (actor, number);
        CREATE INDEX audit_both ON audit (actor, action, number);

        ALTER TABLE target ADD COLUMN credential TEXT;
        CREATE INDEX target_credential ON target (credential) WHERE credential IS NOT NULL;
        """

    private static let customersPages = """
        ALTER TABLE session ADD COLUMN kind TEXT NOT NULL DEFAULT 'plain';
        ALTER TABLE session ADD COLUMN link TEXT;
        ALTER TABLE session ADD COLUMN life INTEGER;
        ALTER TABLE session ADD COLUMN endsAt INTEGER;
        ALTER TABLE session ADD COLUMN verifiedUntil INTEGER;
        ALTER TABLE session ADD COLUMN visit BLOB;
        CREATE INDEX session_end ON session (endsAt, id) WHERE endsAt IS NOT NULL;
        CREATE INDEX session_link ON session (link) WHERE link IS NOT NULL;

        CREATE TABLE link (
            id TEXT PRIMARY KEY, digest BLOB NOT NULL, session TEXT NOT NULL, account INTEGER NOT NULL,
            createdAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL, usesLeft INTEGER NOT NULL, label TEXT,
            createdBy TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX link_digest ON link (digest);
        CREATE INDEX link_session ON link (session, createdAt, id);
        CREATE INDEX link_expiry ON link (expiresAt, id);

        CREATE TABLE identitySecret (
            channel TEXT NOT NULL, id TEXT NOT NULL, createdAt INTEGER NOT NULL, PRIMARY KEY (channel, id)
        ) WITHOUT ROWID;
        """

    /// Agents and waiting times come from the threads' JSON. The lower case of e-mail addresses and names is that of ASCII
    /// until the customer is saved again.
    private static let teamsDay = """
        ALTER TABLE account ADD COLUMN email TEXT;
        ALTER TABLE account ADD COLUMN nameKey TEXT;
        UPDATE account SET
            email = lower(json_extract(CAST(json AS TEXT), '$.email')),
            nameKey = nullif(trim(lower(coalesce(json_extract(CAST(json AS TEXT), '$.firstName'), '') || ' '
                || coalesce(json_extract(CAST(json AS TEXT), '$.lastName'), ''))), '');
        CREATE INDEX account_email ON account (service, channel, email, number) WHERE email IS NOT NULL;
        CREATE INDEX account_name ON account (service, channel, nameKey, number) WHERE nameKey IS NOT NULL;

        CREATE INDEX session_account ON session (account, lastUsedAt);

        CREATE TABLE customerNote (
            number INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, id TEXT NOT NULL, json BLOB NOT NULL
        );
        CREATE UNIQUE INDEX customerNote_id ON customerNote (account, id);
        CREATE INDEX customerNote_order ON customerNote (account, number);

        ALTER TABLE answer ADD COLUMN shortcut TEXT;
        CREATE UNIQUE INDEX answer_shortcut ON answer (shortcut) WHERE shortcut IS NOT NULL;

        ALTER TABLE thread ADD COLUMN deskAgent TEXT;
        ALTER TABLE thread ADD COLUMN deskWait INTEGER;
        ALTER TABLE thread ADD COLUMN snoozedUntil INTEGER;
        ALTER TABLE thread ADD COLUMN team BLOB;
        ALTER TABLE thread ADD COLUMN messagesIn INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE thread ADD COLUMN messagesOut INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE thread ADD COLUMN answeredBy TEXT;
        UPDATE thread SET
            deskAgent = coalesce(json_extract(CAST(json AS TEXT), '$.agent.id'), ''),
            deskWait = CAST(round((julianday(json_extract(CAST(json AS TEXT), '$.waitingSince')) - 2440587.5) * 86400000)
                AS INTEGER)
        WHERE isClosed = 0 AND isKnownToDesk = 1;
        CREATE INDEX thread_waiting ON thread (deskWait, number, channel) WHERE deskWait IS NOT NULL;
        CREATE INDEX thread_agent ON thread (channel, deskAgent, number) WHERE deskAgent IS NOT NULL;
        CREATE INDEX thread_snooze ON thread (snoozedUntil, number, channel) WHERE snoozedUntil IS NOT NULL;

        CREATE TABLE tag (id TEXT PRIMARY KEY, name TEXT NOT NULL, position INTEGER NOT NULL, json BLOB NOT NULL) WITHOUT ROWID;
        CREATE UNIQUE INDEX tag_name ON tag (name);

        CREATE TABLE threadTag (tag TEXT NOT NULL, thread INTEGER NOT NULL, PRIMARY KEY (tag, thread)) WITHOUT ROWID;
        CREATE INDEX threadTag_thread ON threadTag (thread, tag);

        ALTER TABLE contact ADD COLUMN channel TEXT NOT NULL DEFAULT '';
        ALTER TABLE contact ADD COLUMN firstAnswerAt INTEGER;
        ALTER TABLE contact ADD COLUMN firstAgent TEXT;
        ALTER TABLE contact ADD COLUMN lastAgent TEXT;
        ALTER TABLE contact ADD COLUMN closedBy TEXT;
        ALTER TABLE contact ADD COLUMN messagesIn INTEGER;
        ALTER TABLE contact ADD COLUMN messagesOut INTEGER;
        ALTER TABLE contact ADD COLUMN firstAnswerOpen INTEGER;
        ALTER TABLE contact ADD COLUMN resolutionOpen INTEGER;
        ALTER TABLE contact ADD COLUMN waits INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE contact ADD COLUMN waited INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE contact ADD COLUMN longestWait INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE contact ADD COLUMN reopenedFrom INTEGER;
        ALTER TABLE contact ADD COLUMN tags BLOB;
        ALTER TABLE contact ADD COLUMN score INTEGER;
        UPDATE contact SET channel = coalesce((SELECT channel FROM thread WHERE number = contact.thread), '');
        CREATE INDEX contact_opened ON contact (openedAt);
        CREATE INDEX contact_closed ON contact (closedAt) WHERE closedAt IS NOT NULL;
        """

    private static let extras = """
        CREATE TABLE extra (
            kind TEXT NOT NULL, row INTEGER NOT NULL, key TEXT NOT NULL, json BLOB NOT NULL, PRIMARY KEY (kind, row, key)
        ) WITHOUT ROWID;
        """

    private static let receiptsInOrder = """

        ALTER TABLE receipt RENAME TO former;
        CREATE TABLE receipt (
            scope TEXT NOT NULL PRIMARY KEY, fingerprint TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
            body BLOB NOT NULL, message INTEGER, at INTEGER NOT NULL, holder TEXT
        );
        INSERT INTO receipt SELECT scope, fingerprint, kind, id, body, message, at, holder FROM former ORDER BY at;
        DROP TABLE former;
        CREATE INDEX receipt_at ON receipt (at);
        CREATE INDEX receipt_holder ON receipt (holder, at) WHERE holder IS NOT NULL;
        CREATE INDEX receipt_message ON receipt (message) WHERE message IS NOT NULL;
        """
}
