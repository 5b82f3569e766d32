import ChatModel
import Formats

/// Threads that are out of the desk's list until a time.
extension ReadTransaction {
    /// When the next one ends; nil if there is none.
    public func nextSnooze() throws -> Timestamp? {
        try db.first("SELECT snoozedUntil FROM thread WHERE snoozedUntil IS NOT NULL ORDER BY snoozedUntil LIMIT 1") {
            Timestamp(milliseconds: $0.integer(0))
        }
    }

    /// At most `limit` threads whose time has come, the earliest first.
    public func dueSnoozes(at time: Timestamp, limit: Int) throws -> [ThreadRecord] {
        try threads(
            numbered: db.all(
                "SELECT number FROM thread WHERE snoozedUntil <= ? ORDER BY snoozedUntil, number LIMIT ?",
                [.integer(time.milliseconds), .integer(Int64(limit))]
            ) { $0.integer(0) })
    }
}
