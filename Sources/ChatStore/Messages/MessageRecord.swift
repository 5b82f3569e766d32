import ChatModel
import Formats

/// A message as the store keeps it.
public struct MessageRecord: Sendable {
    /// The store's arrival number: the offset of its `message.created`. Names the message within this database.
    public let number: Int64
    public var message: Message
    /// The offset of its last event.
    public internal(set) var version: Int64

    public var position: ReadPosition { ReadPosition(createdAt: message.createdAt.milliseconds, number: number) }

    static let columns = "number, createdAt, isToAgent, isSeen, version, json"
}

extension ReadTransaction {
    /// The message of this id in a thread, as whoever the thread was read for sees it now.
    public func message(_ id: String, in thread: ThreadRecord) throws -> MessageRecord? {
        try storedMessage(id, in: thread).flatMap { $0.position.createdAt > thread.line ? $0 : nil }
    }

    /// The same, whether it is in sight or not.
    public func storedMessage(_ id: String, in thread: ThreadRecord) throws -> MessageRecord? {
        try db.first(
            "SELECT \(MessageRecord.columns) FROM message WHERE thread = ? AND id = ?",
            [.integer(thread.number), .text(id)]
        ) { try messageRecord($0, in: thread) }
    }

    /// A message as everyone sees it now, from the columns of ``MessageRecord``.
    func messageRecord(_ row: SQLRow, in thread: ThreadRecord) throws -> MessageRecord {
        var record = MessageRecord(
            number: row.integer(0), message: try Message(canonicalJSON: row.blob(5)), version: row.integer(4))
        if let watermark = try watermark(over: row, in: thread) {
            record.message.status = .seen
            record.message.seenAt = watermark.seenAt
            record.version = max(record.version, watermark.version)
        }
        return record
    }

    /// A message's JSON; one that a reader's watermark has passed, but that was not rewritten, is shown as seen.
    func messageJSON(_ row: SQLRow, in thread: ThreadRecord) throws -> [UInt8] {
        guard let watermark = try watermark(over: row, in: thread) else { return row.blob(5) }
        var message = try Message(canonicalJSON: row.blob(5))
        message.status = .seen
        message.seenAt = watermark.seenAt
        return message.canonicalJSON
    }

    /// The reading that covered a message without rewriting it: its time, and the offset of its last event.
    private func watermark(over row: SQLRow, in thread: ThreadRecord) throws -> (seenAt: Timestamp, version: Int64)? {
        let isToAgent = row.flag(2)
        let position = ReadPosition(createdAt: row.integer(1), number: row.integer(0))
        let read = isToAgent ? thread.deskRead : thread.customerRead
        guard !row.flag(3), position <= read else { return nil }
        return try db.first(
            """
            SELECT seenAt, version FROM watermark WHERE thread = ?1 AND isToAgent = ?2 AND (readAt, readTo) >= (?3, ?4)
                AND (fromAt, fromTo) < (?3, ?4) ORDER BY readAt, readTo LIMIT 1
            """,
            [.integer(thread.number), .flag(isToAgent), .integer(position.createdAt), .integer(position.number)]
        ) { (Timestamp(milliseconds: $0.integer(0)), $0.integer(1)) }
    }
}
