import ChatModel

/// Forgetting what is only a cache, without keeping the writer from others for long.
extension WriteTransaction {
    /// Forgets threads of an account, and how far they were synchronized. Unsent messages stay, and so do threads that the
    /// platform has not heard of: only this gateway has them.
    ///
    /// - Parameter isTold: logs `thread.removed` for each thread: somebody has asked for it, and what comes back is told as
    ///   `thread.created`. Else nothing is logged: nothing has happened on the service, and the rows come back at once.
    /// - Returns: whether there are more.
    public func clearCache(of account: Int64, limit: Int, isTold: Bool = false) throws -> Bool {
        let numbers = try db.all(
            """
            SELECT member.thread FROM member CROSS JOIN thread ON thread.number = member.thread
            WHERE member.account = ? AND json_extract(CAST(thread.json AS TEXT), '$.state') IS NOT 'pending' LIMIT ?
            """, [.integer(account), .integer(Int64(limit))]) { $0.integer(0) }
        if isTold {
            for number in numbers { if let record = try thread(number: number) { try logRemoval(of: record) } }
        }
        try orphan(numbers)
        try db.run("DELETE FROM syncPosition WHERE account = ?", [.integer(account)])
        return numbers.count == limit
    }

    /// Takes threads away from those who read; their messages are left to ``collectOrphans(limit:)``.
    func orphan(_ threads: [Int64]) throws {
        for number in threads {
            try db.run("INSERT OR IGNORE INTO orphan (thread) VALUES (?)", [.integer(number)])
            try db.run("DELETE FROM member WHERE (account, id) IN (SELECT owner, id FROM thread WHERE number = ?)", [.integer(number)])
            try db.run("DELETE FROM thread WHERE number = ?", [.integer(number)])
            for table in ["chunk", "remoteID"] { try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(number)]) }
            touch(thread: number)
        }
    }

    /// Deletes messages of threads that are gone, a batch at a time. Returns whether there are more.
    public func collectOrphans(limit: Int) throws -> Bool {
        guard let thread = try db.first("SELECT min(thread) FROM orphan", [], { $0.isNull(0) ? nil : $0.integer(0) }) ?? nil else { return false }
        try db.run(
            "DELETE FROM message WHERE number IN (SELECT number FROM message WHERE thread = ? LIMIT ?)",
            [.integer(thread), .integer(Int64(limit))])
        guard db.changesCount < limit else { return true }
        for table in ["tombstone", "watermark"] { try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(thread)]) }
        try db.run("DELETE FROM orphan WHERE thread = ?", [.integer(thread)])
        return true
    }
}
