import ChatModel
import Formats

/// What an adapter asks of many threads or accounts at once, to find what it has to compare with its platform.
extension ReadTransaction {
    /// The accounts that have a thread of this id.
    public func accounts(withThread id: String) throws -> Set<Int64> {
        Set(
            try db.all(
                """
                SELECT member.account FROM thread
                JOIN member ON member.account = thread.owner AND member.id = thread.id WHERE thread.id = ?
                """, [.text(id)]
            ) { $0.integer(0) })
    }

    /// What has happened in each of an account's threads, by their ids; of `limit` threads at most.
    public func threadActivity(of account: Int64, limit: Int) throws -> [String: ThreadActivity] {
        let rows = try db.all(
            "SELECT id, activity, unread FROM member WHERE account = ? ORDER BY id LIMIT ?",
            [.integer(account), .integer(Int64(limit))]
        ) {
            ($0.text(0), ThreadActivity(at: Timestamp(milliseconds: $0.integer(1)), unreadCount: Int($0.integer(2))))
        }
        return Dictionary(rows) { first, _ in first }
    }
}

/// What has happened in a thread last.
public struct ThreadActivity: Sendable, Hashable {
    /// The time of its last message, or its own.
    public var at: Timestamp
    public var unreadCount: Int

    public init(at: Timestamp, unreadCount: Int) { (self.at, self.unreadCount) = (at, unreadCount) }
}
