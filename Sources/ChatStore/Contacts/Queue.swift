import ChatModel

/// A live chat's place in its queue, as it is told to those whom the thread concerns.
public struct QueuePlace: Sendable, Equatable {
    public var threadID: String
    /// From 1; nil for one that has left the queue.
    public var position: Int?
    public var accounts: [Int64]

    init(_ record: ThreadRecord) {
        threadID = record.thread.id
        position = record.thread.queuePosition
        accounts = record.members.map(\.account)
    }
}

/// The queues of live chats: the threads of a channel that no agent has taken, those that have waited longest first.
///
/// A position is a member of its thread, so that it is logged; each change of a queue rewrites the threads behind it.
extension WriteTransaction {
    /// Has the thread wait for an agent. Saving it is the caller's.
    ///
    /// - Parameter time: since when it waits: one that waits again is not sent to the end.
    /// - Returns: it, and those that it went before; these are saved.
    public func joinQueue(_ record: inout ThreadRecord, since time: Timestamp) throws -> [QueuePlace] {
        let key = record.owner.key
        try db.run(
            "INSERT OR IGNORE INTO waiting (thread, service, channel, since) VALUES (?, ?, ?, ?)",
            [.integer(record.number), .text(key.service), .text(key.channel), .integer(time.milliseconds)])
        let place = ReadPosition(createdAt: time.milliseconds, number: record.number)
        let before = try db.first(
            "SELECT count(*) FROM waiting WHERE service = ? AND channel = ? AND (since, thread) < (?, ?)",
            [.text(key.service), .text(key.channel), .integer(place.createdAt), .integer(place.number)]
        ) { Int($0.integer(0)) } ?? 0
        record.thread.queuePosition = before + 1
        return [QueuePlace(record)] + (try renumber(behind: place, from: before + 2, key))
    }

    /// Takes the thread out of its queue, if it waits. Saving it is the caller's.
    ///
    /// - Returns: it, and those that moved up; these are saved.
    public func leaveQueue(_ record: inout ThreadRecord) throws -> [QueuePlace] {
        let since = try db.first("SELECT since FROM waiting WHERE thread = ?", [.integer(record.number)]) { $0.integer(0) }
        guard let since, let position = record.thread.queuePosition else { return [] }
        try db.run("DELETE FROM waiting WHERE thread = ?", [.integer(record.number)])
        record.thread.queuePosition = nil
        let place = ReadPosition(createdAt: since, number: record.number)
        return [QueuePlace(record)] + (try renumber(behind: place, from: position, record.owner.key))
    }

    private func renumber(behind place: ReadPosition, from first: Int, _ key: AccountKey) throws -> [QueuePlace] {
        let behind = try db.all(
            """
            SELECT thread FROM waiting WHERE service = ? AND channel = ? AND (since, thread) > (?, ?) ORDER BY since, thread
            """,
            [.text(key.service), .text(key.channel), .integer(place.createdAt), .integer(place.number)]) { $0.integer(0) }
        return try zip(first..., behind).compactMap { position, number in
            guard var record = try thread(number: number), record.thread.queuePosition != position else { return nil }
            record.thread.queuePosition = position
            record.thread.updatedAt = max(now, record.thread.updatedAt.advanced(byMilliseconds: 1))
            try save(&record, logging: .threadUpdated, withDesk: true)
            return QueuePlace(record)
        }
    }
}
