import ChatModel
import Formats

/// Removing the conversations of a channel that ended long ago.
extension ChatStore {
    /// Threads that one look finds, and threads that one unit removes.
    private static let portion = 200
    private static let batch = 20

    /// Removes the closed threads of a channel that nothing has happened in since a time, with everything in them.
    /// Their members are told. Returns how many there were.
    ///
    /// It may be cut off anywhere: called again it goes on.
    @discardableResult
    public func removeThreads(
        ofService service: String, channel: String, closedBefore time: Timestamp
    ) async throws(ChatError) -> Int {
        var count = 0
        var place: (activity: Int64, number: Int64)? = (.min, 0)
        while let last = place {
            let found = try await read {
                try $0.closedThreads(of: channel, before: time, after: last, limit: Self.portion)
            }
            for start in stride(from: 0, to: found.count, by: Self.batch) {
                let numbers = found[start..<min(start + Self.batch, found.count)].map(\.number)
                count += try await write(inBackground: true) { transaction in
                    try numbers.filter { try transaction.removeThread($0, ofService: service, closedBefore: time) }
                        .count
                }
                while try await write(inBackground: true, { try $0.eraseHistory() }) {}
            }
            place = found.count == Self.portion ? found.last : nil
        }
        return count
    }
}

extension ReadTransaction {
    /// The channel's closed threads that the desk knows, the one that was quiet for the longest time first.
    fileprivate func closedThreads(
        of channel: String, before time: Timestamp, after place: (activity: Int64, number: Int64), limit: Int
    ) throws -> [(activity: Int64, number: Int64)] {
        try db.all(
            """
            SELECT activity, number FROM thread
            WHERE channel = ? AND isClosed = 1 AND isKnownToDesk = 1 AND activity < ? AND (activity, number) > (?, ?)
            ORDER BY activity, number LIMIT ?
            """,
            [
                .text(channel), .integer(time.milliseconds), .integer(place.activity), .integer(place.number),
                .integer(Int64(limit)),
            ]
        ) { (activity: $0.integer(0), number: $0.integer(1)) }
    }
}

extension WriteTransaction {
    /// Removes a thread unless something has happened in it since, or it is another service's. Returns whether it did.
    fileprivate func removeThread(
        _ number: Int64, ofService service: String, closedBefore time: Timestamp
    ) throws -> Bool {
        guard let record = try thread(number: number), record.isKnownToDesk, record.thread.state == .closed,
            record.thread.lastActivityAt < time, record.owner.key.service == service
        else { return false }
        try removeThread(number)
        return true
    }
}
