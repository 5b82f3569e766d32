import ChatModel

/// What one step has taken from the log for a target.
public struct TakenDeliveries: Sendable {
    /// The target as it is afterwards.
    public var target: TargetRecord
    /// The deliveries that are pending now and were not before, by offset.
    public var deliveries: [DeliveryRecord] = []
    /// The events of these deliveries, by offset.
    public var events: [Int64: DeliveryEvent] = [:]
    /// Deliveries that were pending, and whose events the log has lost.
    public var expired: [Int64] = []
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
        taken.expired = try expireDeliveries(of: target)
        position = max(position, try meta("floor"))
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

    /// Ends the pending deliveries whose events are below the log's floor, and notes the gap. Returns their numbers.
    private func expireDeliveries(of target: TargetRecord) throws -> [Int64] {
        let floor = try meta("floor")
        let lost = try db.all(
            "SELECT number, place FROM delivery WHERE target = ? AND state = 'pending' AND place <= ? ORDER BY place",
            [.integer(target.number), .integer(floor)]
        ) { (number: $0.integer(0), offset: $0.integer(1)) }
        guard target.position < floor || !lost.isEmpty else { return [] }
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
        return lost.map(\.number)
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
