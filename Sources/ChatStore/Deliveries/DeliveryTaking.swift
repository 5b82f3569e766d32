import ChatModel
import Formats

/// What one step has taken from the log for a target.
public struct TakenDeliveries: Sendable {
    /// The target as it is afterwards.
    public var target: TargetRecord
    /// The deliveries that are pending now and were not before, by offset.
    public var deliveries: [DeliveryRecord] = []
    /// The events of these deliveries, by offset.
    public var events: [Int64: DeliveryEvent] = [:]
    /// The log's floor: deliveries of events up to it do not wait any more.
    public var floor: Int64 = 0
    /// Whether the log has events that this step did not reach: take again at once.
    public var hasMore = false
    /// Whether the log has more, but ``WriteTransaction/pendingLimit`` deliveries are pending: take again when some
    /// are done.
    public var isFull = false

    public init(target: TargetRecord, deliveries: [DeliveryRecord] = []) {
        self.target = target
        self.deliveries = deliveries
    }
}

extension WriteTransaction {
    /// At most this many deliveries of a target are pending. The rest stays in the log, which all targets share, so a
    /// target that is down for days costs no rows.
    public static var pendingLimit: Int64 { 256 }
    /// Bytes of the log that one step reads, at most.
    private static var stepBytes: Int { 4 << 20 }

    /// Takes the next events from the log for a target: up to 256 events of its audience after its position. Each
    /// event that `wants` accepts becomes a pending delivery.
    ///
    /// The position is stored in the same unit, so each event is taken exactly once. Nothing is taken for a paused or
    /// disabled target, nor beyond ``pendingLimit`` pending deliveries. Where the log has lost events, it goes on at
    /// the log's floor and notes the gap. Returns nil if there is no such target.
    public func takeDeliveries(for number: Int64, wants: (LogEvent) throws -> Bool) throws -> TakenDeliveries? {
        guard let target = try target(number: number) else { return nil }
        var taken = TakenDeliveries(target: target)
        guard target.health.state.isSending else { return taken }
        var position = target.position
        taken.floor = try meta("floor")
        try expireDeliveries(of: target, through: taken.floor)
        position = max(position, taken.floor)
        var room = Self.pendingLimit - (try pendingCount(of: number))
        if room > 0 {
            let step = try replay([target.audience], after: position, limit: Self.stepBytes, epoch: epoch)
            var reached = step.through
            for entry in step.entries {
                guard let offset = entry.event.offset, try wants(entry.event) else { continue }
                if room == 0 {
                    reached = offset - 1
                    break
                }
                room -= 1
                if let delivery = try insertDelivery(of: entry.event, at: offset, for: number) {
                    taken.deliveries.append(delivery)
                    taken.events[offset] = entry
                }
            }
            position = reached
        }
        let head = try headOffset()
        taken.hasMore = room > 0 && position < head
        taken.isFull = room <= 0 && position < head
        if position != target.position {
            try db.run("UPDATE target SET position = ? WHERE number = ?", [.integer(position), .integer(number)])
        }
        if let changed = try self.target(number: number) { taken.target = changed }
        return taken
    }

    /// Ends the pending deliveries whose events are not above the log's floor, and notes the gap.
    private func expireDeliveries(of target: TargetRecord, through floor: Int64) throws {
        let lost = try db.all(
            "SELECT number, place FROM delivery WHERE target = ? AND state = 'pending' AND place <= ? ORDER BY place",
            [.integer(target.number), .integer(floor)]
        ) { (number: $0.integer(0), offset: $0.integer(1)) }
        guard target.position < floor || !lost.isEmpty else { return }
        for row in lost {
            try db.run(
                "UPDATE delivery SET state = 'expired', nextAt = NULL, doneAt = ? WHERE number = ?",
                [.integer(now.milliseconds), .integer(row.number)])
        }
        let from =
            [target.gap?.from, target.position, lost.first.map { $0.offset - 1 }].compactMap { $0 }.min() ?? floor
        try db.run(
            "UPDATE target SET gapFrom = ?, gapTo = ? WHERE number = ?",
            [.integer(min(from, floor)), .integer(max(target.gap?.to ?? floor, floor)), .integer(target.number)])
    }

    /// Adds a pending delivery. An event that was delivered before gets its old row back. Returns nil if it is
    /// pending already.
    private func insertDelivery(of event: LogEvent, at offset: Int64, for target: Int64) throws -> DeliveryRecord? {
        let changes = try db.change(
            """
            INSERT INTO delivery (target, place, lane, message, type, state, createdAt) VALUES (?1, ?2, ?3, ?4, ?5, 'pending', ?6)
            ON CONFLICT (target, place) DO UPDATE SET
                state = 'pending', reason = NULL, refusals = 0, nextAt = NULL, doneAt = NULL, message = excluded.message
            WHERE delivery.state != 'pending'
            """,
            [
                .integer(target), .integer(offset), .integer(event.lane), .optional(event.message),
                .text(event.type.rawValue),
                .integer(now.milliseconds),
            ])
        guard changes > 0 else { return nil }
        // Not by RETURNING, for which SQLite opens a table of its own each time.
        return try db.first(
            "SELECT \(DeliveryRecord.columns) FROM delivery WHERE target = ? AND place = ?",
            [.integer(target), .integer(offset)], DeliveryRecord.init)
    }
}

extension LogEvent {
    /// The lane of the event's deliveries: the same number for all events of one thread, also after the thread was
    /// removed; 0 for events without a thread.
    ///
    /// It is a hash of channel, customer and thread id. Two threads may share a lane: then one sometimes
    /// waits for the other, and the order within each still holds.
    var lane: Int64 {
        guard let thread = threadID else { return 0 }
        var hash = StableHash()
        hash.add(owner?.channel ?? "")
        hash.add(owner?.customer ?? "")
        hash.add(thread)
        return Int64(hash.value >> 1) | 1
    }

    /// The id of the thread that the event is about, read from the beginning of its data, `{"threadId":"..`, or of its
    /// thread, `"thread":{"id":"..`. Nil for other data.
    public var threadID: String? {
        let own = "{\"threadId\":\""
        let start =
            data.starts(with: own.utf8)
            ? own.utf8.count : data.firstRange(of: Array("\"thread\":{\"id\":\"".utf8))?.upperBound
        guard let start, let end = data[start...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let text = data[start..<end]
        if !text.contains(UInt8(ascii: "\\")) { return String(decoding: text, as: UTF8.self) }
        let json = try? JSONParser.parse(data)
        return json?["threadId"]?.string ?? json?["thread"]?["id"]?.string
    }
}

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
