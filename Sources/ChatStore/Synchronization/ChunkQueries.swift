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
            SELECT 1 FROM member JOIN chunk ON chunk.thread = member.thread
            WHERE member.account = ? AND chunk.isOpen = 1 LIMIT 1
            """, [.integer(account)]
        ) { _ in true } == true
    }
}

extension ReadTransaction {
    /// What the writer keeps of a remote service's thread; read when it is not kept.
    func remoteFacts(of thread: ThreadRecord) throws -> HotRows.RemoteFacts {
        if let known = hot?.remoteFacts(of: thread.number) {
            #if DEBUG
                try checkHot(known, is: readRemoteFacts(of: thread))
            #endif
            return known
        }
        let facts = try readRemoteFacts(of: thread)
        hot?.keep(facts, of: thread.number)
        return facts
    }

    private func readRemoteFacts(of thread: ThreadRecord) throws -> HotRows.RemoteFacts {
        let alias = try db.first("SELECT 1 FROM remoteID WHERE thread = ? LIMIT 1", [.integer(thread.number)]) { _ in
            true
        }
        return HotRows.RemoteFacts(
            chunks: try chunks(of: thread.number), hasAliases: alias == true, unsentCount: try outgoingCount(of: thread)
        )
    }
}

extension WriteTransaction {
    /// Changes what is kept of a remote service's thread, after its rows were changed in the same way.
    func note(in thread: Int64, _ change: (inout HotRows.RemoteFacts) -> Void) {
        guard let hot, var facts = hot.remoteFacts(of: thread) else { return }
        change(&facts)
        hot.keep(facts, of: thread)
    }

    /// Replaces the chunks of a thread.
    ///
    /// - Parameter old: the stored ones; only the differences are written.
    func save(_ chunks: [Chunk], insteadOf old: [Chunk], of thread: Int64) throws {
        for chunk in old where !chunks.contains(where: { $0.low == chunk.low }) {
            try db.run("DELETE FROM chunk WHERE thread = ? AND low = ?", [.integer(thread), .integer(chunk.low)])
        }
        for chunk in chunks where !old.contains(chunk) {
            try db.run(
                """
                INSERT INTO chunk (thread, low, high, isOpen) VALUES (?, ?, ?, ?)
                ON CONFLICT (thread, low) DO UPDATE SET high = excluded.high, isOpen = excluded.isOpen
                """,
                [.integer(thread), .integer(chunk.low), .integer(chunk.high), .flag(chunk.isOpen)])
        }
        note(in: thread) { $0.chunks = chunks }
    }

    /// Closes all chunks of an account, because its connection is lost: newer messages may exist from now on.
    public func closeChunks(of account: Int64) throws {
        hot?.forgetRemoteFacts(of: account)
        try db.run(
            "UPDATE chunk SET isOpen = 0 WHERE isOpen = 1 AND thread IN (SELECT thread FROM member WHERE account = ?)",
            [.integer(account)])
    }
}
