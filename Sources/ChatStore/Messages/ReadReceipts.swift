import ChatModel
import Formats

extension WriteTransaction {
    /// Marks what one side has read up to now: the messages of a direction behind its last position.
    ///
    /// The newest 100 are rewritten and logged one by one; older ones are covered by a
    /// watermark, so that reading a thread with a million unread messages costs no more. It covers nothing that this side had
    /// read before: of two customers, one may have joined after messages that the other has not read.
    /// - Parameter read: how far that side had read; moved to the newest message.
    /// - Returns: whether anything was unread.
    public func markSeen(_ direction: MessageDirection, in thread: inout ThreadRecord, read: inout ReadPosition, withDesk: Bool) throws -> Bool {
        let rows = try db.all(
            """
            SELECT \(MessageRecord.columns) FROM message
            WHERE thread = ?1 AND isInThread = 1 AND (createdAt, number) > (?2, ?3) AND isToAgent = ?4 AND isSeen = 0
            UNION ALL SELECT \(MessageRecord.columns) FROM message
            WHERE thread = ?1 AND isInThread = 0 AND (createdAt, number) > (?2, ?3) AND isToAgent = ?4 AND isSeen = 0
            ORDER BY createdAt DESC, number DESC LIMIT ?5
            """,
            [.integer(thread.number), .integer(read.createdAt), .integer(read.number),
             .flag(direction == .toAgent), .integer(Int64(Self.newestSeen + 1))]
        ) {
            MessageRecord(number: $0.integer(0), message: try Message(canonicalJSON: $0.blob(5)), version: $0.integer(4))
        }
        guard let newest = rows.first else { return false }
        let time = now
        let before = read
        read = newest.position
        for var record in rows.prefix(Self.newestSeen).reversed() {
            record.message.status = .seen
            record.message.seenAt = time
            try save(&record, in: &thread, withDesk: withDesk)
            if record.number == thread.lastMessageNumber { setLastMessage(record, of: &thread) }
        }
        if rows.count > Self.newestSeen {
            try db.run(
                """
                INSERT INTO watermark (thread, isToAgent, fromAt, fromTo, readAt, readTo, seenAt, version)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [.integer(thread.number), .flag(direction == .toAgent), .integer(before.createdAt), .integer(before.number),
                 .integer(read.createdAt), .integer(read.number), .integer(time.milliseconds),
                 .integer(thread.messagesVersion)])
        }
        return true
    }

    /// Whether a direction has unread messages that stand beside the conversation, which no count tells: among the newest of them.
    public func hasUnseenAside(_ direction: MessageDirection, in thread: ThreadRecord, after read: ReadPosition) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM (
                SELECT isToAgent, isSeen FROM message WHERE thread = ? AND isInThread = 0 AND (createdAt, number) > (?, ?)
                ORDER BY createdAt DESC, number DESC LIMIT ?)
            WHERE isToAgent = ? AND isSeen = 0 LIMIT 1
            """,
            [.integer(thread.number), .integer(read.createdAt), .integer(read.number), .integer(Int64(Self.newestSeen)),
             .flag(direction == .toAgent)]) { _ in true } ?? false
    }

    /// Messages that one reading logs as seen, at most.
    private static var newestSeen: Int { 100 }
}
