import ChatModel
import Formats

/// Who has begun a session.
public enum SessionKind: String, Sendable, CaseIterable {
    /// Whoever has a right to make sessions.
    case plain
    /// A customer, with a link that was made for them; see ``CustomerLink``.
    case link
    /// A customer, on a public channel.
    case visitor
}

/// A row of `session`: what is needed to restore the session after a restart.
public struct SessionRecord: Sendable {
    public var id: String
    public var account: Int64
    /// Grows when tokens that were given out for the session must become invalid.
    public var generation: Int64
    /// Whether the session was connected, so that it reconnects after a restart.
    public var isConnected: Bool
    public var createdAt: Timestamp
    /// About when somebody last used the session; it may be some hours too early.
    public var lastUsedAt: Timestamp
    /// What happens to the session's messages that could not be sent.
    public var resendPolicy: ResendPolicy
    public var kind = SessionKind.plain
    /// The id of the link that has made the session.
    public var link: String?
    /// How long the session lives without use, in milliseconds; nil for ever.
    public var life: Int64?
    /// Until when somebody has vouched for who the customer is; nil if nobody has.
    public var verifiedUntil: Timestamp?
    /// JSON: where the visitor came from.
    public var visit: [UInt8]?

    public init(
        id: String, account: Int64, generation: Int64, isConnected: Bool, createdAt: Timestamp,
        resendPolicy: ResendPolicy = .manual
    ) {
        self.id = id
        self.account = account
        self.generation = generation
        self.isConnected = isConnected
        self.createdAt = createdAt
        self.resendPolicy = resendPolicy
        lastUsedAt = createdAt
    }

    static let columns = """
        session.id, session.account, session.generation, session.isConnected, session.createdAt, session.resend,
        session.lastUsedAt, session.kind, session.link, session.life, session.verifiedUntil, session.visit
        """
    static let columnCount: Int32 = 12

    init(row: SQLRow) {
        self.init(
            id: row.text(0), account: row.integer(1), generation: row.integer(2), isConnected: row.flag(3),
            createdAt: Timestamp(milliseconds: row.integer(4)), resendPolicy: ResendPolicy(text: row.text(5)) ?? .manual
        )
        lastUsedAt = Timestamp(milliseconds: row.integer(6))
        kind = SessionKind(rawValue: row.text(7)) ?? .plain
        link = row.isNull(8) ? nil : row.text(8)
        life = row.isNull(9) ? nil : row.integer(9)
        verifiedUntil = row.time(10)
        visit = row.isNull(11) ? nil : row.blob(11)
    }

    /// When the session ends unless somebody uses it; nil for never.
    public var endsAt: Timestamp? { life.map { lastUsedAt.advanced(byMilliseconds: $0) } }
}

extension ReadTransaction {
    /// The session of this id and the key of its account; nil if there is no such session.
    public func session(_ id: String) throws -> (session: SessionRecord, key: AccountKey)? {
        try db.first(
            """
            SELECT \(SessionRecord.columns), account.service, account.channel, account.customer
            FROM session JOIN account ON account.number = session.account WHERE session.id = ?
            """,
            [.text(id)]
        ) { row in
            let count = SessionRecord.columnCount
            let key = AccountKey(service: row.text(count), channel: row.text(count + 1), customer: row.text(count + 2))
            return (SessionRecord(row: row), key)
        }
    }

    /// The ids of a service's sessions that are to be connected after a restart, by account. It reads no rows of other
    /// services.
    public func connectedSessions(of service: String) throws -> [String] {
        try db.all(
            """
            SELECT session.id FROM account JOIN session ON session.account = account.number
            WHERE account.service = ? AND session.isConnected = 1
            """,
            [.text(service)]
        ) { $0.text(0) }
    }

    /// The ids of an account's sessions that are to be connected after a restart.
    public func connectedSessions(of account: Int64) throws -> [String] {
        try db.all("SELECT id FROM session WHERE account = ? AND isConnected = 1", [.integer(account)]) { $0.text(0) }
    }

    /// How many sessions there are. It reads an index from its beginning to its end.
    public func sessionCount() throws -> Int {
        Int(try db.first("SELECT count(*) FROM session", []) { $0.integer(0) } ?? 0)
    }
}

extension WriteTransaction {
    /// Adds the session, or replaces the one of its id.
    public func save(_ session: SessionRecord) throws {
        try db.run(
            """
            INSERT INTO session (
                id, account, generation, isConnected, createdAt, resend, lastUsedAt, kind, link, life, endsAt,
                verifiedUntil, visit)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET account = excluded.account, generation = excluded.generation,
                isConnected = excluded.isConnected, createdAt = excluded.createdAt, resend = excluded.resend,
                lastUsedAt = excluded.lastUsedAt, kind = excluded.kind, link = excluded.link, life = excluded.life,
                endsAt = excluded.endsAt, verifiedUntil = excluded.verifiedUntil, visit = excluded.visit
            """,
            [
                .text(session.id), .integer(session.account), .integer(session.generation), .flag(session.isConnected),
                .integer(session.createdAt.milliseconds), .text(session.resendPolicy.text),
                .integer(session.lastUsedAt.milliseconds), .text(session.kind.rawValue),
                session.link.map(SQLValue.text) ?? .null, .optional(session.life), .optional(session.endsAt),
                .optional(session.verifiedUntil), .optional(session.visit),
            ])
    }

    /// Stores until when somebody vouches for the customer of a session. A session that was deleted meanwhile stays deleted.
    public func setVerified(until time: Timestamp, session id: String) throws {
        try db.run("UPDATE session SET verifiedUntil = ? WHERE id = ?", [.integer(time.milliseconds), .text(id)])
    }

    /// Stores whether the session reconnects after a restart. A session that was deleted meanwhile stays deleted.
    public func setConnected(_ isConnected: Bool, session id: String) throws {
        try db.run("UPDATE session SET isConnected = ? WHERE id = ?", [.flag(isConnected), .text(id)])
    }

    /// Deletes the session with its collections, its device and the links that were made for it. Its account and messages
    /// stay, and so do the sessions that its links have made. Returns the account's number; nil if there was no such
    /// session.
    @discardableResult
    public func deleteSession(_ id: String) throws -> Int64? {
        try db.run("DELETE FROM collection WHERE session = ?", [.text(id)])
        try db.run("DELETE FROM link WHERE session = ?", [.text(id)])
        let account = try db.first("SELECT account FROM session WHERE id = ?", [.text(id)]) { $0.integer(0) }
        guard let account else { return nil }
        if let device = try device(of: id, account: account) { try deleteTarget(device.id) }
        try db.run("DELETE FROM session WHERE id = ?", [.text(id)])
        return account
    }
}

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
