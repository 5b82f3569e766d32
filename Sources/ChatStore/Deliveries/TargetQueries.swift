import ChatModel
import Formats

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
