import ChatModel
import Formats

/// A row of `message`.
public struct MessageRecord: Sendable {
    /// The arrival number: the offset that was taken from the log when the message was inserted. It names the message
    /// within this database.
    public let number: Int64
    public var message: Message {
        didSet { written = nil }
    }
    /// The message as the last event told it, to name what the next one changes.
    private var told: Message
    /// The message's canonical JSON, where it was written before.
    private var written: [UInt8]?
    /// The offset of the last event about the message: its version for `If-Match`.
    public internal(set) var version: Int64

    /// The message's canonical JSON.
    public var json: [UInt8] { written ?? message.canonicalJSON }

    init(number: Int64, message: Message, version: Int64) {
        self.number = number
        self.message = message
        self.version = version
        told = message
    }

    init(number: Int64, encoded: Encoded<Message>, version: Int64) {
        self.init(number: number, message: encoded.value, version: version)
        written = encoded.bytes
    }

    public var position: MessagePosition { MessagePosition(createdAt: message.createdAt.milliseconds, number: number) }

    /// The names of the members that differ from what was told before, in their order.
    var changes: [String] { message.changes(since: told) }

    /// Notes that the message is as all readers know it.
    mutating func noteTold() { told = message }

    static let columns = "number, createdAt, isToAgent, isSeen, version, json"
}

extension ReadTransaction {
    /// The message of this id, with its status of now; nil if it is before the line of the reader for whom the thread
    /// was read.
    public func message(_ id: String, in thread: ThreadRecord) throws -> MessageRecord? {
        try storedMessage(id, in: thread).flatMap { $0.position.createdAt > thread.historyBoundary ? $0 : nil }
    }

    /// The message of this id, also if it is before the line.
    public func storedMessage(_ id: String, in thread: ThreadRecord) throws -> MessageRecord? {
        try db.first(
            "SELECT \(MessageRecord.columns) FROM message WHERE thread = ? AND id = ?",
            [.integer(thread.number), .text(id)]
        ) { try messageRecord($0, in: thread) }
    }

    /// The message of a row, with its status of now.
    ///
    /// - Parameter row: the columns of ``MessageRecord``.
    func messageRecord(_ row: SQLRow, in thread: ThreadRecord) throws -> MessageRecord {
        var record = MessageRecord(
            number: row.integer(0), message: try Message(canonicalJSON: row.blob(5)), version: row.integer(4))
        if let watermark = try watermark(over: row, in: thread) {
            record.message.status = .seen
            record.message.seenAt = watermark.seenAt
            record.version = max(record.version, watermark.version)
            record.noteTold()
        }
        return record
    }

    /// A message's JSON with its status of now. The row's own bytes are returned unless a watermark covers it.
    func messageJSON(_ row: SQLRow, in thread: ThreadRecord) throws -> [UInt8] {
        guard let watermark = try watermark(over: row, in: thread) else { return row.blob(5) }
        var message = try Message(canonicalJSON: row.blob(5))
        message.status = .seen
        message.seenAt = watermark.seenAt
        return message.canonicalJSON
    }

    /// The watermark that covers a message: it was read together with many others, and its row was not rewritten. Nil
    /// if none does.
    ///
    /// Returns the time of the reading, and the offset of the last event that the message has by it.
    private func watermark(over row: SQLRow, in thread: ThreadRecord) throws -> (seenAt: Timestamp, version: Int64)? {
        let isToAgent = row.flag(2)
        let position = MessagePosition(createdAt: row.integer(1), number: row.integer(0))
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
