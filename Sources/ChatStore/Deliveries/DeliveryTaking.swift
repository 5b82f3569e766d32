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
