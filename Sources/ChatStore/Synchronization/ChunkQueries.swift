import ChatModel

extension ReadTransaction {
    /// What is known to be complete of a thread, ascending.
    public func chunks(of thread: Int64) throws -> [Chunk] {
        try db.all("SELECT low, high, isOpen FROM chunk WHERE thread = ? ORDER BY low", [.integer(thread)]) {
            Chunk(low: $0.integer(0), high: $0.integer(1), isOpen: $0.flag(2))
        }
    }

    /// Whether some thread of the account claims to be known up to its newest message.
    public func hasOpenChunks(of account: Int64) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM member CROSS JOIN chunk ON chunk.thread = member.thread
            WHERE member.account = ? AND chunk.isOpen = 1 LIMIT 1
            """, [.integer(account)]) { _ in true } == true
    }
}

extension WriteTransaction {
    /// Replaces what is known to be complete.
    func save(_ chunks: [Chunk], of thread: Int64) throws {
        try db.run("DELETE FROM chunk WHERE thread = ?", [.integer(thread)])
        for chunk in chunks {
            try db.run(
                "INSERT INTO chunk (thread, low, high, isOpen) VALUES (?, ?, ?, ?)",
                [.integer(thread), .integer(chunk.low), .integer(chunk.high), .flag(chunk.isOpen)])
        }
    }

    /// The account's connection is gone: from now on something newer may exist everywhere.
    public func closeChunks(of account: Int64) throws {
        try db.run(
            "UPDATE chunk SET isOpen = 0 WHERE isOpen = 1 AND thread IN (SELECT thread FROM member WHERE account = ?)",
            [.integer(account)])
    }
}
