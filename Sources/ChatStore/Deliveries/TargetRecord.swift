import ChatModel
import Formats

/// How a target is reached.
public enum TargetKind: String, Sendable, CaseIterable {
    case webhook, webPush, apns, fcm
    /// An app's device to which the session's platform pushes, and not the gateway.
    case platform
    /// A program that was made for another platform, whose stand-in calls it (``CallbackEvent``).
    case callback
}

/// A row of `target`: a webhook or a device to which events or pushes are sent.
public struct TargetRecord: Sendable, Hashable {
    /// Names the target within this database; never used again.
    public let number: Int64
    public let id: String
    public let kind: TargetKind
    /// Whose events go there: the desk's or an account's.
    public let audience: Audience
    /// The id of the session by which the audience was named; nil if there was none.
    public let session: String?
    /// The owner's choices, as JSON. It may contain passwords.
    public let settings: [UInt8]
    /// The generation of the target's secret, from 1; each rotation adds one.
    public let generation: Int64
    /// Until when the secret of the previous generation is valid too; nil if it is not.
    public let previousUntil: Timestamp?
    public var health: TargetHealth
    /// The offset of the log up to which events were taken for this target.
    public let position: Int64
    /// Events that the log lost before they were delivered, or perhaps after; nil if there are none. The target is told
    /// of the gap before it gets anything else.
    public var gap: LogGap?
    public let createdAt: Timestamp
    /// Grows with each change of settings, secret or state.
    public let version: Int64
    /// By what a device of the desk was registered, and with what it ends; nil if by the gateway's own token.
    public var credential: DeskCredential?

    static let columns = """
        number, id, kind, account, session, json, generation, previousUntil, state, reason, position, gapFrom, gapTo, \
        failingSince, failures, lastAttemptAt, nextAt, createdAt, version, credential
        """
}

extension TargetRecord {
    init(row: SQLRow) throws {
        func number(_ column: Int32) -> Int64? { row.isNull(column) ? nil : row.integer(column) }
        func time(_ column: Int32) -> Timestamp? { number(column).map { Timestamp(milliseconds: $0) } }
        guard let kind = TargetKind(rawValue: row.text(2)) else { throw ModelError(member: "kind") }
        guard let state = TargetState(rawValue: row.text(8)) else { throw ModelError(member: "state") }
        self.number = row.integer(0)
        id = row.text(1)
        self.kind = kind
        audience = number(3).map { .account($0) } ?? .desk
        session = row.isNull(4) ? nil : row.text(4)
        settings = row.blob(5)
        generation = row.integer(6)
        previousUntil = time(7)
        health = TargetHealth(
            state: state, reason: row.isNull(9) ? nil : row.text(9), failingSince: time(13),
            failures: Int(clamping: row.integer(14)), lastAttemptAt: time(15), nextAt: time(16))
        position = row.integer(10)
        if let from = number(11), let to = number(12) { gap = LogGap(from: from, to: to) } else { gap = nil }
        createdAt = Timestamp(milliseconds: row.integer(17))
        version = row.integer(18)
        if !row.isNull(19) {
            guard let known = DeskCredential(text: row.text(19)) else { throw ModelError(member: "credential") }
            credential = known
        }
    }
}

/// A range of the log whose events are gone: the offsets after `from`, up to and including `to`.
public struct LogGap: Sendable, Hashable {
    public var from: Int64
    public var to: Int64

    public init(from: Int64, to: Int64) {
        self.from = from
        self.to = to
    }
}

/// Whether a target takes deliveries, and when it is tried next.
public struct TargetHealth: Sendable, Hashable {
    public var state: TargetState
    /// The reason for the state, as a code of one word.
    public var reason: String?
    /// When the current run of failures began; nil while deliveries succeed.
    public var failingSince: Timestamp?
    /// Failed attempts in a row that were the target's fault.
    public var failures: Int
    public var lastAttemptAt: Timestamp?
    /// When the next attempt is made, while the target fails; one delivery is tried then.
    public var nextAt: Timestamp?

    public init(
        state: TargetState, reason: String? = nil, failingSince: Timestamp? = nil, failures: Int = 0,
        lastAttemptAt: Timestamp? = nil, nextAt: Timestamp? = nil
    ) {
        self.state = state
        self.reason = reason
        self.failingSince = failingSince
        self.failures = failures
        self.lastAttemptAt = lastAttemptAt
        self.nextAt = nextAt
    }
}

/// A page of targets, oldest first.
public struct TargetPage: Sendable {
    public var items: [TargetRecord]
    /// Where the list goes on; nil at its end.
    public var next: String?
    /// The position in the log from which to follow.
    public var offset: Int64
}

