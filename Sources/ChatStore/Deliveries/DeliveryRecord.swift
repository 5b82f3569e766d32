import ChatModel
import Formats

/// Where a delivery stands. Only `pending` is not final, and an owner can make the others pending again.
public enum DeliveryState: String, Sendable, CaseIterable {
    /// To be sent, now or later.
    case pending
    case delivered
    /// Given up: the target does not take this event.
    case dead
    /// The log lost the event before it was delivered.
    case expired
    /// There is nothing to send any more: its message was removed.
    case dropped
}

/// A row of `delivery`: one event on its way to one target.
public struct DeliveryRecord: Sendable, Hashable {
    public let number: Int64
    public let target: Int64
    /// The event's place in the log.
    public let offset: Int64
    /// Deliveries of one lane go out one after the other, by their offsets. It is 0 for events without a thread.
    public let lane: Int64
    /// The message whose text the event carries.
    public let message: Int64?
    public let type: EventType
    public let state: DeliveryState
    public let reason: String?
    public let attemptCount: Int
    /// Attempts after which the target took other events, but not this one.
    public var refusalCount: Int
    public let createdAt: Timestamp
    public let lastAttemptAt: Timestamp?
    /// The earliest time of the next attempt, if this delivery has to wait for a reason of its own; nil if only its
    /// target's state counts.
    public var nextAt: Timestamp?
    public let doneAt: Timestamp?

    static let columns = """
        number, target, place, lane, message, type, state, reason, attempts, refusals, createdAt, lastAttemptAt, nextAt, doneAt
        """
}

extension DeliveryRecord {
    init(row: SQLRow) throws {
        func time(_ column: Int32) -> Timestamp? {
            row.isNull(column) ? nil : Timestamp(milliseconds: row.integer(column))
        }
        guard let type = EventType(rawValue: row.text(5)) else { throw ModelError(member: "type") }
        guard let state = DeliveryState(rawValue: row.text(6)) else { throw ModelError(member: "state") }
        number = row.integer(0)
        target = row.integer(1)
        offset = row.integer(2)
        lane = row.integer(3)
        message = row.isNull(4) ? nil : row.integer(4)
        self.type = type
        self.state = state
        reason = row.isNull(7) ? nil : row.text(7)
        attemptCount = Int(clamping: row.integer(8))
        refusalCount = Int(clamping: row.integer(9))
        createdAt = Timestamp(milliseconds: row.integer(10))
        lastAttemptAt = time(11)
        nextAt = time(12)
        doneAt = time(13)
    }
}

/// One attempt of a delivery: one request to the target.
public struct AttemptRecord: Sendable, Hashable {
    /// When it began.
    public var at: Timestamp
    /// The HTTP status of the answer; nil if no answer came.
    public var status: Int?
    /// Why no answer came, as a code of one word.
    public var error: String?
    public var milliseconds: Int64
    /// The beginning of the answer's body, at most ``maximumHead`` bytes.
    public var head: [UInt8]?

    /// About what it adds to a page.
    var byteCount: Int { 128 + (head?.count ?? 0) + (error?.utf8.count ?? 0) }

    public static let maximumHead = 1024
    /// The newest attempts of a delivery that are kept.
    public static let maximumCount = 20

    public init(at: Timestamp, status: Int? = nil, error: String? = nil, milliseconds: Int64, head: [UInt8]? = nil) {
        self.at = at
        self.status = status
        self.error = error
        self.milliseconds = milliseconds
        self.head = head
    }

    init(row: SQLRow) {
        at = Timestamp(milliseconds: row.integer(0))
        status = row.isNull(1) ? nil : Int(clamping: row.integer(1))
        error = row.isNull(2) ? nil : row.text(2)
        milliseconds = row.integer(3)
        head = row.isNull(4) ? nil : row.blob(4)
    }
}

/// How many targets and waiting deliveries there are, for metrics.
public struct DeliveryCounts: Sendable, Hashable {
    /// Targets by kind and state. A disabled device is counted under its reason, `gone` or `refused`.
    public var targets: [TargetKind: [String: Int]] = [:]
    /// Deliveries that wait.
    public var pending: [TargetKind: Int64] = [:]
    /// The offset up to which the slowest active webhook has got all events; nil if there is none. Devices are left
    /// out, because a push may be held back on purpose.
    public var lowestPosition: Int64?
}

extension ReadTransaction {
    /// Counts everything in one reading. The cost is bounded by the number of targets and by
    /// ``WriteTransaction/pendingLimit``.
    public func deliveryCounts() throws -> DeliveryCounts {
        var counts = DeliveryCounts()
        for kind in TargetKind.allCases {
            let rows = try db.all(
                """
                SELECT state, reason, position, (SELECT min(place) FROM delivery WHERE target = target.number AND state = 'pending'),
                    (SELECT count(*) FROM delivery WHERE target = target.number AND state = 'pending')
                FROM target WHERE kind = ?
                """, [.text(kind.rawValue)]
            ) { row in
                (
                    state: row.text(0), reason: row.isNull(1) ? nil : row.text(1), position: row.integer(2),
                    first: row.isNull(3) ? nil : row.integer(3), pending: row.integer(4)
                )
            }
            for row in rows {
                guard let state = TargetState(rawValue: row.state) else { throw ModelError(member: "state") }
                let word = kind != .webhook && state == .disabled ? row.reason ?? "refused" : row.state
                counts.targets[kind, default: [:]][word, default: 0] += 1
                counts.pending[kind, default: 0] += row.pending
                guard state.isSending, kind == .webhook else { continue }
                let position = row.first.map { min($0 - 1, row.position) } ?? row.position
                counts.lowestPosition = min(position, counts.lowestPosition ?? position)
            }
        }
        return counts
    }
}

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
                SELECT \(LogEvent.columns) FROM log JOIN account ON account.number = log.owner WHERE log.place = ?
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
