import ChatModel
import Formats

/// What came of one attempt of a delivery.
public struct DeliveryResult: Sendable {
    /// What becomes of the delivery.
    public enum End: Sendable, Hashable {
        case delivered
        /// It is tried again for its own sake, not before this time.
        case refused(nextAt: Timestamp)
        /// It is tried again as soon as the target takes anything.
        case waiting
        case dead(reason: String)
    }

    public var delivery: Int64
    /// The message that the delivery named when it was sent.
    public var message: Int64?
    public var attempt: AttemptRecord
    public var end: End

    public init(delivery: Int64, message: Int64?, attempt: AttemptRecord, end: End) {
        self.delivery = delivery
        self.message = message
        self.attempt = attempt
        self.end = end
    }
}

/// What attempts have shown of a target.
public struct TargetResult: Sendable, Hashable {
    public var target: Int64
    public var health: TargetHealth
    /// What this health came after, one after the other. A target whose stored health is none of these was changed by
    /// its owner meanwhile, and keeps what its owner chose.
    public var replaces: [TargetHealth]
    /// It was told of what the log has lost, up to this offset.
    public var toldGapTo: Int64?
    /// The version that was tried; nil: any. What was shown of a device says nothing of one that was registered anew.
    public var version: Int64?
    /// What stays of a device that takes nothing any more. Its pending pushes are dropped.
    public var closed: ClosedDevice?

    public init(
        target: Int64, health: TargetHealth, replaces: [TargetHealth], toldGapTo: Int64? = nil, version: Int64? = nil,
        closed: ClosedDevice? = nil
    ) {
        self.target = target
        self.health = health
        self.replaces = replaces
        self.toldGapTo = toldGapTo
        self.version = version
        self.closed = closed
    }

    /// Whether this is newer than what the store has.
    public func counts(after stored: TargetRecord) -> Bool {
        stored.health.state.isSending && replaces.contains(stored.health)
            && (version ?? stored.version) == stored.version
    }
}

extension WriteTransaction {
    /// Keeps what came of attempts, of any targets together. Returns the targets as they are afterwards, without those
    /// that were deleted.
    ///
    /// What its owner has done to a target meanwhile stays: one that was paused, or resumed, stays so. A delivery that
    /// does not wait any more stays as it is.
    public func record(_ results: [DeliveryResult], targets: [TargetResult]) throws -> [TargetRecord] {
        for result in results { try record(result) }
        return try targets.compactMap { result in
            guard let known = try target(number: result.target) else { return nil }
            if result.counts(after: known) {
                if let closed = result.closed {
                    try closeDevice(
                        known.number, version: known.version, reason: result.health.reason ?? "closed", closed)
                } else {
                    try write(result.health, ofTarget: known.number)
                }
            }
            if let end = result.toldGapTo {
                try db.run(
                    "UPDATE target SET gapFrom = NULL, gapTo = NULL WHERE number = ? AND gapTo <= ?",
                    [.integer(known.number), .integer(end)])
            }
            return try target(number: known.number)
        }
    }

    private func record(_ result: DeliveryResult) throws {
        let state: DeliveryState =
            switch result.end {
            case .delivered: .delivered
            case .refused, .waiting: .pending
            case .dead: .dead
            }
        let isRefusal =
            switch result.end {
            case .refused, .dead: true
            case .delivered, .waiting: false
            }
        let nextAt: Timestamp? = if case .refused(let time) = result.end { time } else { nil }
        let reason: String? = if case .dead(let reason) = result.end { reason } else { nil }
        // Not by RETURNING, for which SQLite opens a table of its own each time.
        let found = try db.first(
            "SELECT attempts + 1, message FROM delivery WHERE number = ? AND state = 'pending'",
            [.integer(result.delivery)]
        ) { (attempts: $0.integer(0), message: $0.isNull(1) ? nil : $0.integer(1)) }
        guard let found else { return }
        try db.run(
            """
            UPDATE delivery SET state = ?1, reason = ?2, attempts = ?3, refusals = refusals + ?4, nextAt = ?5,
                doneAt = ?6, lastAttemptAt = ?7
            WHERE number = ?8
            """,
            [
                .text(state.rawValue), .optional(reason), .integer(found.attempts), .flag(isRefusal),
                .optional(nextAt?.milliseconds), .optional(state == .pending ? nil : now.milliseconds),
                .integer(result.attempt.at.milliseconds), .integer(result.delivery),
            ])
        // A message that was removed during the attempt must not come back by an answer that repeats it.
        let head = found.message == result.message ? result.attempt.head?.prefix(AttemptRecord.maximumHead) : nil
        try db.run(
            """
            INSERT INTO attempt (delivery, number, at, status, error, milliseconds, head) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (delivery, number) DO UPDATE SET at = excluded.at, status = excluded.status, error = excluded.error,
                milliseconds = excluded.milliseconds, head = excluded.head
            """,
            [
                .integer(result.delivery), .integer(found.attempts), .integer(result.attempt.at.milliseconds),
                .optional(result.attempt.status.map { Int64($0) }), .optional(result.attempt.error),
                .integer(result.attempt.milliseconds), head.map { .blob(Array($0)) } ?? .null,
            ])
        let surplus = found.attempts - Int64(AttemptRecord.maximumCount)
        guard surplus > 0 else { return }
        try db.run(
            "DELETE FROM attempt WHERE delivery = ? AND number <= ?", [.integer(result.delivery), .integer(surplus)])
    }

    /// A delivery that waits, and whose event was taken out of the log: there is nothing to send. One that the log has
    /// lost by its age stays: ``takeDeliveries(for:wants:)`` ends it, and tells of it.
    public func dropDeliveries(_ numbers: [Int64]) throws {
        for number in numbers {
            try db.run(
                """
                UPDATE delivery SET state = 'dropped', reason = 'removed', nextAt = NULL, doneAt = ?
                WHERE number = ? AND state = 'pending' AND place > ?
                """, [.integer(now.milliseconds), .integer(number), .integer(try meta("floor"))])
        }
    }

    /// A removed message's text leaves the deliveries as well: answers may have repeated it. What waits with it is not
    /// sent; only the creation of a thread is, for the log keeps it without the message.
    func scrubDeliveries(message: Int64) throws {
        try db.run(
            "UPDATE attempt SET head = NULL WHERE delivery IN (SELECT number FROM delivery WHERE message = ?)",
            [.integer(message)])
        try db.run(
            """
            UPDATE delivery SET state = 'dropped', reason = 'removed', nextAt = NULL, doneAt = ?
            WHERE message = ? AND state = 'pending' AND type != 'thread.created'
            """, [.integer(now.milliseconds), .integer(message)])
        try db.run("UPDATE delivery SET message = NULL WHERE message = ?", [.integer(message)])
    }
}
