/// The tables as they are today, in one place. A new database is made of this text; an older one is brought here by
/// ``Schema/migrations``. A test compares what both ways lead to.
///
/// - Each stored key begins with the account, directly or through its thread.
/// - `json` is the canonical JSON that answers show. The columns beside it repeat what SQL must see.
/// - Times are milliseconds since 1970. A place among messages is a time and a number: two columns `..At` and `..To`,
///   which are -1 for "before the first message".
/// - `thread`, `message`, `account`, `target` in other tables are the `number` of the row there.
/// - A column with a default was added by a migration: it stands last in its table.
enum Schema {
    static let tables = people + access + threads + messages + notes + extras + eventLog + deliveries + remote

    /// Makes all tables in an empty database, and brings an older one to today's tables.
    static func prepare(_ db: SQLiteConnection) throws {
        try db.transaction {
            guard try db.first("SELECT 1 FROM sqlite_master LIMIT 1", [], { _ in true }) == nil else { return }
            try db.execute(tables)
            try migrations.noteAll(in: db)
        }
        try migrations.run(on: db)
    }

    /// - `meta`: what there is once: epoch, instance, head and floor of the log, and the like.
    /// - `account`: (service, channel, customer), with the customer and the customer's custom fields. `email` and `nameKey`
    ///   are in lower case, for the desk's search.
    /// - `customerNote`: what the desk's agents write about a customer for one another.
    /// - `usage`: what counts for the quotas of an account, in bytes; see ``AccountUsage``.
    /// - `channel`: the channels that the desk configured, in their order.
    /// - `session`: `generation` counts its lives; `lastUsedAt` is kept coarsely; `resend` is its policy for unsent
    ///   messages. `endsAt` is `lastUsedAt` and `life`, for sessions that end when nobody uses them. `visit` is JSON.
    /// - `link`: the codes with which a customer comes to a session of their own; see ``CustomerLink``.
    /// - `identitySecret`: which secrets a channel has for the identity of its customers; see ``IdentitySecret``.
    /// - `answer`: the answers that agents keep for all of them, by name and by the word that calls them up.
    /// - `agent`: who was at work at the desk, and when last, kept coarsely.
    /// - `collection`: the definition of each collection of a session. Its rows are not stored.
    private static let people = """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

        CREATE TABLE account (
            number INTEGER PRIMARY KEY,
            service TEXT NOT NULL, channel TEXT NOT NULL, customer TEXT NOT NULL,
            json BLOB NOT NULL, customFields BLOB NOT NULL, createdAt INTEGER NOT NULL,
            email TEXT, nameKey TEXT,
            UNIQUE (service, channel, customer)
        );
        CREATE INDEX account_email ON account (service, channel, email, number) WHERE email IS NOT NULL;
        CREATE INDEX account_name ON account (service, channel, nameKey, number) WHERE nameKey IS NOT NULL;

        CREATE TABLE usage (account INTEGER PRIMARY KEY, texts INTEGER NOT NULL, files INTEGER NOT NULL);

        CREATE TABLE channel (
            service TEXT NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL, json BLOB NOT NULL,
            PRIMARY KEY (service, id)
        ) WITHOUT ROWID;

        CREATE TABLE session (
            id TEXT PRIMARY KEY, account INTEGER NOT NULL, generation INTEGER NOT NULL,
            isConnected INTEGER NOT NULL, createdAt INTEGER NOT NULL,
            resend TEXT NOT NULL DEFAULT 'manual', lastUsedAt INTEGER NOT NULL DEFAULT 0,
            kind TEXT NOT NULL DEFAULT 'plain', link TEXT, life INTEGER, endsAt INTEGER, verifiedUntil INTEGER, visit BLOB
        ) WITHOUT ROWID;
        CREATE INDEX session_order ON session (createdAt, id);
        CREATE INDEX session_use ON session (lastUsedAt, id);
        CREATE INDEX session_end ON session (endsAt, id) WHERE endsAt IS NOT NULL;
        CREATE INDEX session_link ON session (link) WHERE link IS NOT NULL;
        CREATE INDEX session_connected ON session (account) WHERE isConnected = 1;
        CREATE INDEX session_account ON session (account, lastUsedAt);

        CREATE TABLE customerNote (
            number INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, id TEXT NOT NULL, json BLOB NOT NULL
        );
        CREATE UNIQUE INDEX customerNote_id ON customerNote (account, id);
        CREATE INDEX customerNote_order ON customerNote (account, number);

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

        CREATE TABLE agent (id TEXT PRIMARY KEY, seenAt INTEGER NOT NULL, json BLOB NOT NULL) WITHOUT ROWID;

        CREATE TABLE answer (id TEXT PRIMARY KEY, name TEXT NOT NULL, json BLOB NOT NULL, shortcut TEXT) WITHOUT ROWID;
        CREATE UNIQUE INDEX answer_name ON answer (name);
        CREATE UNIQUE INDEX answer_shortcut ON answer (shortcut) WHERE shortcut IS NOT NULL;

        CREATE TABLE collection (
            session TEXT NOT NULL, id TEXT NOT NULL, createdAt INTEGER NOT NULL, definition BLOB NOT NULL,
            PRIMARY KEY (session, id)
        ) WITHOUT ROWID;

        """