extension ReadTransaction {
    /// The target of this id, of any kind; nil if there is none.
    public func target(_ id: String) throws -> TargetRecord? {
        try db.first("SELECT \(TargetRecord.columns) FROM target WHERE id = ?", [.text(id)], TargetRecord.init)
    }

    /// The target of this number; nil if it was deleted.
    public func target(number: Int64) throws -> TargetRecord? {
        try db.first(
            "SELECT \(TargetRecord.columns) FROM target WHERE number = ?", [.integer(number)], TargetRecord.init)
    }

    /// All targets of a kind, oldest first. There are ``TargetDraft/maximumCount`` webhooks at most.
    public func targets(of kind: TargetKind) throws -> [TargetRecord] {
        try db.all(
            "SELECT \(TargetRecord.columns) FROM target WHERE kind = ? ORDER BY number", [.text(kind.rawValue)],
            TargetRecord.init)
    }

    /// A page of the targets of a kind, oldest first. Throws `invalidParameter` for a cursor of another list.
    public func targetPage(of kind: TargetKind, _ request: PageRequest) throws -> TargetPage {
        let prefix = "w\(kind.rawValue)."
        let start = try request.cursor.map { cursor throws(ChatError) -> Int64 in
            guard cursor.utf8.count <= 64, cursor.hasPrefix(prefix),
                let number = Int64(digits: cursor.dropFirst(prefix.count))
            else { throw PageRequest.badCursor }
            return number
        }
        var items = try db.all(
            "SELECT \(TargetRecord.columns) FROM target WHERE kind = ? AND number > ? ORDER BY number LIMIT ?",
            [.text(kind.rawValue), .integer(start ?? 0), .integer(Int64(request.limit) + 1)], TargetRecord.init)
        let hasMore = items.count > request.limit
        items = Array(items.prefix(request.limit))
        return TargetPage(
            items: items, next: hasMore ? items.last.map { "\(prefix)\($0.number)" } : nil, offset: try headOffset())
    }

    /// About how many events the target has not got yet: the pending deliveries and the events not taken from the
    /// log. Some of the latter may be events that it does not want.
    ///
    /// - Parameter limit: of the events that were not taken, at most this many are counted, so that the cost is
    ///   bounded.
    public func lag(of target: TargetRecord, limit: Int64 = 10_000) throws -> Int64 {
        let untaken = try db.first(
            "SELECT count(*) FROM (SELECT 1 FROM audience WHERE account = ? AND place > ? LIMIT ?) untaken",
            [.integer(target.audience.number ?? 0), .integer(target.position), .integer(limit)]
        ) { $0.integer(0) }
        return try pendingCount(of: target.number) + (untaken ?? 0)
    }

    /// How many deliveries of the target are pending.
    func pendingCount(of target: Int64) throws -> Int64 {
        try db.first(
            "SELECT count(*) FROM delivery WHERE target = ? AND state = 'pending'", [.integer(target)]
        ) { $0.integer(0) } ?? 0
    }

    /// The offset that a cursor names. Throws `cursorExpired` for a cursor of another database, below the log's floor
    /// or beyond its head.
    public func logPosition(after cursor: Cursor, epoch: String) throws -> Int64 {
        guard cursor.epoch == epoch, cursor.offset >= (try meta("floor")), cursor.offset <= (try headOffset()) else {
            throw ChatError(.cursorExpired, "The cursor \(cursor) is too old, ahead of the log, or of another log.")
        }
        return cursor.offset
    }

    /// The offset just before the first event that was logged at this time or later; the head if there is none.
    ///
    /// Throws `cursorExpired` when the log does not go back that far, because events of that time may be gone.
    public func logPosition(since time: Timestamp) throws -> Int64 {
        func row(after offset: Int64) throws -> (offset: Int64, at: Int64)? {
            try db.first("SELECT place, at FROM log WHERE place > ? ORDER BY place LIMIT 1", [.integer(offset)]) {
                ($0.integer(0), $0.integer(1))
            }
        }
        let floor = try meta("floor"), head = try headOffset()
        guard let first = try row(after: floor) else {
            if floor > 0 { throw ChatError(.cursorExpired, "The log does not go back to \(time.rfc3339).") }
            return head
        }
        if first.at >= time.milliseconds {
            if floor > 0 { throw ChatError(.cursorExpired, "The log does not go back to \(time.rfc3339).") }
            return floor
        }
        // Binary search: times grow with offsets. The event after `low` may be too old, the event after `high` is
        // not.
        var (low, high) = (first.offset, head)
        while low < high {
            let middle = low + (high - low) / 2
            if let next = try row(after: middle), next.at < time.milliseconds {
                low = next.offset
            } else {
                high = middle
            }
        }
        return low
    }
}
