import ChatModel
import Formats

extension WriteTransaction {
    /// Adds a message, and logs `message.created`. Returns nil when the thread has a message of this id.
    ///
    /// The caller updates the thread's preview and counts, and saves the thread next. Throws `messageIdConflict` when
    /// a message of this id was removed: a removed message never comes back.
    ///
    /// - Parameter payer: the account for whose quota it counts; nil if it counts for nobody.
    public func insert(
        _ message: Message, into thread: inout ThreadRecord, withDesk: Bool, countedFor payer: Int64? = nil
    ) throws -> MessageRecord? {
        // Before the first change: a unit that fails after one has to be undone.
        if try isRemoved(message.id, in: thread) {
            throw ChatError(.messageIdConflict, "A message of this id was removed from the thread.", pointer: "/id")
        }
        let (number, encoded) = (nextOffset, Encoded(message))
        guard try insertRow(encoded, number: number, version: number, in: thread, countedFor: payer) else { return nil }
        newest = (number, encoded.bytes)
        if let payer { try count(texts: Int64(encoded.bytes.count), of: payer) }
        // A remote platform names a message's author and nobody else.
        let cause = EventCause(actor: actor ?? message.author)
        let event = MessageCreatedEvent(threadID: thread.thread.id, message: encoded, by: cause)
        try log(event, message: number, at: message.createdAt, in: &thread, withDesk: withDesk)
        let record = MessageRecord(number: number, encoded: encoded, version: number)
        deeds?.append(.messageSent(record, thread))
        return record
    }

    /// Whether a message of this id was removed from the thread.
    func isRemoved(_ id: String, in thread: ThreadRecord) throws -> Bool {
        guard try facts(of: thread).hasTombstones else { return false }
        return try db.first(
            "SELECT 1 FROM tombstone WHERE thread = ? AND id = ?", [.integer(thread.number), .text(id)]
        ) { _ in true } == true
    }

    /// Adds a message's row and logs nothing. Returns false when the thread has a message of this id.
    func insertRow(
        _ encoded: Encoded<Message>, number: Int64, version: Int64, in thread: ThreadRecord,
        countedFor payer: Int64? = nil
    ) throws -> Bool {
        let message = encoded.value
        if !message.isInConversation { hot?.forgetFacts(of: thread.number) }
        return try db.add(
            Self.rowAddition,
            [
                .integer(number), .integer(thread.number), .text(message.id), .integer(message.createdAt.milliseconds),
                .flag(message.direction == .toAgent), .blob(encoded.bytes), .optional(message.parentID),
                .flag(message.isInConversation), .text(message.type.rawValue), .optional(message.customType),
                .text(message.author.id), .flag(message.status == .seen), .integer(version), .optional(payer),
                .integer(payer == nil ? 0 : Int64(encoded.bytes.count)),
            ])
    }

    private static let rowAddition = RowAddition(
        """
        INSERT INTO message (
            number, thread, id, createdAt, isToAgent, isSeen, version, json, parent, isInThread, type, customType, sender,
            payer, bytes)
        VALUES (?1, ?2, ?3, ?4, ?5, ?12, ?13, ?6, ?7, ?8, ?9, ?10, ?11, ?14, ?15)
        """, key: "thread, id")

    /// Writes a changed message, logs `message.updated`, and sets the record's new version. The thread is not saved.
    public func save(_ record: inout MessageRecord, in thread: inout ThreadRecord, withDesk: Bool) throws {
        let encoded = Encoded(record.message)
        let changes = record.changes
        let event = MessageUpdatedEvent(threadID: thread.thread.id, message: encoded, by: cause(changes))
        record.noteTold()
        record.version = try log(
            event, message: record.number, at: record.message.createdAt, in: &thread, withDesk: withDesk)
        try write(record, json: encoded.bytes)
        if changes.contains("customType") {
            try db.run(
                "UPDATE message SET customType = ? WHERE number = ?",
                [.optional(record.message.customType), .integer(record.number)])
        }
        deeds?.append(.messageChanged(record, thread, changes: changes))
    }

