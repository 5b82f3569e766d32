import ChatModel
import Formats

/// Histories that were reset: a line in time, up to which nothing is shown any more.
extension WriteTransaction {
    /// Hides the messages up to now from one account, and logs `thread.updated` for that account alone. No message is
    /// deleted, because the others still see them.
    public func resetHistory(for account: Int64, in record: inout ThreadRecord, withDesk: Bool) throws {
        guard let index = record.members.firstIndex(where: { $0.account == account }) else { return }
        let line = try historyLine(of: record)
        record.historyBoundary = line.milliseconds
        record.members[index].historyResetAt = line
        record.members[index].unreadCount = 0
        record.members[index].read = try newestPosition(in: record)
        try saveMembership(record.members[index], in: record)
        // The account's list of messages gets a new version, although no message has changed.
        record.messagesVersion = nextOffset
        touch(thread: record.number)
        try save(&record, logging: .threadUpdated, withDesk: withDesk, onlyTo: account)
    }

    /// Hides the messages up to now from everybody, and deletes the first batch of them; ``eraseHistory()`` deletes
    /// the rest.
    ///
    /// The thread's `historyResetAt` tells clients what is gone: there is no `message.removed` for each message.
    public func resetHistory(in record: inout ThreadRecord, withDesk: Bool) throws {
        try resetHistory(in: &record, upTo: historyLine(of: record), withDesk: withDesk)
    }

    /// The same up to a time, which is later than that of any reset before. What is newer stays as it is, and so do the
    /// places up to which it was read.
    func resetHistory(in record: inout ThreadRecord, upTo line: Timestamp, withDesk: Bool) throws {
        assert(line >= record.thread.historyResetAt ?? .earliest, "The line of a history never goes back.")
        record.historyBoundary = line.milliseconds
        record.thread.historyResetAt = line
        record.thread.updatedAt = max(line, record.thread.updatedAt.advanced(byMilliseconds: 1))
        if let last = record.thread.lastMessage, last.createdAt <= line {
            setLastMessage(try newestMessage(in: record), of: &record)
        }
        if record.thread.lastMessage == nil {
            record.thread.waitingSince = record.thread.queuePosition.map { _ in record.thread.createdAt }
        }
        let newest = try newestPosition(in: record)
        if newest.createdAt <= line.milliseconds {
            record.readByDesk(through: newest)
        } else {
            record.thread.deskUnreadCount = try unreadCount(of: nil, after: record.deskRead, in: record)
        }
        for index in record.members.indices {
            var member = record.members[index]
            if newest.createdAt <= line.milliseconds {
                (member.unreadCount, member.read) = (0, newest)
            } else if member.unreadCount > 0 {
                let most = try unreadCount(of: member.account, after: member.read, in: record)
                member.unreadCount = min(member.unreadCount, most)
            }
            if member.historyResetAt.map({ $0 <= line }) == true { member.historyResetAt = nil }
            guard member != record.members[index] else { continue }
            record.members[index] = member
            try saveMembership(member, in: record)
        }
        try noteErasure(at: line.milliseconds, of: record.number)
        try erase(in: record, upTo: line.milliseconds)
        record.messagesVersion = nextOffset
        touch(thread: record.number)
        try save(&record, logging: .threadUpdated, withDesk: withDesk)
    }

    /// How many messages of the conversation others wrote after a place, and after the line of the thread's history.
    ///
    /// - Parameter account: nil for the desk.
    private func unreadCount(of account: Int64?, after place: MessagePosition, in record: ThreadRecord) throws -> Int {
        let start = max(place, MessagePosition(createdAt: record.historyBoundary, number: .max))
        let isOthers =
            account == nil
            ? "isToAgent = 1" : "(isToAgent = 0 OR sender <> (SELECT customer FROM account WHERE number = ?))"
        return try db.first(
            """
            SELECT count(*) FROM message WHERE thread = ? AND isInThread = 1 AND (createdAt, number) > (?, ?)
            AND \(isOthers)
            """,
            [.integer(record.number), .integer(start.createdAt), .integer(start.number)]
                + (account.map { [.integer($0)] } ?? [])
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Deletes one bounded batch of messages before the line of a thread, or of what a removed thread has left. Returns
    /// whether there may be more: call it until it returns false.
    public func eraseHistory() throws -> Bool {
        guard
            let next = try db.first(
                "SELECT thread, line FROM erasure WHERE thread > 0 ORDER BY thread LIMIT 1", [],
                { (thread: $0.integer(0), line: $0.integer(1)) })
        else { return false }
        guard let record = try thread(number: next.thread) else {
            try db.run("DELETE FROM erasure WHERE thread = ?", [.integer(next.thread)])
            return true
        }
        if Erasure.isOfRemoved(next.line) {
            try eraseRemoved(record, at: next.line)
        } else {
            try erase(in: record, upTo: next.line)
        }
        return true
    }

    /// The time of the reset: now, or that of the newest message if it is later. Every message of this moment is
    /// hidden.
    private func historyLine(of record: ThreadRecord) throws -> Timestamp {
        max(now, Timestamp(milliseconds: try newestPosition(in: record).createdAt))
    }

    /// The most messages that one unit deletes of the conversation, and as many replies beside it.
    private static var erasureLimit: Int64 { 200 }

    private func erase(in record: ThreadRecord, upTo line: Int64) throws {
        var isDone = true
        for isInThread in [true, false] {
            // Which index: the condition must be the index's own words.
            let rows = try db.all(
                """
                SELECT number, id FROM message WHERE thread = ? AND isInThread = \(isInThread ? 1 : 0) AND createdAt <= ?
                ORDER BY createdAt, number LIMIT ?
                """, [.integer(record.number), .integer(line), .integer(Self.erasureLimit)]
            ) { ($0.integer(0), $0.text(1)) }
            for (number, id) in rows { _ = try erase(number, id: id, in: record) }
            if rows.count == Int(Self.erasureLimit) { isDone = false }
        }
        guard isDone else { return }
        try db.run("DELETE FROM watermark WHERE thread = ? AND readAt <= ?", [.integer(record.number), .integer(line)])
        try db.run("DELETE FROM erasure WHERE thread = ?", [.integer(record.number)])
    }
}

extension Int64 {
    /// Sets the number to the time's milliseconds, if that is more.
    mutating func raise(to time: Timestamp) { self = Swift.max(self, time.milliseconds) }
}
