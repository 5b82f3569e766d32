import ChatModel

extension ReadTransaction {
    /// What the account has not read: a step for each thread that has something unread.
    public func unreadTotal(of account: Int64) throws -> UnreadTotal {
        // With these very terms the index `member_unread` serves it.
        try db.first(
            """
            SELECT coalesce(sum(unread), 0), count(*) FROM member
            WHERE account = ? AND unread > 0 AND isClosed = 0 AND isHidden = 0 AND state = 'joined'
            """, [.integer(account)]
        ) { UnreadTotal(unreadCount: Int($0.integer(0)), threadCount: Int($0.integer(1))) } ?? .zero
    }
}
