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

/// Which messages of a thread a list has, as SQL on the columns of `message`.
struct MessageCondition {
    /// Each is a range of an index. SQLite merges several of them in order.
    private(set) var ranges: [String]
    /// What the rows of every range must fulfil besides.
    private(set) var sql = ""
    /// The values of a range and of ``sql``.
    private(set) var values: [SQLValue] = []

    /// The conversation's own list, with the replies that the filter wants.
    init(_ replies: ReplyFilter) {
        switch replies {
        case .alsoInThread: ranges = ["isInThread = 1"]
        case .none: ranges = ["isInThread = 1 AND parent IS NULL"]
        case .all: ranges = ["isInThread = 1", "isInThread = 0"]
        }
    }

    /// The replies to a message.
    init(repliesTo parent: String) {
        ranges = ["parent = ?"]
        values = [.text(parent)]
    }

    /// Adds that a column has one of the values; nil adds nothing.
    mutating func narrow(_ column: String, to wanted: (some Collection<String>)?) {
        guard let wanted else { return }
        let list = Placeholders(wanted.map(SQLValue.text))
        sql += " AND \(column) IN \(list.sql)"
        values += list.values
    }
}

/// The messages on one side of a place, the nearest first.
enum MessageSide {
    case before(MessagePosition)
    case upTo(MessagePosition)
    case after(MessagePosition)

    fileprivate var comparison: (sql: String, edge: MessagePosition, bound: String, order: String) {
        switch self {
        case .before(let edge): ("<", edge, ">=", "DESC")
        case .upTo(let edge): ("<=", edge, ">=", "DESC")
        case .after(let edge): (">", edge, "<=", "ASC")
        }
    }
}

extension ReadTransaction {
    /// Messages on one side of a place. Every list of messages, for a page or for a collection, is read here, so all
    /// have one order: by time, and at the same time by number.
    ///
    /// Messages before the record's line are left out.
    ///
    /// - Parameter bound: the last place that is read. Beyond it, the store may lack messages; nil for no bound.
    func messages(
        of thread: ThreadRecord, _ condition: MessageCondition, _ side: MessageSide, bound: MessagePosition?,
        _ size: PageSize
    ) throws -> BoundedRows<PlacedMessage> {
        let query = messageQuery(
            thread.number, condition, side, line: thread.historyBoundary, bound: bound, size)
        return try db.page(query.sql, query.values, size) { row in
            PlacedMessage(
                position: MessagePosition(createdAt: row.integer(1), number: row.integer(0)), id: row.text(6),
                json: try messageJSON(row, in: thread))
        }
    }

    /// Where each query is a round trip, has the messages of a page come together with its thread. Only a cursor tells
    /// whose messages they are, and a line is not known yet: then they are asked for later.
    func expectMessages(_ replies: ReplyFilter, _ request: PageRequest) throws {
        guard case .engine = db, hot == nil, request.times == .all, let text = request.cursor,
            let thread = PageCursor.firstNumber(in: text),
            let cursor = PageCursor(text, of: .messages(thread: thread, replies))
        else { return }
        let side: MessageSide
        switch cursor {
        case .older(let position): side = .before(position)
        case .newer(let position): side = .after(position)
        case .behind: return
        }
        let query = messageQuery(
            thread, MessageCondition(replies), side, line: -1, bound: nil, request.size)
        try db.expect(query.sql, query.values)
    }

    private func messageQuery(
        _ thread: Int64, _ condition: MessageCondition, _ side: MessageSide, line: Int64, bound: MessagePosition?,
        _ size: PageSize
    ) -> (sql: String, values: [SQLValue]) {
        let (comparison, edge, boundComparison, order) = side.comparison
        var sql = "\(condition.sql) AND (createdAt, number) \(comparison) (?, ?)"
        var values = condition.values + [.integer(edge.createdAt), .integer(edge.number)]
        if line >= 0 {
            sql += " AND createdAt > ?"
            values.append(.integer(line))
        }
        if let bound {
            sql += " AND (createdAt, number) \(boundComparison) (?, ?)"
            values += [.integer(bound.createdAt), .integer(bound.number)]
        }
        let limit = SQLValue.integer(Int64(size.count) + 1)
        values = [.integer(thread)] + values + [limit]
        let parts = condition.ranges.map { range in
            """
            SELECT \(MessageRecord.columns), id FROM message WHERE thread = ? AND \(range)\(sql)
            ORDER BY createdAt \(order), number \(order) LIMIT ?
            """
        }
        // Each part is bounded by itself, so that no engine reads a whole thread to sort it.
        let statement =
            parts.count == 1
            ? parts[0]
            : """
            SELECT * FROM (\(parts[0])) inThread UNION ALL SELECT * FROM (\(parts[1])) aside
            ORDER BY createdAt \(order), number \(order) LIMIT ?
            """
        return (
            db.bounded(statement, by: "json", size), parts.count == 1 ? values : values + values + [limit]
        )
    }
}
