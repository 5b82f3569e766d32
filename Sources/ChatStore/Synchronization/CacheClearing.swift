import ChatModel

/// Deleting synchronized threads, in steps that keep the writer busy for a short time only.
extension WriteTransaction {
    /// Deletes at most `limit` threads of an account, and its sync positions, so that they are fetched anew. Unsent
    /// messages and pending threads stay, because only this gateway has them.
    ///
    /// - Parameter isTold: logs `thread.removed` for each thread, when a client has asked for the deletion; the
    ///   threads then come back as `thread.created`. Otherwise nothing is logged.
    /// - Returns: whether there may be more threads.
    public func clearCache(of account: Int64, limit: Int, isTold: Bool = false) throws -> Bool {
        let numbers = try db.all(
            """
            SELECT member.thread FROM member JOIN thread ON thread.number = member.thread
            WHERE member.account = ? AND coalesce(\(db.jsonText(of: "thread.json", at: "state")), '') <> 'pending' LIMIT ?
            """, [.integer(account), .integer(Int64(limit))]
        ) { $0.integer(0) }
        if isTold {
            for number in numbers { if let record = try thread(number: number) { try logRemoval(of: record) } }
        }
        try orphan(numbers)
        try db.run("DELETE FROM syncPosition WHERE account = ?", [.integer(account)])
        return numbers.count == limit
    }

    /// Deletes threads with their memberships. Their messages are left to ``collectOrphans(limit:)``.
    func orphan(_ threads: [Int64]) throws {
        for number in threads {
            try db.run("INSERT INTO orphan (thread) VALUES (?) ON CONFLICT (thread) DO NOTHING", [.integer(number)])
            hot?.forget(thread: number)
            try db.run(
                "DELETE FROM member WHERE (account, id) IN (SELECT owner, id FROM thread WHERE number = ?)",
                [.integer(number)])
            try db.run("DELETE FROM thread WHERE number = ?", [.integer(number)])
            for table in ["chunk", "remoteID", "fields"] {
                try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(number)])
            }
            touch(thread: number)
        }
    }

    /// Deletes at most `limit` messages of a deleted thread. Returns whether there may be more.
    public func collectOrphans(limit: Int) throws -> Bool {
        guard
            let thread = try db.first("SELECT min(thread) FROM orphan", [], { $0.isNull(0) ? nil : $0.integer(0) })
                ?? nil
        else { return false }
        let changes = try db.change(
            "DELETE FROM message WHERE number IN (SELECT number FROM message WHERE thread = ? LIMIT ?)",
            [.integer(thread), .integer(Int64(limit))])
        guard changes < limit else { return true }
        for table in ["tombstone", "watermark"] {
            try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(thread)])
        }
        try db.run("DELETE FROM orphan WHERE thread = ?", [.integer(thread)])
        return true
    }
}