    /// Writes the row of a message that has changed; logging it is the caller's.
    func write(_ record: MessageRecord, json: [UInt8]) throws {
        try releaseEvents(of: record.number)
        try db.run(
            "UPDATE message SET isSeen = ?, version = ?, json = ? WHERE number = ?",
            [.flag(record.message.status == .seen), .integer(record.version), .blob(json), .integer(record.number)])
    }

    /// Removes a message with its attachments and its text in rows, log, ring and receipts, and logs
    /// `message.removed`. The thread is not saved.
    public func remove(_ record: MessageRecord, in thread: inout ThreadRecord, withDesk: Bool) throws {
        let event = try erase(record.number, id: record.message.id, in: thread)
        try log(event, message: nil, at: record.message.createdAt, in: &thread, withDesk: withDesk)
        deeds?.append(.messageRemoved(record, thread))
    }

    /// Notes that a message's id must not be used again.
    func bury(_ id: String, in thread: ThreadRecord) throws {
        hot?.forgetFacts(of: thread.number)
        try db.run(
            "INSERT INTO tombstone (thread, id) VALUES (?, ?) ON CONFLICT (thread, id) DO NOTHING",
            [.integer(thread.number), .text(id)])
    }

    /// Removes a message like ``remove(_:in:withDesk:)``, but logs nothing. A tombstone keeps its id in use.
    ///
    /// Returns the event that names the message; the caller may log it.
    func erase(_ number: Int64, id: String, in thread: ThreadRecord) throws -> MessageRemovedEvent {
        // The event of a thread that began with it stays, and may have its row as the base.
        try scrub(message: number)
        let counted = try db.first(
            "DELETE FROM message WHERE number = ? RETURNING coalesce(payer, 0), bytes", [.integer(number)]
        ) { (payer: $0.integer(0), bytes: $0.integer(1)) }
        if let counted, counted.bytes > 0 { try count(texts: -counted.bytes, of: counted.payer) }
        try db.run("DELETE FROM replier WHERE parent = ?", [.integer(number)])
        try removeExtras(of: .message(number))
        try bury(id, in: thread)
        try discardAttachments(of: number)
        let event = MessageRemovedEvent(threadID: thread.thread.id, messageID: id, by: cause)
        let answer = MessageRemovedEvent(threadID: thread.thread.id, messageID: id, by: .unknown)
        try scrubReceipts(message: number, replacement: answer.data)
        return event
    }

    /// Takes text, files and author from a message that cannot be removed, because it has replies, and logs
    /// `message.updated`. The thread is not saved.
    public func redact(_ record: inout MessageRecord, in thread: inout ThreadRecord, withDesk: Bool) throws {
        deeds?.append(.messageRemoved(record, thread))
        try scrub(message: record.number)
        try discardAttachments(of: record.number)
        try removeExtras(of: .message(record.number))
        if let payer = try payer(of: record.number) { try count(texts: -payer.bytes, of: payer.account) }
        record.message = record.message.redacted(at: now)
        try scrubReceipts(message: record.number, replacement: record.message.canonicalJSON)
        try db.run(
            "UPDATE message SET sender = ?, type = ?, customType = NULL, payer = NULL, bytes = 0 WHERE number = ?",
            [
                .text(record.message.author.id), .text(record.message.type.rawValue), .integer(record.number),
            ])
        try save(&record, in: &thread, withDesk: withDesk)
    }

    /// Makes this message the thread's preview; nil for none. The caller saves the thread.
    public func setLastMessage(_ record: MessageRecord?, of thread: inout ThreadRecord) {
        thread.thread.lastMessage = record.map { MessagePreview($0.message) }
        thread.lastMessageNumber = record?.number
    }

