import ChatModel
import Formats

/// Messages that are kept for some time only.
extension ChatStore {
    /// Threads that one look passes.
    private static let portion = 500

    /// Takes the messages that were created before a time from everybody, with their files, in all threads of a service
    /// that the desk knows. Returns how many threads had any.
    ///
    /// `historyResetAt` of each thread tells clients what is gone, as after a reset. When this returns, the rows
    /// are deleted. It can be interrupted at any point: the next call continues.
    @discardableResult
    public func removeMessages(ofService service: String, before time: Timestamp) async throws(ChatError) -> Int {
        var count = 0
        var place: Int64? = 0
        while let last = place {
            let found = try await read {
                try $0.threadsWithMessages(of: service, before: time, after: last, limit: Self.portion)
            }
            for number in found.threads {
                // One thread at a time: a unit must not keep the writer busy for long.
                let isRemoved = try await write(inBackground: true) {
                    try $0.removeMessages(of: number, before: time)
                }
                if isRemoved { count += 1 }
                while try await write(inBackground: true, { try $0.eraseHistory() }) {}
            }
            place = found.next
        }
        return count
    }
}

extension ReadTransaction {
    /// Which of the next threads in the order of their numbers have messages before a time; and after which number to go
    /// on, nil for none.
    fileprivate func threadsWithMessages(
        of service: String, before time: Timestamp, after place: Int64, limit: Int
    ) throws -> (threads: [Int64], next: Int64?) {
        // Each question is a look into an index. Which one: the condition must be the index's own words.
        let rows = try db.all(
            """
            SELECT thread.number, CASE WHEN EXISTS (SELECT 1 FROM message
                    WHERE message.thread = thread.number AND message.isInThread = 1 AND message.createdAt < ?1)
                OR EXISTS (SELECT 1 FROM message
                    WHERE message.thread = thread.number AND message.isInThread = 0 AND message.createdAt < ?1)
                THEN 1 ELSE 0 END
            FROM thread JOIN account ON account.number = thread.owner
            WHERE thread.number > ?2 AND thread.isKnownToDesk = 1 AND account.service = ?3
            ORDER BY thread.number LIMIT ?4
            """, [.integer(time.milliseconds), .integer(place), .text(service), .integer(Int64(limit))]
        ) { (number: $0.integer(0), isOld: $0.flag(1)) }
        return (rows.filter(\.isOld).map(\.number), rows.count == limit ? rows.last?.number : nil)
    }
}

extension WriteTransaction {
    /// Moves the line of a thread's history to just before a time. Returns false if it stands there, or beyond.
    fileprivate func removeMessages(of number: Int64, before time: Timestamp) throws -> Bool {
        let line = time.advanced(byMilliseconds: -1)
        guard var record = try thread(number: number), record.isKnownToDesk,
            record.thread.historyResetAt.map({ $0 < line }) != false
        else { return false }
        try resetHistory(in: &record, upTo: line, withDesk: true)
        return true
    }
}
