import ChatModel
import Formats

/// Positions in the log that a reader names otherwise than by a cursor.
extension ChatStore {
    /// The position after which the log goes on with the events of this time and later ones: the floor if all are
    /// younger, the head if all are older.
    ///
    /// Times grow with the offsets, so a few rows are read. If the clock was set back meanwhile, times overlap, and the
    /// position is one of those that fit.
    public func position(of time: Timestamp) async throws(ChatError) -> Int64 {
        try await read { try $0.position(of: time) }
    }

    /// The position after which the log has `count` events for these audiences that the reader wants; the floor if it
    /// has fewer. It reads backward, in bounded steps.
    public func position(
        ofLast count: Int, for audiences: [Audience], where isWanted: @escaping @Sendable (EventType) -> Bool
    ) async throws(ChatError) -> Int64 {
        var (left, end) = (count, Int64.max)
        while left > 0 {
            let step = try await read { [end] in try $0.backward(audiences, before: end) }
            let wanted = step.events.filter { isWanted($0.type) }
            if wanted.count >= left { return max(wanted[left - 1].offset - 1, feed.floor) }
            left -= wanted.count
            guard let next = step.next else { return feed.floor }
            end = next
        }
        return feed.head
    }
}

extension ReadTransaction {
    /// The most rows that one step backward reads for an audience.
    private static var backwardLimit: Int64 { 1024 }

    /// The place after which the log has the events of this time and later ones.
    func position(of time: Timestamp) throws -> Int64 {
        var (low, high) = (try meta("floor"), try headOffset())
        while low < high {
            let middle = low + (high - low) / 2
            let next = try db.first(
                "SELECT place, at FROM log WHERE place > ? ORDER BY place LIMIT 1", [.integer(middle)]
            ) { (offset: $0.integer(0), at: $0.integer(1)) }
            if let next, next.at < time.milliseconds { low = next.offset } else { high = middle }
        }
        return low
    }

    /// The events for these audiences before an offset, the newest first, each once. `next` is the offset before which
    /// the next step goes on; nil when there is nothing more.
    fileprivate func backward(
        _ audiences: [Audience], before end: Int64
    ) throws -> (events: [(offset: Int64, type: EventType)], next: Int64?) {
        var types: [Int64: EventType] = [:]
        // What an audience has before its last row is not known yet, so the step ends where the first of them ends.
        var next: Int64?
        for audience in audiences where audience.number != nil || audience == .everyone {
            var (count, last) = (Int64(0), end)
            let range: [SQLValue] = [.integer(end), .integer(Self.backwardLimit)]
            let statement =
                if audience.number == nil {
                    "SELECT place, type FROM log WHERE place < ? ORDER BY place DESC LIMIT ?"
                } else {
                    """
                    SELECT log.place, log.type FROM audience JOIN log ON log.place = audience.place
                    WHERE audience.account = ? AND audience.place < ? ORDER BY audience.place DESC LIMIT ?
                    """
                }
            try db.query(statement, audience.number.map { [.integer($0)] + range } ?? range) { row in
                guard let type = EventType(rawValue: row.text(1)) else { throw ModelError(member: "type") }
                types[row.integer(0)] = type
                (count, last) = (count + 1, row.integer(0))
                return true
            }
            if count == Self.backwardLimit { next = max(next ?? last, last) }
        }
        let events = types.filter { $0.key >= next ?? .min }.sorted { $0.key > $1.key }
        return (events.map { (offset: $0.key, type: $0.value) }, next)
    }
}
