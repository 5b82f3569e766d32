import ChatModel
import Formats

extension ReadTransaction {
    /// At most `limit` of the desk's threads that a query shows behind a place: latest activity first; threads with
    /// the same time by id, channel and customer. See ``ThreadQuery/contains(_:_:of:)`` for what of the query is used.
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
        let ranges = DeskRange.all(of: query).filter { $0.isBehind(key) }
        var parts: [BoundedRows<PlacedThread>] = []
        for range in ranges {
            parts.append(try deskThreads(query, range, after: range.start(key), since: since, size))
            // Those that wait come before all others. To look for the others reads past everybody who waits.
            if range == .waiting, parts[0].hasMore { break }
        }
        return BoundedRows(parts, size) { $0.key < $1.key }
    }

    /// How many rows are read at once where names are compared.
    private static var namesRead: Int { 256 }

    private func deskThreads(
        _ query: ThreadQuery, _ range: DeskRange, after key: ThreadKey, since: Timestamp?, _ size: PageSize
    ) throws -> BoundedRows<PlacedThread> {
        guard query.nameContains != nil else { return try deskRows(query, range, after: key, since: since, size) }
        // Names are compared here and not by SQLite, which knows the lower case of ASCII only.
        var (found, byteCount, place) = (BoundedRows<PlacedThread>(), 0, key)
        while true {
            let read = try deskRows(query, range, after: place, since: since, PageSize(count: Self.namesRead))
            for row in read.rows {
                guard let owner = row.owner, try query.containsName(of: ChatThread(canonicalJSON: row.json), owner)
                else { continue }
                guard found.add(row, &byteCount, size) else { return found }
            }
            guard read.hasMore, let last = read.rows.last else { return found }
            place = last.key
        }
    }

    /// The rows without regard to names.
    private func deskRows(
        _ query: ThreadQuery, _ range: DeskRange, after key: ThreadKey, since: Timestamp?, _ size: PageSize
    ) throws -> BoundedRows<PlacedThread> {
        let desk = query.desk
        func member(_ path: String...) -> String { db.jsonText(of: "thread.json", at: path) }
        var conditions = ""
        if query.channel != nil { conditions += " AND thread.channel = ?7" }
        if desk.agent != nil || desk.isUnassigned {
            conditions +=
                try " AND "
                + agentCondition(query, unassigned: "\(member("agent")) IS NULL") {
                    "\(member("agent", "id")) = ?8"
                }
        }
        // Who is reminded of a thread has it in the index, and in no other place that SQL sees.
        if desk.isWaiting {
            conditions += " AND (thread.deskWait IS NOT NULL OR \(member("waitingSince")) IS NOT NULL)"
        }
        if desk.customer != nil { conditions += " AND account.customer = ?9" }
        if query.customTypePrefix != nil {
            conditions += " AND \(db.hasPrefix(member("customType"), "?10"))"
        }
        if since != nil { conditions += " AND thread.activity >= ?11" }
        switch desk.snoozed {
        case .include: break
        case .exclude: conditions += " AND thread.snoozedUntil IS NULL"
        case .only: conditions += " AND thread.snoozedUntil IS NOT NULL"
        }
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
        var more = (members + channels).map(SQLValue.text)
        if let tag = desk.tag {
            conditions += """
                 AND EXISTS (SELECT 1 FROM threadTag WHERE threadTag.tag = ?\(12 + more.count)
                AND threadTag.thread = thread.number)
                """
            more.append(.text(tag))
        }
        // In this order of tables: the index gives the order, and a page reads no more than a page. With the desk's
        // conditions it reads past the threads that they leave out.
        let statement = """
            SELECT \(range.column), thread.id, thread.json AS thread, \(AccountRecord.columns), thread.team
            FROM thread JOIN account ON account.number = thread.owner
            WHERE \(range.condition)\(conditions)
            ORDER BY \(range.column)\(range.isAscending ? "" : " DESC"), thread.id, account.channel, account.customer LIMIT ?6
            """
        return try db.page(
            db.bounded(statement, by: "thread", size),
            [
                .flag(range == .closed), .integer(range == .waiting ? key.waitingSince ?? -1 : -key.number),
                .text(key.id), .text(key.owner?.channel ?? ""),
                // A parameter that the statement does not use has a type all the same: PostgreSQL wants one.
                .text(key.owner?.customer ?? ""), .integer(Int64(size.count) + 1), .text(query.channel ?? ""),
                .text(desk.agent ?? ""), .text(desk.customer ?? ""), .text(query.customTypePrefix ?? ""),
                .integer(since?.milliseconds ?? 0),
            ] + more, size
        ) { row in
            let account = try account(row: row, from: 3)
            let (id, owner) = (row.text(1), account.key.owner)
            let key =
                range == .waiting
                ? ThreadKey(waitingSince: row.integer(0), id: id, owner: owner)
                : ThreadKey(number: -row.integer(0), id: id, owner: owner)
            let team = row.isNull(10) ? [] : row.blob(10)
            return PlacedThread(
                key: key, id: id, json: account.deskJSON(ofThread: try db.whole(row.blob(2)), team: team), owner: owner)
        }
    }

    /// The condition for the threads of an agent, or of nobody.
    ///
    /// In the open list the agent is in an index. Where few threads have this agent, they are found there and sorted; where
    /// many have, they are found soon in the order of the list, and the expression keeps SQLite from sorting them all.
    private func agentCondition(
        _ query: ThreadQuery, unassigned: String, assigned: () -> String
    ) throws -> String {
        guard query.state == .open, query.desk.snoozed == .exclude else {
            return query.desk.isUnassigned ? unassigned : assigned()
        }
        let few: Int64 = 2000
        let places = "SELECT number FROM thread WHERE channel IN (SELECT id FROM channel) AND deskAgent"
        let count = try db.first(
            "SELECT count(*) FROM (\(places) = ? LIMIT ?) AS found",
            [.text(query.desk.agent ?? ""), .integer(few + 1)]
        ) { $0.integer(0) }
        // The parameter is empty for nobody, as the column is. ``QueryPlans`` knows the first condition.
        return (count ?? 0) <= few
            ? "thread.number IN (\(places) = ?8)" : "coalesce(thread.deskAgent, '-') = ?8"
    }
}

