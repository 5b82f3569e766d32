import ChatModel
import Formats

/// Deletes what retention no longer keeps: events, and receipts older than a day. One batch at a time, between
/// groups, on the writer's thread.
///
/// A batch is a transaction of its own and costs an fsync. A log at its limit is therefore trimmed when a whole batch
/// is due or a second has passed, not after each group.
package final class LogTrimmer: @unchecked Sendable {  // confined to the writer's thread, which alone calls it
    private let retention: Retention
    private let feed: EventFeed
    private let environment: ModelEnvironment
    /// The offset of the oldest row at the last look; nil before the first.
    private var lowest: Int64?
    private var lastLook = Timestamp.earliest
    private var weight = LogWeight()
    private var hasMore = false

    /// Ranges of offsets that no event has, in their order: those above `low` up to `high`. They do not count as events.
    private var gaps: [(low: Int64, high: Int64)] = []

    private static let interval: Int64 = 1000
    /// How many pieces of the log are measured at a look, so that a long log is known soon after the start and no group
    /// waits long.
    private static let measuredAtOnce = 8

    package init(retention: Retention, feed: EventFeed, environment: ModelEnvironment) {
        self.retention = retention
        self.feed = feed
        self.environment = environment
    }

    /// Learns which ranges of offsets no event has.
    func readGaps(_ db: Session) throws { gaps = try db.lostOffsets() }

    /// The same on a connection to another engine.
    package func readGaps(reading session: any RemoteSession) throws { try readGaps(.remote(session)) }

    /// Runs the statements of one batch in a transaction.
    package typealias Transact = (_ body: () throws -> Void) throws -> Void

    /// The same on a connection to another engine.
    package func trim(reading session: any RemoteSession, isAsked: Bool, _ transact: Transact) throws -> Bool {
        try trim(.remote(session), isAsked: isAsked, transact)
    }

    /// Deletes one batch, if one is due or was asked for. Returns whether there is more to delete.
    func trim(_ db: Session, isAsked: Bool, _ transact: Transact) throws -> Bool {
        let now = environment.now()
        let surplus = lastSurplus - (lowest ?? 0) + 1
        // A clock that was set back must not stop the trimming until it has caught up.
        let isTime = now < lastLook || now.milliseconds - Self.interval >= lastLook.milliseconds
        guard isAsked || lowest == nil || hasMore || surplus >= retention.batch || isTime else { return false }
        lastLook = now
        hasMore = try trim(db, now: now, transact)
        return hasMore
    }

    /// The offset of the newest event that is one too many.
    private var lastSurplus: Int64 {
        var (end, left) = (feed.head, retention.maximumCount)
        for gap in gaps.reversed() {
            guard end - gap.high < left else { break }
            left -= end - gap.high
            end = gap.low
        }
        return end - left
    }

    /// The last event that must go because the log has too many bytes; 0 for none.
    private func heaviest(_ db: Session) throws -> Int64 {
        if let lowest { weight.forget(through: lowest - 1) }
        for _ in 0..<Self.measuredAtOnce {
            guard weight.add(try db.logPiece(after: weight.measured)) else { break }
        }
        return weight.surplus(beyond: retention.maximumBytes) ?? 0
    }

    private func trim(_ db: Session, now: Timestamp, _ transact: Transact) throws -> Bool {
        let oldest = now.milliseconds - retention.maximumAgeInMilliseconds
        let last = max(lastSurplus, try heaviest(db))
        // Offsets and times grow together, so the oldest rows stand first: no scan past what is deleted.
        var rows: [(offset: Int64, members: [AudienceMember])] = []
        lowest = feed.head + 1
        try db.query(
            "SELECT place, audience, at FROM log WHERE place > 0 ORDER BY place LIMIT ?",
            [.integer(retention.batch + 1)]
        ) { row in
            lowest = row.integer(0)
            guard row.integer(0) <= last || row.integer(2) < oldest else { return false }
            rows.append((row.integer(0), [AudienceMember](packed: row.blob(1))))
            return true
        }
        let isFull = rows.count > retention.batch
        rows = Array(rows.prefix(Int(retention.batch)))
        let receipts = now.milliseconds - Receipt.lifetimeInMilliseconds
        let hasReceipts = try db.first("SELECT 1 FROM receipt WHERE at < ?", [.integer(receipts)]) { _ in true } == true
        guard !rows.isEmpty || hasReceipts else { return false }
        try transact {
            for row in rows { try db.deleteLogRow(row.offset, members: row.members) }
            if let last = rows.last {
                try db.run("UPDATE meta SET value = ? WHERE name = 'floor'", [.integer(last.offset)])
                // Cursors below the floor have expired anyway.
                try db.run("DELETE FROM lost WHERE high <= ?", [.integer(last.offset)])
            }
            try db.run(
                "DELETE FROM receipt WHERE scope IN (SELECT scope FROM receipt WHERE at < ? LIMIT ?)",
                [.integer(receipts), .integer(retention.batch)])
        }
        if let last = rows.last { feed.raiseFloor(to: last.offset) }
        return isFull || hasReceipts
    }
}
