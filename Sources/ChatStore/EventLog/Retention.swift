import ChatModel
import GRDB

/// How long the log is kept; an older cursor gets a reset.
public struct Retention: Sendable {
    public var maximumAgeInMilliseconds: Int64
    public var maximumCount: Int64
    /// Rows deleted between two groups of writes, at most: a send never waits for more.
    public var batch: Int64

    public init(maximumAgeInMilliseconds: Int64 = 7 * 86_400_000, maximumCount: Int64 = 1_000_000, batch: Int64 = 256) {
        self.maximumAgeInMilliseconds = maximumAgeInMilliseconds
        self.maximumCount = maximumCount
        self.batch = batch
    }
}

/// Deletes what retention no longer keeps, a batch at a time, on the writer's thread.
struct LogTrimmer: Sendable {
    let retention: Retention
    let feed: EventFeed
    let environment: ModelEnvironment

    /// One batch. Returns whether there may be more to delete.
    func trim(_ db: Database) throws -> Bool {
        let now = environment.now().milliseconds
        let oldest = now - retention.maximumAgeInMilliseconds
        let lowest = feed.head - retention.maximumCount
        // Offsets and times grow together, so the oldest rows stand first: no scan past what is deleted.
        var rows: [(offset: Int64, members: [AudienceMember])] = []
        try db.query("SELECT offset, audience, at FROM log ORDER BY offset LIMIT ?", [.integer(retention.batch)]) { row in
            guard row.integer(0) <= lowest || row.integer(2) < oldest else { return false }
            rows.append((row.integer(0), [AudienceMember](packed: row.blob(1))))
            return true
        }
        let receipts = now - Receipt.lifetimeInMilliseconds
        let hasReceipts = try db.first("SELECT 1 FROM receipt WHERE at < ?", [.integer(receipts)]) { _ in true } == true
        guard !rows.isEmpty || hasReceipts else { return false }
        try db.inTransaction(.immediate) {
            for row in rows { try db.deleteLogRow(row.offset, members: row.members) }
            if let last = rows.last {
                try db.run("UPDATE meta SET value = ? WHERE name = 'floor'", [.integer(last.offset)])
            }
            try db.run(
                "DELETE FROM receipt WHERE scope IN (SELECT scope FROM receipt WHERE at < ? LIMIT ?)",
                [.integer(receipts), .integer(retention.batch)])
            return .commit
        }
        if let last = rows.last { feed.raiseFloor(to: last.offset) }
        return true
    }
}
