import ChatModel
import Formats

/// Which sessions are wanted. A property that is nil does not matter; all others must match.
public struct SessionFilter: Sendable, Equatable {
    public var service: String?
    public var channel: String?
    /// Only sessions of these channels; nil for all.
    public var channels: Set<String>?
    public var customer: String?
    /// Only sessions that were last used before this time.
    public var unusedSince: Timestamp?
    /// The account's number: also of one that is being erased, which its key does not find.
    public var account: Int64?

    public init(
        service: String? = nil, channel: String? = nil, customer: String? = nil, unusedSince: Timestamp? = nil,
        account: Int64? = nil
    ) {
        self.account = account
        self.service = service
        self.channel = channel
        self.customer = customer
        self.unusedSince = unusedSince
    }

    /// Whether every session matches.
    public var isEmpty: Bool { self == SessionFilter() }
}

/// A page of sessions, oldest first.
public struct SessionPage: Sendable {
    /// The sessions, each with its customer's current name.
    public var items: [(session: SessionRecord, customer: Customer)] = []
    /// The cursor of the next page; nil at the end. A page may be empty and still have one.
    public var next: String?
    /// The position in the log from which to follow.
    public var offset: Int64 = 0
}

extension ReadTransaction {
    /// A page of the sessions that match, oldest first. With a filter it looks at no more than 1,000 rows, so a page may
    /// have few items.
    ///
    /// Throws `invalidParameter` for a cursor of another list.
    public func sessionPage(_ filter: SessionFilter, _ request: PageRequest) throws -> SessionPage {
        let start = try request.cursor.map { (text) throws(ChatError) -> SessionCursor in
            guard let cursor = SessionCursor(text) else { throw PageRequest.badCursor }
            return cursor
        }
        let longest = filter.isEmpty ? request.limit + 1 : Self.longestSearch
        let rows = try db.all(
            """
            SELECT \(SessionRecord.columns), account.service, account.channel, account.customer, account.json
            FROM session JOIN account ON account.number = session.account
            WHERE (session.createdAt, session.id) > (?, ?) ORDER BY session.createdAt, session.id LIMIT ?
            """,
            [.integer(start?.createdAt ?? .min), .text(start?.id ?? ""), .integer(Int64(longest))]
        ) { row in
            let count = SessionRecord.columnCount
            let key = AccountKey(service: row.text(count), channel: row.text(count + 1), customer: row.text(count + 2))
            return (session: SessionRecord(row: row), key: key, customer: row.blob(count + 3))
        }
        var page = SessionPage(offset: try headOffset())
        for (index, row) in rows.enumerated() {
            if filter.means(row.session, row.key) {
                page.items.append((row.session, try Customer(canonicalJSON: row.customer)))
            }
            let isLast = index + 1 == rows.count && rows.count < longest
            guard page.items.count == request.limit || index + 1 == rows.count else { continue }
            if !isLast { page.next = SessionCursor(row.session).text }
            break
        }
        return page
    }

    /// Rows that one page with a filter looks at.
    private static var longestSearch: Int { 1000 }

    /// The ids of at most `limit` sessions that were last used before this time, the longest unused first.
    public func sessions(unusedSince time: Timestamp, limit: Int) throws -> [String] {
        try db.all(
            "SELECT id FROM session WHERE lastUsedAt < ? ORDER BY lastUsedAt, id LIMIT ?",
            [.integer(time.milliseconds), .integer(Int64(limit))]
        ) { $0.text(0) }
    }

    /// The ids of at most `limit` sessions that have ended because nobody used them, the first to end first.
    public func sessions(endedBefore time: Timestamp, limit: Int) throws -> [String] {
        try db.all(
            "SELECT id FROM session WHERE endsAt < ? ORDER BY endsAt, id LIMIT ?",
            [.integer(time.milliseconds), .integer(Int64(limit))]
        ) { $0.text(0) }
    }

    /// The ids of the sessions that a link has made.
    public func sessions(ofLink link: String) throws -> [String] {
        try db.all("SELECT id FROM session WHERE link = ? ORDER BY id", [.text(link)]) { $0.text(0) }
    }
}

extension WriteTransaction {
    /// Stores when sessions were last used; an earlier time changes nothing. Deleted sessions are skipped.
    public func noteUse(of sessions: [(id: String, time: Timestamp)]) throws {
        for session in sessions {
            try db.run(
                "UPDATE session SET lastUsedAt = ?1, endsAt = ?1 + life WHERE id = ?2 AND lastUsedAt < ?1",
                [.integer(session.time.milliseconds), .text(session.id)])
        }
    }
}

extension SessionFilter {
    fileprivate func means(_ session: SessionRecord, _ key: AccountKey) -> Bool {
        service.map { $0 == key.service } != false && channel.map { $0 == key.channel } != false
            && channels?.contains(key.channel) != false && customer.map { $0 == key.customer } != false
            && unusedSince.map { session.lastUsedAt < $0 } != false
            && account.map { $0 == session.account } != false
    }
}

/// A place in the list of sessions: behind one of them.
private struct SessionCursor {
    var createdAt: Int64
    var id: String

    init(_ session: SessionRecord) { (createdAt, id) = (session.createdAt.milliseconds, session.id) }

    init?(_ text: String) {
        guard text.utf8.count <= 160, text.first == "s", let dot = text.firstIndex(of: "."),
            let time = Int64(text[text.index(after: text.startIndex)..<dot])
        else { return nil }
        (createdAt, id) = (time, String(text[text.index(after: dot)...]))
    }

    var text: String { "s\(createdAt).\(id)" }
}
