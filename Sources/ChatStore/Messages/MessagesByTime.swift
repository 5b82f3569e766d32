import ChatModel
import Formats

/// Messages as other platforms ask for them: by their numbers, and by counts on both sides of a time.
extension ReadTransaction {
    /// The thread's message of this number; nil if it is another thread's, or before the line of the reader for whom the
    /// thread was read.
    package func message(number: Int64, in thread: ThreadRecord) throws -> MessageRecord? {
        try db.first(
            "SELECT \(MessageRecord.columns) FROM message WHERE number = ? AND thread = ? AND createdAt > ?",
            [.integer(number), .integer(thread.number), .integer(thread.historyBoundary)]
        ) { try messageRecord($0, in: thread) }
    }

    /// How many messages the thread has.
    package func messageCount(of thread: ThreadRecord) throws -> Int {
        let count = try db.first(
            "SELECT count(*) FROM message WHERE thread = ? AND createdAt > ?",
            [.integer(thread.number), .integer(thread.historyBoundary)]
        ) { $0.integer(0) }
        return Int(count ?? 0)
    }

    /// Messages around a time, oldest first.
    ///
    /// - Parameters:
    ///   - previous: how many older ones there are at most, and `next`: how many newer ones.
    ///   - simultaneous: how many of exactly that time there are at most, beside the others.
    ///   - replies: which replies are among them.
    package func messages(
        in thread: ThreadRecord, around time: Timestamp, previous: Int, next: Int, simultaneous: Int,
        replies: ReplyFilter
    ) throws -> [MessageRecord] {
        let (lists, condition) = (replies == .all ? [1, 0] : [1], replies == .none ? "AND parent IS NULL " : "")
        func find(_ place: String, _ order: String, _ limit: Int) throws -> [MessageRecord] {
            // Beside "=", SQLite would take the line of the history as the index's range, and look at all messages
            // behind.
            let isExact = place == "="
            guard limit > 0, !isExact || time.milliseconds > thread.historyBoundary else { return [] }
            let bound = isExact ? [] : [SQLValue.integer(thread.historyBoundary)]
            // Each list has an index of its own.
            let found = try lists.flatMap { list in
                try db.all(
                    """
                    SELECT \(MessageRecord.columns) FROM message WHERE thread = ? AND isInThread = \(list)
                    \(condition)AND createdAt \(place) ? \(isExact ? "" : "AND createdAt > ? ")\
                    ORDER BY createdAt \(order), number \(order) LIMIT ?
                    """,
                    [.integer(thread.number), .integer(time.milliseconds)] + bound + [.integer(Int64(limit))]
                ) { try messageRecord($0, in: thread) }
            }
            let isUp = order == "ASC"
            return Array(found.sorted { isUp ? $0.position < $1.position : $1.position < $0.position }.prefix(limit))
        }
        return try find("<", "DESC", previous).reversed() + find("=", "ASC", simultaneous) + find(">", "ASC", next)
    }
}