    /// Logs an event about a message of the thread.
    ///
    /// Returns its offset, which is the new version of the list of messages.
    ///
    /// - Parameters:
    ///   - message: the number of the message whose text the data carries.
    ///   - time: when the message that the event is about was created.
    @discardableResult
    func log(
        _ event: some FeedEvent, message: Int64?, at time: Timestamp, in thread: inout ThreadRecord, withDesk: Bool
    ) throws -> Int64 {
        let members = thread.audience(withDesk: withDesk, ofMessageAt: time)
        let offset = try append(event, owner: thread.owner, message: message, members: members)
        thread.messagesVersion = offset
        touch(thread: thread.number)
        return offset
    }
}

extension ReadTransaction {
    /// The place of the newest reply that is not in the conversation; nil if there is none.
    public func newestAside(in thread: ThreadRecord) throws -> MessagePosition? {
        try hot == nil ? readNewestAside(in: thread) : facts(of: thread).newestAside
    }

    private func readNewestAside(in thread: ThreadRecord) throws -> MessagePosition? {
        try db.first(
            "SELECT createdAt, number FROM message WHERE thread = ? AND isInThread = 0 ORDER BY createdAt DESC, number DESC LIMIT 1",
            [.integer(thread.number)]
        ) { MessagePosition(createdAt: $0.integer(0), number: $0.integer(1)) }
    }

    /// What the writer keeps of the thread's messages; read when it is not kept.
    func facts(of thread: ThreadRecord) throws -> HotRows.Facts {
        if let known = hot?.facts(of: thread.number) {
            #if DEBUG
                try checkHot(known, is: readFacts(of: thread))
            #endif
            return known
        }
        let facts = try readFacts(of: thread)
        hot?.cache(facts, of: thread.number)
        return facts
    }

    private func readFacts(of thread: ThreadRecord) throws -> HotRows.Facts {
        let tombstone = try db.first(
            "SELECT 1 FROM tombstone WHERE thread = ? LIMIT 1", [.integer(thread.number)]
        ) { _ in true }
        return HotRows.Facts(newestAside: try readNewestAside(in: thread), hasTombstones: tombstone == true)
    }

    /// The newest message of the conversation that was not hidden from everybody; nil if there is none.
    public func newestMessage(in thread: ThreadRecord) throws -> MessageRecord? {
        try db.first(
            """
            SELECT \(MessageRecord.columns) FROM message WHERE thread = ? AND isInThread = 1 AND createdAt > ?
            ORDER BY createdAt DESC, number DESC LIMIT 1
            """, [.integer(thread.number), .integer(thread.thread.historyResetAt?.milliseconds ?? -1)]
        ) { try messageRecord($0, in: thread) }
    }
}

/// What a parent tells of its replies, kept with each of them: the service's word, so that nobody counts.
extension WriteTransaction {
    /// Adds an inserted reply to its parent's count, and logs `thread.info`.
    public func count(
        _ reply: MessageRecord, on parent: inout MessageRecord, in thread: inout ThreadRecord, withDesk: Bool
    ) throws {
        let author = reply.message.author
        try db.run(
            """
            INSERT INTO replier (parent, kind, id, count, author) VALUES (?, ?, ?, 1, ?)
            ON CONFLICT (parent, kind, id) DO UPDATE SET count = replier.count + 1, author = excluded.author
            """,
            [.integer(parent.number), .text(author.kind.rawValue), .text(author.id), .blob(author.canonicalJSON)])
        try setReplies(
            of: &parent, count: parent.message.replyCount + 1, lastRepliedAt: reply.message.createdAt, in: &thread,
            withDesk: withDesk)
    }

