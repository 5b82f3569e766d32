import ChatModel
import Formats

extension WriteTransaction {
    /// Marks the messages of one direction as seen that came after a side's last read position.
    ///
    /// The newest 100 are rewritten and logged one by one. A watermark covers all older ones, so that reading a
    /// thread with a million unread messages costs no more. It begins at the old position: of two customers, one may
    /// have joined after messages that the other has not read.
    ///
    /// - Parameters:
    ///   - direction: of the messages; the opposite side has read them.
    ///   - read: how far that side had read; it is moved to the newest message.
    /// - Returns: whether anything was unread. The caller saves the thread.
    public func markSeen(
        _ direction: MessageDirection, in thread: inout ThreadRecord, read: inout MessagePosition, withDesk: Bool
    ) throws -> Bool {
        let rows = try db.all(
            """
            SELECT * FROM (SELECT \(MessageRecord.columns) FROM message
                WHERE thread = ?1 AND isInThread = 1 AND (createdAt, number) > (?2, ?3) AND isToAgent = ?4 AND isSeen = 0
                ORDER BY createdAt DESC, number DESC LIMIT ?5) inThread
            UNION ALL SELECT * FROM (SELECT \(MessageRecord.columns) FROM message
                WHERE thread = ?1 AND isInThread = 0 AND (createdAt, number) > (?2, ?3) AND isToAgent = ?4 AND isSeen = 0
                ORDER BY createdAt DESC, number DESC LIMIT ?5) aside
            ORDER BY createdAt DESC, number DESC LIMIT ?5
            """,
            [
                .integer(thread.number), .integer(read.createdAt), .integer(read.number),
                .flag(direction == .toAgent), .integer(Int64(Self.newestSeen + 1)),
            ]
        ) {
            MessageRecord(
                number: $0.integer(0), message: try Message(canonicalJSON: $0.blob(5)), version: $0.integer(4))
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
                [
                    .integer(thread.number), .flag(direction == .toAgent), .integer(before.createdAt),
                    .integer(before.number),
                    .integer(read.createdAt), .integer(read.number), .integer(time.milliseconds),
                    .integer(thread.messagesVersion),
                ])
        }
        return true
    }

    /// Whether there are unread replies outside the conversation, which no unread count includes. It looks at the
    /// newest 100 such replies.
    public func hasUnseenAside(
        _ direction: MessageDirection, in thread: ThreadRecord, after read: MessagePosition
    ) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM (
                SELECT isToAgent, isSeen FROM message WHERE thread = ? AND isInThread = 0 AND (createdAt, number) > (?, ?)
                ORDER BY createdAt DESC, number DESC LIMIT ?) newest
            WHERE isToAgent = ? AND isSeen = 0 LIMIT 1
            """,
            [
                .integer(thread.number), .integer(read.createdAt), .integer(read.number),
                .integer(Int64(Self.newestSeen)),
                .flag(direction == .toAgent),
            ]
        ) { _ in true } ?? false
    }

    /// The most messages that one reading rewrites and logs.
    private static var newestSeen: Int { 100 }
}
