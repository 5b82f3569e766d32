import ChatModel
import Formats

extension WriteTransaction {
    /// Adds a message to its thread, and logs it. Returns nil when the thread has a message of this id.
    ///
    /// The thread's preview and counts are the caller's: it saves the thread next.
    /// Throws `messageIdConflict` when a message of this id was removed: what is gone stays gone.
    public func insert(_ message: Message, into thread: inout ThreadRecord, withDesk: Bool) throws -> MessageRecord? {
        let (number, json) = (nextOffset, message.canonicalJSON)
        guard try insertRow(message, number: number, json: json, in: thread) else { return nil }
        let isRemoved = try db.first(
            "SELECT 1 FROM tombstone WHERE thread = ? AND id = ?", [.integer(thread.number), .text(message.id)]) { _ in true }
        if isRemoved == true {
            throw ChatError(.messageIdConflict, "A message of this id was removed from the thread.", pointer: "/id")
        }
        try log(.messageCreated, message, json: json, number: number, in: &thread, withDesk: withDesk)
        return MessageRecord(number: number, message: message, version: number)
    }

    /// Adds a message's row and logs nothing. Returns whether it is there now that was not.
    func insertRow(_ message: Message, number: Int64, json: [UInt8], in thread: ThreadRecord) throws -> Bool {
        try db.run(
            """
            INSERT INTO message (
                number, thread, id, createdAt, isToAgent, isSeen, version, json, parent, isInThread, type, customType, sender)
            VALUES (?1, ?2, ?3, ?4, ?5, ?12, ?1, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (thread, id) DO NOTHING
            """,
            [.integer(number), .integer(thread.number), .text(message.id), .integer(message.createdAt.milliseconds),
             .flag(message.direction == .toAgent), .blob(json), .optional(message.parentID), .flag(message.isInConversation),
             .text(message.type.rawValue), .optional(message.customType), .text(message.author.id),
             .flag(message.status == .seen)])
        return db.changesCount == 1
    }

    /// Writes a message that has changed, and logs it.
    public func save(_ record: inout MessageRecord, in thread: inout ThreadRecord, withDesk: Bool) throws {
        let json = record.message.canonicalJSON
        record.version = try log(.messageUpdated, record.message, json: json, number: record.number, in: &thread, withDesk: withDesk)
        try write(record, json: json)
    }

    func write(_ record: MessageRecord, json: [UInt8]) throws {
        try db.run(
            "UPDATE message SET isSeen = ?, version = ?, json = ? WHERE number = ?",
            [.flag(record.message.status == .seen), .integer(record.version), .blob(json), .integer(record.number)])
    }

    /// Removes a message, its text everywhere (rows, log, ring, receipts), its attachments, and logs the removal.
    public func remove(_ record: MessageRecord, in thread: inout ThreadRecord, withDesk: Bool) throws {
        let remains = try erase(record.number, id: record.message.id, in: thread)
        try log(.messageRemoved, data: remains, message: nil, at: record.message.createdAt, in: &thread, withDesk: withDesk)
    }

    /// Takes a message out of rows, log, ring and receipts, with its attachments, without an event. Returns the JSON that names what is gone.
    func erase(_ number: Int64, id: String, in thread: ThreadRecord) throws -> [UInt8] {
        try db.run("DELETE FROM message WHERE number = ?", [.integer(number)])
        try db.run("DELETE FROM replier WHERE parent = ?", [.integer(number)])
        try db.run("INSERT OR IGNORE INTO tombstone (thread, id) VALUES (?, ?)", [.integer(thread.number), .text(id)])
        try scrub(message: number)
        try discardAttachments(of: number)
        var json = JSONWriter()
        json.beginObject()
        json.member("threadId", thread.thread.id)
        json.member("messageId", id)
        json.endObject()
        try scrubReceipts(message: number, replacement: json.bytes)
        return json.bytes
    }

    /// Makes this message the one that the thread's preview shows.
    public func setLastMessage(_ record: MessageRecord?, of thread: inout ThreadRecord) {
        thread.thread.lastMessage = record.map { MessagePreview($0.message) }
        thread.lastMessageNumber = record?.number
    }

    /// - Parameter reason: why an own message's state changed, for those who show unsent ones.
    @discardableResult
    func log(
        _ type: EventType, _ message: Message, json: [UInt8], number: Int64, in thread: inout ThreadRecord, withDesk: Bool,
        reason: String? = nil
    ) throws -> Int64 {
        var data = JSONWriter(reservingCapacity: json.count + 96)
        data.beginObject()
        data.member("threadId", thread.thread.id)
        data.name("message")
        data.raw(json)
        data.member("reason", reason)
        data.endObject()
        return try log(type, data: data.bytes, message: number, at: message.createdAt, in: &thread, withDesk: withDesk)
    }

    /// - Parameters:
    ///   - message: the number of the message whose text the data carries.
    ///   - time: when the message that the event is about was created.
    @discardableResult
    func log(
        _ type: EventType, data: [UInt8], message: Int64?, at time: Timestamp, in thread: inout ThreadRecord, withDesk: Bool
    ) throws -> Int64 {
        let members = thread.audience(withDesk: withDesk, ofMessageAt: time)
        let offset = try append(type, data: data, owner: thread.owner, message: message, members: members)
        thread.messagesVersion = offset
        touch(thread: thread.number)
        return offset
    }
}

extension ReadTransaction {
    /// Where the newest of the replies that stand beside the conversation is.
    public func newestAside(in thread: ThreadRecord) throws -> ReadPosition? {
        try db.first(
            "SELECT createdAt, number FROM message WHERE thread = ? AND isInThread = 0 ORDER BY createdAt DESC, number DESC LIMIT 1",
            [.integer(thread.number)]
        ) { ReadPosition(createdAt: $0.integer(0), number: $0.integer(1)) }
    }

    /// The newest message of the conversation's own list that is there for all.
    public func newestMessage(in thread: ThreadRecord) throws -> MessageRecord? {
        try db.first(
            """
            SELECT \(MessageRecord.columns) FROM message WHERE thread = ? AND isInThread = 1 AND createdAt > ?
            ORDER BY createdAt DESC, number DESC LIMIT 1
            """, [.integer(thread.number), .integer(thread.thread.historyResetAt?.milliseconds ?? -1)]
        ) { try messageRecord($0, in: thread) }
    }
}