    /// Takes a removed reply off its parent's count, and logs `thread.info`. To be called after the reply was
    /// removed.
    public func uncount(
        _ reply: MessageRecord, on parent: inout MessageRecord, in thread: inout ThreadRecord, withDesk: Bool
    ) throws {
        let author = reply.message.author
        let key: [SQLValue] = [.integer(parent.number), .text(author.kind.rawValue), .text(author.id)]
        try db.run("UPDATE replier SET count = count - 1 WHERE parent = ? AND kind = ? AND id = ?", key)
        try db.run("DELETE FROM replier WHERE parent = ? AND kind = ? AND id = ? AND count <= 0", key)
        let last = try db.first(
            "SELECT createdAt FROM message WHERE thread = ? AND parent = ? ORDER BY createdAt DESC, number DESC LIMIT 1",
            [.integer(thread.number), .text(parent.message.id)]
        ) { Timestamp(milliseconds: $0.integer(0)) }
        try setReplies(
            of: &parent, count: max(0, parent.message.replyCount - 1), lastRepliedAt: last, in: &thread,
            withDesk: withDesk)
    }

    /// Stores the parent's new reply info. Its version becomes the offset of `thread.info`; the rest of the message
    /// stays as it was.
    private func setReplies(
        of parent: inout MessageRecord, count: Int, lastRepliedAt: Timestamp?, in thread: inout ThreadRecord,
        withDesk: Bool
    ) throws {
        let authors = try db.all(
            "SELECT author FROM replier WHERE parent = ? ORDER BY count DESC, kind, id LIMIT ?",
            [.integer(parent.number), .integer(Int64(ReplyInfo.maximumAuthors))]
        ) { try Author(canonicalJSON: $0.blob(0)) }
        // Later than the last one even if the clock stood still: of two infos the later is true.
        let time = parent.message.replyInfo.map { max(now, $0.updatedAt.advanced(byMilliseconds: 1)) } ?? now
        let info = ReplyInfo(count: count, mostReplies: authors, lastRepliedAt: lastRepliedAt, updatedAt: time)
        parent.message.replyInfo = info
        let event = ThreadInfoEvent(
            threadID: thread.thread.id, parentID: parent.message.id, replyInfo: info, by: cause)
        parent.noteTold()
        parent.version = try log(event, message: nil, at: parent.message.createdAt, in: &thread, withDesk: withDesk)
        try write(parent, json: parent.message.canonicalJSON)
    }

    /// Stores only the version of the thread's list of messages. For changes after which the thread itself is not
    /// saved.
    public func saveListVersion(of thread: ThreadRecord) throws {
        try db.run(
            "UPDATE thread SET messagesVersion = ?1 WHERE number = ?2 AND messagesVersion <> ?1",
            [.integer(thread.messagesVersion), .integer(thread.number)])
        hot?.cache(messagesVersion: thread.messagesVersion, of: thread.number)
    }
}

extension ReadTransaction {
    /// Whether an author has written the parent of a reply thread, or a reply in it.
    public func hasPart(in parent: String, of thread: ThreadRecord, _ author: Author) throws -> Bool {
        guard let record = try storedMessage(parent, in: thread) else { return false }
        if record.message.author.kind == author.kind, record.message.author.id == author.id { return true }
        let parentNumber = SQLValue.integer(record.number)
        let replied = try db.first(
            "SELECT count FROM replier WHERE parent = ? AND kind = ? AND id = ?",
            [parentNumber, .text(author.kind.rawValue), .text(author.id)]
        ) { $0.integer(0) > 0 }
        if replied == true { return true }
        // A service that counts replies has counted them all. What another says of its replies names nobody.
        if try db.first("SELECT 1 FROM replier WHERE parent = ? LIMIT 1", [parentNumber], { _ in true }) == true {
            return false
        }
        return try db.first(
            "SELECT 1 FROM message WHERE thread = ? AND parent = ? AND sender = ? AND isToAgent = ? LIMIT 1",
            [.integer(thread.number), .text(parent), .text(author.id), .integer(author.kind == .customer ? 1 : 0)]
        ) { $0.integer(0) } != nil
    }
}
