import ChatModel

/// What a token of a remote service continues. The gateway stores the token and hands it back to read on from there.
public enum SyncPosition: String, Sendable {
    /// The changes of a thread's messages.
    case messageChanges
    /// The list of the account's threads: the next page; empty when all were listed.
    case threadList
    /// The changes of that list.
    case threadChanges
}

extension ReadTransaction {
    /// The token that was stored last; nil if there is none.
    ///
    /// - Parameter thread: the thread's id; empty for positions of the account.
    public func position(_ kind: SyncPosition, of account: Int64, thread: String = "") throws -> String? {
        try db.first(
            "SELECT token FROM syncPosition WHERE account = ? AND thread = ? AND kind = ?",
            [.integer(account), .text(thread), .text(kind.rawValue)]
        ) { $0.text(0) }
    }
}

extension ReadTransaction {
    /// At most `limit` of the account's threads after another one: open threads first, each group by latest activity.
    public func synchronizedThreads(of account: Int64, after last: ThreadRecord?, limit: Int) throws -> [ThreadRecord] {
        let isClosed = last.map { $0.thread.state == .closed } ?? false
        let numbers = try db.all(
            """
            SELECT thread FROM member WHERE account = ?1 AND (isClosed, -activity, id) > (?2, ?3, ?4)
            ORDER BY isClosed, activity DESC, id LIMIT ?5
            """,
            [
                .integer(account), .integer(last == nil ? -1 : isClosed ? 1 : 0),
                .integer(-(last?.thread.lastActivityAt.milliseconds ?? 0)), .text(last?.thread.id ?? ""),
                .integer(Int64(limit)),
            ]
        ) { $0.integer(0) }
        return try threads(numbered: numbers)
    }
}

extension WriteTransaction {
    /// Stores how far an account, or one of its threads, was read, in place of the token before.
    public func save(_ token: String, as kind: SyncPosition, of account: Int64, thread: String = "") throws {
        try db.run(
            """
            INSERT INTO syncPosition (account, thread, kind, token) VALUES (?, ?, ?, ?)
            ON CONFLICT (account, thread, kind) DO UPDATE SET token = excluded.token
            """,
            [.integer(account), .text(thread), .text(kind.rawValue), .text(token)])
    }
}