    /// Who is let in, and what they did. Digests are SHA-256; `scopes`, `channels`, `agent`, `settings` and `detail` are JSON.
    ///
    /// - `accessKey`: the keys of programs; see ``AccessKey``.
    /// - `person`: the shop's people; see ``Person``. `password` is what crypt makes of it.
    /// - `picture`: the pictures of persons. One that several have is here once.
    /// - `login`: what browsers hold; see ``Login``. The person of an operator's login is the empty text.
    /// - `invitation`: the codes with which persons choose a password, at most one for each.
    /// - `audit`: what was done and by whom; see ``AuditEntry``. Each index has the entries of one filter in their order.
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

        """

    /// - `thread`: `channel` is its owner's, so that the desk's list of a channel is a range of an index.
    ///   `customerRead..` is the furthest that any member has read, ever: it stays when that member leaves. One id may
    ///   name threads of many customers. `deskAgent` (the agent's id, empty for nobody) and `deskWait` (since when the
    ///   customer waits) are null unless the thread is in the desk's open list: known, open and not snoozed. `team` has
    ///   the members of JSON that the desk alone sees, see ``ThreadTeam``. `messagesIn`, `messagesOut` and `answeredBy` (who of the
    ///   team has answered last) are about its last contact.
    /// - `thread_waiting`, `thread_agent`, `thread_snooze`: the desk's counts read these indexes alone.
    /// - `tag`, `threadTag`: the words with which the desk sorts threads. A tag's `name` is in lower case.
    /// - `member`: one row for each member of a thread, with what that member's lists order and filter by. `nameKey` is
    ///   the name in lower case; FF, a byte that UTF-8 never has, puts threads without a name last. No message changes
    ///   `createdAt`, `nameKey` and `customType`, so a send writes none of their indexes.
    /// - `member_unread`: the rows that a total of unread messages is made of, and no others.
    /// - `contact`: the routed work items; a number is never used again. It stays when its thread is removed, for the
    ///   reports. Agents are ids. The two columns `..Open` are milliseconds of opening hours. Messages and tags are null
    ///   while it is open: then they are the thread's.
    /// - `waiting`: live chats that no agent has taken, in the order of their queue. `told` is the position that the
    ///   thread shows; 0 is told anew.
    /// - `inactivity`: when something is to happen to a live chat whose customer is silent.
    /// - `fields`: custom fields that are not stored with their thread, see ``GreatFields``.
    /// - `erasure`: threads whose history was reset: the messages up to the time `line` are still to be erased. For a
    ///   removed thread, ``Erasure`` tells what the line means.
    private static let threads = """
        CREATE TABLE thread (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            owner INTEGER NOT NULL, id TEXT NOT NULL,
            isKnownToDesk INTEGER NOT NULL, isClosed INTEGER NOT NULL, activity INTEGER NOT NULL,
            version INTEGER NOT NULL, messagesVersion INTEGER NOT NULL, lastMessage INTEGER,
            deskReadAt INTEGER NOT NULL DEFAULT -1, deskReadTo INTEGER NOT NULL DEFAULT -1,
            json BLOB NOT NULL,
            customerReadAt INTEGER NOT NULL DEFAULT -1, customerReadTo INTEGER NOT NULL DEFAULT -1,
            channel TEXT NOT NULL DEFAULT '',
            deskAgent TEXT, deskWait INTEGER, snoozedUntil INTEGER, team BLOB,
            messagesIn INTEGER NOT NULL DEFAULT 0, messagesOut INTEGER NOT NULL DEFAULT 0, answeredBy TEXT
        );
        CREATE INDEX thread_id ON thread (id, owner);
        CREATE INDEX thread_channel ON thread (id, channel);
        CREATE INDEX thread_desk ON thread (isClosed, activity, number) WHERE isKnownToDesk = 1;
        CREATE INDEX thread_desk_channel ON thread (channel, isClosed, activity, number) WHERE isKnownToDesk = 1;
        CREATE INDEX thread_waiting ON thread (deskWait, number, channel) WHERE deskWait IS NOT NULL;
        CREATE INDEX thread_agent ON thread (channel, deskAgent, number) WHERE deskAgent IS NOT NULL;
        CREATE INDEX thread_snooze ON thread (snoozedUntil, number, channel) WHERE snoozedUntil IS NOT NULL;

