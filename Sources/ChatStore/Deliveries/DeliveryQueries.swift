import ChatModel
import Formats

/// A logged event as a delivery sends it.
public struct DeliveryEvent: Sendable {
    public let event: LogEvent
    /// When it was logged.
    public let at: Timestamp

    /// - Parameter row: the columns of ``LogEvent``, then the log's `at`.
    init(row: SQLRow, epoch: String, in transaction: ReadTransaction) throws {
        event = try LogEvent(row: row, epoch: epoch, in: transaction)
        at = Timestamp(milliseconds: row.integer(12))
    }
}

/// A delivery with its attempts, oldest first.
public struct DeliveryDetail: Sendable, Hashable, SizedRow {
    public let delivery: DeliveryRecord
    public let attempts: [AttemptRecord]

    var byteCount: Int { attempts.reduce(512) { $0 + $1.byteCount } }
}

/// A page of a target's deliveries, the newest event first.
public struct DeliveryPage: Sendable {
    public var items: [DeliveryDetail]
    /// Where the list goes on; nil at its end.
    public var next: String?
}

extension ReadTransaction {
    /// All deliveries of a target that wait, by their offsets.
    public func pendingDeliveries(of target: Int64) throws -> [DeliveryRecord] {
        try db.all(
            "SELECT \(DeliveryRecord.columns) FROM delivery WHERE target = ? AND state = 'pending' ORDER BY place",
            [.integer(target)], DeliveryRecord.init)
    }

    /// Events by offset. Those that the log does not have any more are missing.
    ///
    /// - Parameters:
    ///   - offsets: of the events that are wanted.
    ///   - ahead: of events that are read as well until there are `limit` bytes.
    public func deliveryEvents(
        at offsets: [Int64], ahead: [Int64] = [], limit: Int = 0, epoch: String
    ) throws -> [Int64: DeliveryEvent] {
        var events: [Int64: DeliveryEvent] = [:]
        var byteCount = 0
        for (index, offset) in (offsets + ahead).enumerated() where events[offset] == nil {
            if index >= offsets.count, byteCount >= limit { break }
            events[offset] = try db.first(
                """
                SELECT log.place, log.type, log.message, log.audience, log.data, \(AccountRecord.columns), log.at
                FROM log JOIN account ON account.number = log.owner WHERE log.place = ?
                """, [.integer(offset)]
            ) { try DeliveryEvent(row: $0, epoch: epoch, in: self) }
            byteCount += events[offset]?.event.byteCount ?? 0
        }
        return events
    }

    /// A delivery of this target.
    public func delivery(_ number: Int64, of target: Int64) throws -> DeliveryDetail? {
        let found = try db.first(
            "SELECT \(DeliveryRecord.columns) FROM delivery WHERE number = ? AND target = ?",
            [.integer(number), .integer(target)],
            DeliveryRecord.init)
        return try found.map { DeliveryDetail(delivery: $0, attempts: try attempts(of: $0.number)) }
    }

    /// - Parameter state: nil lists all.
    ///
    /// Throws `invalidParameter` for a cursor of another list.
    public func deliveryPage(of target: Int64, state: DeliveryState?, _ request: PageRequest) throws -> DeliveryPage {
        let prefix = "v\(target)."
        let start = try request.cursor.map { cursor throws(ChatError) -> Int64 in
            guard cursor.utf8.count <= 64, cursor.hasPrefix(prefix),
                let offset = Int64(digits: cursor.dropFirst(prefix.count))
            else { throw PageRequest.badCursor }
            return offset
        }
        let range: [SQLValue] = [.integer(start ?? .max), .integer(Int64(request.limit) + 1)]
        let records =
            if let state {
                try db.all(
                    """
                    SELECT \(DeliveryRecord.columns) FROM delivery WHERE target = ? AND state = ? AND place < ?
                    ORDER BY place DESC LIMIT ?
                    """, [.integer(target), .text(state.rawValue)] + range, DeliveryRecord.init)
            } else {
                try db.all(
                    "SELECT \(DeliveryRecord.columns) FROM delivery WHERE target = ? AND place < ? ORDER BY place DESC LIMIT ?",
                    [.integer(target)] + range, DeliveryRecord.init)
            }
        // A delivery may have many attempts, each with the beginning of an answer.
        var (page, byteCount) = (BoundedRows<DeliveryDetail>(), 0)
        for record in records {
            let detail = DeliveryDetail(delivery: record, attempts: try attempts(of: record.number))
            guard page.add(detail, &byteCount, request.size) else { break }
        }
        return DeliveryPage(
            items: page.rows,
            next: page.hasMore ? page.rows.last.map { "\(prefix)\($0.delivery.offset)" } : nil)
    }

    private func attempts(of delivery: Int64) throws -> [AttemptRecord] {
        try db.all(
            "SELECT at, status, error, milliseconds, head FROM attempt WHERE delivery = ? ORDER BY number",
            [.integer(delivery)],
            AttemptRecord.init)
    }
}
