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