        CREATE TABLE tag (id TEXT PRIMARY KEY, name TEXT NOT NULL, position INTEGER NOT NULL, json BLOB NOT NULL) WITHOUT ROWID;
        CREATE UNIQUE INDEX tag_name ON tag (name);

        CREATE TABLE threadTag (tag TEXT NOT NULL, thread INTEGER NOT NULL, PRIMARY KEY (tag, thread)) WITHOUT ROWID;
        CREATE INDEX threadTag_thread ON threadTag (thread, tag);

        CREATE TABLE member (
            account INTEGER NOT NULL, thread INTEGER NOT NULL, id TEXT NOT NULL,
            isClosed INTEGER NOT NULL, activity INTEGER NOT NULL, unread INTEGER NOT NULL DEFAULT 0,
            readAt INTEGER NOT NULL DEFAULT -1, readTo INTEGER NOT NULL DEFAULT -1,
            state TEXT NOT NULL DEFAULT 'joined', isHidden INTEGER NOT NULL DEFAULT 0, historyResetAt INTEGER,
            createdAt INTEGER NOT NULL DEFAULT 0, nameKey BLOB NOT NULL DEFAULT x'FF', customType TEXT,
            PRIMARY KEY (account, id)
        ) WITHOUT ROWID;
        CREATE INDEX member_thread ON member (thread);
        CREATE INDEX member_order ON member (account, isClosed, activity DESC, id);
        CREATE INDEX member_created ON member (account, createdAt, id);
        CREATE INDEX member_name ON member (account, nameKey, id);
        CREATE INDEX member_unread ON member (account, unread)
        WHERE unread > 0 AND isClosed = 0 AND isHidden = 0 AND state = 'joined';

        CREATE TABLE contact (
            number INTEGER PRIMARY KEY AUTOINCREMENT, thread INTEGER NOT NULL, openedAt INTEGER NOT NULL, closedAt INTEGER,
            channel TEXT NOT NULL DEFAULT '', firstAnswerAt INTEGER, firstAgent TEXT, lastAgent TEXT, closedBy TEXT,
            messagesIn INTEGER, messagesOut INTEGER, firstAnswerOpen INTEGER, resolutionOpen INTEGER,
            waits INTEGER NOT NULL DEFAULT 0, waited INTEGER NOT NULL DEFAULT 0,
            longestWait INTEGER NOT NULL DEFAULT 0, reopenedFrom INTEGER, tags BLOB, score INTEGER
        );
        CREATE INDEX contact_thread ON contact (thread);
        CREATE INDEX contact_opened ON contact (openedAt);
        CREATE INDEX contact_closed ON contact (closedAt) WHERE closedAt IS NOT NULL;

