import ChatModel

extension ReadTransaction {
    /// The complete ranges of a thread, ascending.
    public func chunks(of thread: Int64) throws -> [Chunk] {
        try db.all("SELECT low, high, isOpen FROM chunk WHERE thread = ? ORDER BY low", [.integer(thread)]) {
            Chunk(low: $0.integer(0), high: $0.integer(1), isOpen: $0.flag(2))
        }
    }

    /// Whether a thread of the account has an open chunk: see ``Chunk/isOpen``.
    public func hasOpenChunks(of account: Int64) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM member CROSS JOIN chunk ON chunk.thread = member.thread
            WHERE member.account = ? AND chunk.isOpen = 1 LIMIT 1
            """, [.integer(account)]
        ) { _ in true } == true
    }
}

extension WriteTransaction {
    /// Replaces all chunks of a thread.
    func save(_ chunks: [Chunk], of thread: Int64) throws {
        try db.run("DELETE FROM chunk WHERE thread = ?", [.integer(thread)])
        for chunk in chunks {
            try db.run(
                "INSERT INTO chunk (thread, low, high, isOpen) VALUES (?, ?, ?, ?)",
                [.integer(thread), .integer(chunk.low), .integer(chunk.high), .flag(chunk.isOpen)])
        }
    }

    /// Closes all chunks of an account, because its connection is lost: newer messages may exist from now on.
    public func closeChunks(of account: Int64) throws {
        try db.run(
            "UPDATE chunk SET isOpen = 0 WHERE isOpen = 1 AND thread IN (SELECT thread FROM member WHERE account = ?)",
            [.integer(account)])
    }
}
