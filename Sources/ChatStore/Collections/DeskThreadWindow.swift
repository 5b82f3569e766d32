import ChatModel
import Formats

extension ReadTransaction {
    /// At most `limit` of the desk's threads that a query shows behind a place: latest activity first; threads with
    /// the same time by id, channel and customer. See ``ThreadQuery/contains(_:of:)`` for what of the query is used.
    /// Fewer if they have the bytes of a page.
    public func deskThreads(
        _ query: ThreadQuery, after key: ThreadKey, limit: Int
    ) throws -> BoundedRows<PlacedThread> {
        try deskThreads(query, after: key, PageSize(count: limit))
    }

    func deskThreads(
        _ query: ThreadQuery, after key: ThreadKey, since: Timestamp? = nil, _ size: PageSize
    ) throws -> BoundedRows<PlacedThread> {
        // No thread is somebody's and nobody's. To ask would be one condition more: with very many, SQLite takes the rows
        // for so few that it sorts them instead of reading them in the index's order.
        if query.desk.agent != nil, query.desk.isUnassigned { return BoundedRows() }
        // Open and closed threads stand in two ranges of one index.
        let parts = try [(ThreadFilter.open, false), (.closed, true)].filter {
            query.state == .all || query.state == $0.0
        }
        .map { try deskThreads(query, isClosed: $0.1, after: key, since: since, size) }
        return BoundedRows(parts, size) { $0.key < $1.key }
    }

    /// How many rows are read at once where names are compared.
    private static var namesRead: Int { 256 }

    private func deskThreads(
        _ query: ThreadQuery, isClosed: Bool, after key: ThreadKey, since: Timestamp?, _ size: PageSize
    ) throws -> BoundedRows<PlacedThread> {
        guard query.nameContains != nil else {
            return try deskRows(query, isClosed: isClosed, after: key, since: since, size)
        }
        // Names are compared here and not by SQLite, which knows the lower case of ASCII only.
        var (found, byteCount, place) = (BoundedRows<PlacedThread>(), 0, key)
        while true {
            let read = try deskRows(
                query, isClosed: isClosed, after: place, since: since, PageSize(count: Self.namesRead))
            for row in read.rows {
                guard let owner = row.owner, try query.contains(ChatThread(canonicalJSON: row.json), of: owner) else {
                    continue
                }
                guard found.add(row, &byteCount, size) else { return found }
            }
            guard read.hasMore, let last = read.rows.last else { return found }
            place = last.key
        }
    }

    /// The rows without regard to names.
    private func deskRows(
        _ query: ThreadQuery, isClosed: Bool, after key: ThreadKey, since: Timestamp?, _ size: PageSize
    ) throws -> BoundedRows<PlacedThread> {
        let desk = query.desk
        func member(_ path: String...) -> String { db.jsonText(of: "thread.json", at: path) }
        var conditions = ""
        if query.channel != nil { conditions += " AND thread.channel = ?7" }
        if desk.agent != nil { conditions += " AND \(member("agent", "id")) = ?8" }
        if desk.isUnassigned { conditions += " AND \(member("agent")) IS NULL" }
        if desk.isWaiting { conditions += " AND \(member("waitingSince")) IS NOT NULL" }
        if desk.customer != nil { conditions += " AND account.customer = ?9" }
        if query.customTypePrefix != nil {
            conditions += " AND \(db.hasPrefix(member("customType"), "?10"))"
        }
        if since != nil { conditions += " AND thread.activity >= ?11" }
        let channels = query.channels?.sorted() ?? []
        if query.channels != nil {
            let places = channels.indices.map { "?\(12 + query.members.count + $0)" }.joined(separator: ", ")
            // Of no channel at all is no thread: nothing equals NULL.
            conditions += " AND thread.channel IN (\(places.isEmpty ? "NULL" : places))"
        }
        let members = query.members.sorted()
        if !members.isEmpty {
            conditions += " AND \(Self.hasMembers("thread.number", members.indices.map { "?\(12 + $0)" }))"
        }
        // In this order of tables: the index gives the activity's order, and a page reads no more than a page. With
        // the desk's conditions it reads past the threads that they leave out.
        let statement = """
            SELECT thread.activity, thread.id, thread.json AS thread, \(AccountRecord.columns)
            FROM thread JOIN account ON account.number = thread.owner
            WHERE thread.isKnownToDesk = 1\(conditions)
                AND thread.isClosed = ?1 AND thread.activity <= ?2
                AND (thread.activity < ?2 OR (thread.id, account.channel, account.customer) > (?3, ?4, ?5))
            ORDER BY thread.activity DESC, thread.id, account.channel, account.customer LIMIT ?6
            """
        return try db.page(
            db.bounded(statement, by: "thread", size),
            [
                .flag(isClosed), .integer(-key.number), .text(key.id), .text(key.owner?.channel ?? ""),
                // A parameter that the statement does not use has a type all the same: PostgreSQL wants one.
                .text(key.owner?.customer ?? ""), .integer(Int64(size.count) + 1), .text(query.channel ?? ""),
                .text(desk.agent ?? ""), .text(desk.customer ?? ""), .text(query.customTypePrefix ?? ""),
                .integer(since?.milliseconds ?? 0),
            ] + (members + channels).map(SQLValue.text), size
        ) { row in
            let account = try account(row: row, from: 3)
            let (id, owner) = (row.text(1), account.key.owner)
            return PlacedThread(
                key: ThreadKey(number: -row.integer(0), id: id, owner: owner), id: id,
                json: account.deskJSON(ofThread: try db.whole(row.blob(2))), owner: owner)
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