/// A part of the desk's threads that an index has in the order of a list.
private enum DeskRange {
    /// Those whose customers wait, in the order by waiting.
    case waiting
    /// The other open ones of that order.
    case idle
    case open, closed

    /// The parts of a query's list.
    static func all(of query: ThreadQuery) -> [DeskRange] {
        let open: [DeskRange] = query.desk.order == .waiting ? [.waiting, .idle] : [.open]
        return switch query.state {
        case .all: open + [.closed]
        case .open: open
        case .closed: [.closed]
        }
    }

    /// Whether the part has threads behind a place of the list.
    func isBehind(_ key: ThreadKey) -> Bool { self != .waiting || key == .first || key.waitingSince != nil }

    /// Where the part begins, behind a place of the list.
    func start(_ key: ThreadKey) -> ThreadKey { self != .waiting && key.waitingSince != nil ? .first : key }

    var column: String { self == .waiting ? "thread.deskWait" : "thread.activity" }
    var isAscending: Bool { self == .waiting }

    /// - Parameters 1 to 5 of the statement: whether the part is the closed one, and the place.
    var condition: String {
        switch self {
        case .waiting:
            """
            thread.deskWait IS NOT NULL AND thread.deskWait >= ?2
                AND (thread.deskWait > ?2 OR (thread.id, account.channel, account.customer) > (?3, ?4, ?5))
            """
        case .idle, .open, .closed:
            """
            thread.isKnownToDesk = 1 AND thread.isClosed = ?1 AND thread.activity <= ?2\(self == .idle ? " AND thread.deskWait IS NULL" : "")
                AND (thread.activity < ?2 OR (thread.id, account.channel, account.customer) > (?3, ?4, ?5))
            """
        }
    }
}

extension AccountRecord {
    /// A thread of this account as the desk reads it: the thread's JSON with the members `channel` and `customer`, and with
    /// what the desk alone sees (``ThreadTeam/members``).
    func deskJSON(ofThread json: [UInt8], team: [UInt8]) -> [UInt8] {
        json.dropLast() + [UInt8(ascii: ",")] + deskMembers + (team.isEmpty ? [] : [UInt8(ascii: ",")] + team)
            + [UInt8(ascii: "}")]
    }
}

/// How many of the desk's open threads are where. Each number is at most ``limit``.
public struct DeskCounts: Sendable, Hashable {
    /// Beyond it nobody reads a number, and counting would take long.
    public static let limit = 10_000

    /// Open ones that are not snoozed; so are the next three.
    public var open = 0
    /// Those whose customer waits for an answer.
    public var waiting = 0
    /// Those of the agent who asks; nil if nobody in particular asks.
    public var mine: Int?
    public var unassigned = 0
    public var snoozed = 0
    /// Since when the customer waits who waits longest.
    public var longestWaitingSince: Timestamp?
    /// Whether there are more of something than its number says.
    public var hasMore = false

    public func encode(to json: inout JSONWriter) {
        json.member("open", open)
        json.member("waiting", waiting)
        if let mine { json.member("mine", mine) }
        json.member("unassigned", unassigned)
        json.member("snoozed", snoozed)
        if let longestWaitingSince { json.member("longestWaitingSince", longestWaitingSince) }
        if hasMore { json.member("more", true) }
    }
}

extension ReadTransaction {
    /// Counts the desk's threads. It reads indexes alone, and no row of a thread.
    ///
    /// - Parameters:
    ///   - agent: whose are counted as `mine`.
    ///   - channels: only of these channels; nil for all.
    public func deskCounts(of agent: String?, within channels: Set<String>?) throws -> DeskCounts {
        let list = channels.map { Placeholders($0.sorted().map(SQLValue.text)) }
        // Of no channel at all is no thread.
        if let channels, channels.isEmpty { return DeskCounts(mine: agent == nil ? nil : 0) }
        let known = list?.sql ?? "(SELECT id FROM channel)"
        let among = list.map { " AND channel IN \($0.sql)" } ?? ""
        let values = list?.values ?? []
        var counts = DeskCounts()
        func count(_ condition: String, _ values: [SQLValue]) throws -> Int {
            let found = try db.first(
                "SELECT count(*) FROM (SELECT 1 FROM thread WHERE \(condition) LIMIT ?) AS found",
                values + [.integer(Int64(DeskCounts.limit) + 1)]
            ) { Int(clamping: $0.integer(0)) }
            if let found, found > DeskCounts.limit { counts.hasMore = true }
            return min(found ?? 0, DeskCounts.limit)
        }
        counts.open = try count("channel IN \(known) AND deskAgent IS NOT NULL", values)
        counts.waiting = try count("deskWait IS NOT NULL\(among)", values)
        counts.mine = try agent.map {
            try count("channel IN \(known) AND deskAgent = ?", values + [.text($0)])
        }
        counts.unassigned = try count("channel IN \(known) AND deskAgent = ''", values)
        counts.snoozed = try count("snoozedUntil IS NOT NULL\(among)", values)
        counts.longestWaitingSince = try db.first(
            "SELECT deskWait FROM thread WHERE deskWait IS NOT NULL\(among) ORDER BY deskWait LIMIT 1", values
        ) { Timestamp(milliseconds: $0.integer(0)) }
        return counts
    }
}