        CREATE TABLE waiting (
            thread INTEGER PRIMARY KEY, service TEXT NOT NULL, channel TEXT NOT NULL, since INTEGER NOT NULL,
            told INTEGER NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX waiting_order ON waiting (service, channel, since, thread);

        CREATE TABLE inactivity (thread INTEGER PRIMARY KEY, dueAt INTEGER NOT NULL);
        CREATE INDEX inactivity_due ON inactivity (dueAt);

        CREATE TABLE erasure (thread INTEGER PRIMARY KEY, line INTEGER NOT NULL);

        CREATE TABLE fields (thread INTEGER PRIMARY KEY, json BLOB NOT NULL);

        """

    /// - `message`: `isInThread` is 0 for replies that stand beside the conversation. The conversation's own list and
    ///   these replies have an index each, so that neither reads past the other's rows. `payer` is the account for whose
    ///   quota it counts, with `bytes`.
    /// - `tombstone`: the ids of messages that were removed: they are not used again.
    /// - `watermark`: a reading of many messages at once: what was sent in one direction, after `from..` and up to
    ///   `read..`, was seen at `seenAt`. `from..` is -1 in rows from before these columns.
    /// - `replier`: one row for each author of replies and parent (the parent by its number), so that the most frequent
    ///   authors are found without counting replies.
    /// - `attachment`: files by their ids; the bytes stand beside the database (``FileStore``). An uploader of 0 is the
    ///   desk. A row without a message is an upload that was not sent yet. One whose message is gone is nobody's, and
    ///   is swept. `bytes` is what it counts for its uploader's quota.
    private static let messages = """
        CREATE TABLE message (
            number INTEGER PRIMARY KEY,
            thread INTEGER NOT NULL, id TEXT NOT NULL, createdAt INTEGER NOT NULL,
            isToAgent INTEGER NOT NULL, isSeen INTEGER NOT NULL, version INTEGER NOT NULL, json BLOB NOT NULL,
            parent TEXT, isInThread INTEGER NOT NULL DEFAULT 1, type TEXT NOT NULL DEFAULT 'text', customType TEXT,
            sender TEXT NOT NULL DEFAULT '', payer INTEGER, bytes INTEGER NOT NULL DEFAULT 0
        );
        CREATE UNIQUE INDEX message_id ON message (thread, id);
        CREATE INDEX message_order ON message (thread, createdAt, number) WHERE isInThread = 1;
        CREATE INDEX message_aside ON message (thread, createdAt, number) WHERE isInThread = 0;
        CREATE INDEX message_replies ON message (thread, parent, createdAt, number) WHERE parent IS NOT NULL;

        CREATE TABLE tombstone (thread INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (thread, id)) WITHOUT ROWID;

        CREATE TABLE watermark (
            thread INTEGER NOT NULL, isToAgent INTEGER NOT NULL, readAt INTEGER NOT NULL, readTo INTEGER NOT NULL,
            seenAt INTEGER NOT NULL, version INTEGER NOT NULL,
            fromAt INTEGER NOT NULL DEFAULT -1, fromTo INTEGER NOT NULL DEFAULT -1,
            PRIMARY KEY (thread, isToAgent, readAt, readTo)
        ) WITHOUT ROWID;

        CREATE TABLE replier (
            parent INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, count INTEGER NOT NULL, author BLOB NOT NULL,
            PRIMARY KEY (parent, kind, id)
        ) WITHOUT ROWID;
        CREATE INDEX replier_order ON replier (parent, count DESC);

        CREATE TABLE attachment (
            id TEXT PRIMARY KEY, uploader INTEGER NOT NULL, thread INTEGER, message INTEGER, createdAt INTEGER NOT NULL,
            digest BLOB NOT NULL, json BLOB NOT NULL, bytes INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE INDEX attachment_message ON attachment (message) WHERE message IS NOT NULL;
        CREATE INDEX attachment_unsent ON attachment (createdAt) WHERE message IS NULL;
        CREATE INDEX attachment_uploader ON attachment (uploader) WHERE message IS NULL;

        """

    /// - `note`: what agents write about a thread for one another. `number` is the offset of its event, as a message's
    ///   is, so the two never share one.
    private static let notes = """
        CREATE TABLE note (
            number INTEGER PRIMARY KEY, thread INTEGER NOT NULL, id TEXT NOT NULL, createdAt INTEGER NOT NULL,
            json BLOB NOT NULL
        );
        CREATE UNIQUE INDEX note_id ON note (thread, id);
        CREATE INDEX note_order ON note (thread, createdAt, number);

        """

    /// - `extra`: what another platform keeps beside an account, a thread or a message, under a key of its own; see
    ///   ``ExtraRow``.
    private static let extras = """
        CREATE TABLE extra (
            kind TEXT NOT NULL, row INTEGER NOT NULL, key TEXT NOT NULL, json BLOB NOT NULL, PRIMARY KEY (kind, row, key)
        ) WITHOUT ROWID;

        """

    /// - `log`: every change, in the order of its commit. `place` is the event's offset: `OFFSET` is a word of SQL. `data`
    ///   is the event's payload as ``StoredEvent`` packs it; `message` is set where the payload has the text of a message or a note, which is removed
    ///   together with it.
    /// - `audience`: which accounts an event concerns, for a replay that reads no rows of others.
    /// - `lost`: ranges of offsets that were given out and lost again, see ``LostOffsets``.
    /// - `receipt`: the answers to requests with an idempotency key, by the key's scope. A scope is random and an answer is
    ///   long, so the rows stand in the order of their time: a group of messages writes few pages of them.
    private static let eventLog = """
        CREATE TABLE log (
            place INTEGER PRIMARY KEY, at INTEGER NOT NULL, type TEXT NOT NULL, owner INTEGER NOT NULL,
            message INTEGER, audience BLOB NOT NULL, data BLOB NOT NULL
        );
        CREATE INDEX log_message ON log (message) WHERE message IS NOT NULL;

        CREATE TABLE audience (
            account INTEGER NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (account, place)
        ) WITHOUT ROWID;

        CREATE TABLE lost (low INTEGER NOT NULL, high INTEGER NOT NULL, at INTEGER NOT NULL);

        CREATE TABLE receipt (
            scope TEXT NOT NULL PRIMARY KEY, fingerprint TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
            body BLOB NOT NULL, message INTEGER, at INTEGER NOT NULL, holder TEXT
        );
        CREATE INDEX receipt_at ON receipt (at);
        CREATE INDEX receipt_holder ON receipt (holder, at) WHERE holder IS NOT NULL;
        CREATE INDEX receipt_message ON receipt (message) WHERE message IS NOT NULL;

        """

    /// Where events go that leave the gateway, and how far they are on their way. No body is stored: a delivery names
    /// an offset of the log, and what is sent is made anew at each attempt.
    ///
    /// - `target`: a webhook or a device. Without an account, the desk's events go there. `position` is the last offset
    ///   that was taken. The log lost events in the range from `gapFrom` to `gapTo` before they were taken or
    ///   delivered, and the target was not told yet. `address` is where a device is reached, so that it is found when
    ///   it is registered again; it is nil for webhooks and for devices that are gone. `credential` is by which login or key
    ///   a device of the desk was registered (``DeskCredential``): it ends with that.
    /// - `delivery`: `lane` is the same for all events of a thread, 0 without one. `refusals` counts the attempts after
    ///   which the target took other events, but not this one.
    /// - `attempt`: the newest of each delivery. `head` is the beginning of an answer, which may repeat what was sent.
    private static let deliveries = """
        CREATE TABLE target (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, account INTEGER, session TEXT, json BLOB NOT NULL,
            generation INTEGER NOT NULL, previousUntil INTEGER, state TEXT NOT NULL, reason TEXT,
            position INTEGER NOT NULL, gapFrom INTEGER, gapTo INTEGER,
            failingSince INTEGER, failures INTEGER NOT NULL, lastAttemptAt INTEGER, nextAt INTEGER,
            createdAt INTEGER NOT NULL, version INTEGER NOT NULL,
            address TEXT, credential TEXT
        );
        CREATE INDEX target_kind ON target (kind, number);
        CREATE INDEX target_account ON target (account, kind) WHERE account IS NOT NULL;
        CREATE INDEX target_address ON target (address) WHERE address IS NOT NULL;
        CREATE INDEX target_desk ON target (kind, number) WHERE account IS NULL;
        CREATE INDEX target_credential ON target (credential) WHERE credential IS NOT NULL;

        CREATE TABLE delivery (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            target INTEGER NOT NULL, place INTEGER NOT NULL, lane INTEGER NOT NULL, message INTEGER, type TEXT NOT NULL,
            state TEXT NOT NULL, reason TEXT, attempts INTEGER NOT NULL DEFAULT 0, refusals INTEGER NOT NULL DEFAULT 0,
            createdAt INTEGER NOT NULL, lastAttemptAt INTEGER, nextAt INTEGER, doneAt INTEGER,
            UNIQUE (target, place)
        );
        CREATE INDEX delivery_state ON delivery (target, state, place);
        CREATE INDEX delivery_done ON delivery (target, doneAt) WHERE doneAt IS NOT NULL;
        CREATE INDEX delivery_message ON delivery (message) WHERE message IS NOT NULL;

        CREATE TABLE attempt (
            delivery INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, status INTEGER, error TEXT,
            milliseconds INTEGER NOT NULL, head BLOB,
            PRIMARY KEY (delivery, number)
        ) WITHOUT ROWID;

        """

    /// What is kept of a remote service beside its rows.
    ///
    /// - `chunk`: ranges of a thread's messages that are complete here.
    /// - `orphan`: threads that are gone here and whose messages are still to be deleted.
    /// - `remoteID`: the service's id of a message that has another id here.
    /// - `syncPosition`: how far was synchronized, as a token of the service.
    /// - `outgoing`: own messages that the service has not confirmed.
    /// - `remoteFile`: where a file is kept there, by the id of its attachment. `isHere` is 0 while the bytes were not
    ///   fetched: then the attachment has no digest and size yet.
    /// - `remoteChannel`: where a channel of a service is reached.
    private static let remote = """
        CREATE TABLE chunk (
            thread INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL, isOpen INTEGER NOT NULL,
            PRIMARY KEY (thread, low)
        ) WITHOUT ROWID;
        CREATE INDEX chunk_open ON chunk (thread) WHERE isOpen = 1;

        CREATE TABLE orphan (thread INTEGER PRIMARY KEY);

        CREATE TABLE remoteID (
            thread INTEGER NOT NULL, remote TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (thread, remote)
        ) WITHOUT ROWID;

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
        CREATE INDEX outgoing_order ON outgoing (account, number);
        CREATE INDEX outgoing_expiry ON outgoing (account, failedAt) WHERE isFailed = 1;

        CREATE TABLE remoteFile (attachment TEXT PRIMARY KEY, url TEXT NOT NULL, isHere INTEGER NOT NULL) WITHOUT ROWID;

        CREATE TABLE remoteChannel (
            service TEXT NOT NULL, id TEXT NOT NULL, address TEXT NOT NULL, PRIMARY KEY (service, id)
        ) WITHOUT ROWID;
        """
}
