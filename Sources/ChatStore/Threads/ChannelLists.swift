import ChatModel

/// All that a channel has, for those who look through it.
extension ReadTransaction {
    /// Accounts of a channel by their customers' ids, after one of them.
    package func accounts(
        on channel: String, of service: String, after customer: String, limit: Int
    ) throws -> [AccountRecord] {
        try db.all(
            """
            SELECT \(AccountRecord.columns) FROM account WHERE service = ? AND channel = ? AND customer > ?
            ORDER BY customer LIMIT ?
            """, [.text(service), .text(channel), .text(customer), .integer(Int64(limit))]
        ) { try AccountRecord(row: $0) }
    }

    /// The numbers of a channel's threads that the desk knows, in no order; of one member's, if an account of the channel
    /// is named. Read them in portions by ``threads(numbered:)``.
    package func threadNumbers(
        on channel: String, of service: String, withMember account: Int64?, limit: Int
    ) throws -> [Int64] {
        if let account {
            return try db.all(
                "SELECT thread FROM member WHERE account = ? LIMIT ?", [.integer(account), .integer(Int64(limit))]
            ) { $0.integer(0) }
        }
        return try db.all(
            """
            SELECT number FROM thread WHERE channel = ? AND isKnownToDesk = 1
            AND (SELECT service FROM account WHERE number = thread.owner) = ? LIMIT ?
            """, [.text(channel), .text(service), .integer(Int64(limit))]
        ) { $0.integer(0) }
    }
}
