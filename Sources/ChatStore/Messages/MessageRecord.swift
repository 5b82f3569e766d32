import ChatModel

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
    /// The message of this id in a thread, as everyone sees it now.
    public func message(_ id: String, in thread: ThreadRecord) throws -> MessageRecord? {
        try db.first(
            "SELECT \(MessageRecord.columns) FROM message WHERE thread = ? AND id = ?",
            [.integer(thread.number), .text(id)]
        ) { row in
            MessageRecord(
                number: row.integer(0), message: try Message(canonicalJSON: try messageJSON(row, in: thread)),
                version: row.integer(4))
        }
    }

    /// A message's JSON; one that a reader's watermark has passed, but that was not rewritten, is shown as seen.
    func messageJSON(_ row: SQLRow, in thread: ThreadRecord) throws -> [UInt8] {
        let json = row.blob(5)
        let isToAgent = row.flag(2)
        let position = ReadPosition(createdAt: row.integer(1), number: row.integer(0))
        let read = isToAgent ? thread.deskRead : thread.members.map(\.read).max() ?? .start
        guard !row.flag(3), position <= read, let seenAt = try watermark(of: thread.number, isToAgent: isToAgent, at: position)
        else { return json }
        var message = try Message(canonicalJSON: json)
        message.status = .seen
        message.seenAt = seenAt
        return message.canonicalJSON
    }

    private func watermark(of thread: Int64, isToAgent: Bool, at position: ReadPosition) throws -> Timestamp? {
        try db.first(
            """
            SELECT seenAt FROM watermark WHERE thread = ? AND isToAgent = ? AND (readAt, readTo) >= (?, ?)
            ORDER BY readAt, readTo LIMIT 1
            """,
            [.integer(thread), .flag(isToAgent), .integer(position.createdAt), .integer(position.number)]
        ) { Timestamp(milliseconds: $0.integer(0)) }
    }
}
