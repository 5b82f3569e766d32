import ChatModel
import Formats

extension ReadTransaction {
    /// At most `limit` of the desk's threads that a query shows behind a place: latest activity first; threads with
    /// the same time by id, channel and customer. Only `state` and `channel` of the query are used.
    public func deskThreads(_ query: ThreadQuery, after key: ThreadKey, limit: Int) throws -> [PlacedThread] {
        // Open and closed threads stand in two ranges of one index.
        let parts = try [(ThreadFilter.open, false), (.closed, true)].filter {
            query.state == .all || query.state == $0.0
        }
        .map { try deskThreads(query, isClosed: $0.1, after: key, limit: limit) }
        return Array(parts.joined().sorted { $0.key < $1.key }.prefix(limit))
    }

    private func deskThreads(
        _ query: ThreadQuery, isClosed: Bool, after key: ThreadKey, limit: Int
    ) throws -> [PlacedThread] {
        // In this order of tables: the index gives the activity's order, and a page reads no more than a page.
        try db.all(
            """
            SELECT thread.activity, thread.id, thread.json, \(AccountRecord.columns)
            FROM thread CROSS JOIN account ON account.number = thread.owner
            WHERE thread.isKnownToDesk = 1 \(query.channel == nil ? "" : "AND thread.channel = ?7")
                AND thread.isClosed = ?1 AND thread.activity <= ?2
                AND (thread.activity < ?2 OR (thread.id, account.channel, account.customer) > (?3, ?4, ?5))
            ORDER BY thread.activity DESC, thread.id, account.channel, account.customer LIMIT ?6
            """,
            [
                .flag(isClosed), .integer(-key.number), .text(key.id), .text(key.owner?.channel ?? ""),
                .text(key.owner?.customer ?? ""), .integer(Int64(limit)),
            ] + (query.channel.map { [.text($0)] } ?? [])
        ) { row in
            let account = try account(row: row, from: 3)
            let (id, owner) = (row.text(1), account.key.owner)
            return PlacedThread(
                key: ThreadKey(number: -row.integer(0), id: id, owner: owner), id: id,
                json: account.deskJSON(ofThread: row.blob(2)), owner: owner)
        }
    }
}

extension AccountRecord {
    /// A thread of this account as the desk reads it: the thread's JSON with the members `channel` and `customer`
    /// added.
    func deskJSON(ofThread json: [UInt8]) -> [UInt8] {
        json.dropLast() + [UInt8(ascii: ",")] + deskMembers + [UInt8(ascii: "}")]
    }
}
