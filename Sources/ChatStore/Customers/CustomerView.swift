import ChatModel
import Formats

extension AccountRecord {
    /// The customer as the desk sees them: the customer's own members, the channel, and when they were there.
    ///
    /// - Parameters:
    ///   - lastSeenAt: about when one of the sessions was last used; nil if there is none.
    ///   - add: writes more members.
    func json(lastSeenAt: Timestamp?, _ add: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.member("channel", key.channel)
        json.member("firstSeenAt", createdAt)
        if let lastSeenAt { json.member("lastSeenAt", lastSeenAt) }
        try add(&json)
        json.endObject()
        return customer.canonicalJSON.dropLast() + [UInt8(ascii: ",")] + json.bytes.dropFirst()
    }
}

extension ReadTransaction {
    /// The most threads that a customer's view has, the most sessions that it counts, and the most conversations whose
    /// ratings it adds up.
    private static var limits: (threads: Int64, sessions: Int64, ratings: Int64) { (20, 1000, 1000) }

    /// All that the desk is shown of a customer: see the API's `DeskCustomer`.
    public func customerView(of account: AccountRecord) throws -> [UInt8] {
        let sessions = try sessions(of: account.number)
        let threads = try latestDeskThreads(of: account.number)
        let ratings = try ratings(of: account.number)
        return account.json(lastSeenAt: sessions.lastUsedAt) { json in
            json.name("customFields")
            json.value(account.customFields)
            if let consent = account.consent { json.member("consent", consent) }
            if let visit = sessions.visit {
                json.name("visit")
                json.raw(visit)
            }
            json.member("sessions", sessions.count)
            json.name("threads")
            json.beginArray()
            for thread in threads { thread.encode(to: &json) }
            json.endArray()
            json.name("ratings")
            json.beginObject()
            json.member("count", ratings.count)
            if let mean = ratings.mean {
                json.name("mean")
                json.value(JSONValue.number(mean))
            }
            json.endObject()
        }
    }

    /// How many sessions an account has, when one was last used, and the visit of the one used last that has any.
    private func sessions(of account: Int64) throws -> (count: Int, lastUsedAt: Timestamp?, visit: [UInt8]?) {
        let count = try db.first(
            "SELECT count(*) FROM (SELECT 1 FROM session WHERE account = ? LIMIT ?) AS found",
            [.integer(account), .integer(Self.limits.sessions)]
        ) { Int($0.integer(0)) }
        var (last, visit): (Timestamp?, [UInt8]?)
        try db.query(
            "SELECT lastUsedAt, visit FROM session WHERE account = ? ORDER BY lastUsedAt DESC LIMIT 100",
            [.integer(account)]
        ) { row in
            last = last ?? Timestamp(milliseconds: row.integer(0))
            visit = row.isNull(1) ? nil : row.blob(1)
            return visit == nil
        }
        return (count ?? 0, last, visit)
    }

    /// The threads of an account that the desk knows, latest activity first.
    private func latestDeskThreads(of account: Int64) throws -> [ThreadRecord] {
        var found: [(number: Int64, activity: Int64)] = []
        // The index has the open threads in order, and the closed ones, but not both together.
        for isClosed in [false, true] {
            found += try db.all(
                """
                SELECT member.thread, member.activity FROM member JOIN thread ON thread.number = member.thread
                WHERE member.account = ? AND member.isClosed = ? AND thread.isKnownToDesk = 1
                ORDER BY member.activity DESC, member.id LIMIT ?
                """, [.integer(account), .flag(isClosed), .integer(Self.limits.threads)]
            ) { ($0.integer(0), $0.integer(1)) }
        }
        let latest = found.sorted { ($0.activity, $0.number) > ($1.activity, $1.number) }
        return try threads(numbered: latest.prefix(Int(Self.limits.threads)).map(\.number))
    }

    /// The ratings of the latest conversations.
    private func ratings(of account: Int64) throws -> (count: Int, mean: Double?) {
        let found = try db.first(
            """
            SELECT count(score), CAST(coalesce(sum(score), 0) AS bigint) FROM contact WHERE thread IN (
                SELECT thread FROM member WHERE account = ? ORDER BY createdAt DESC LIMIT ?)
            """, [.integer(account), .integer(Self.limits.ratings)]
        ) { (count: Int($0.integer(0)), sum: Double($0.integer(1))) }
        guard let found, found.count > 0 else { return (0, nil) }
        return (found.count, (found.sum / Double(found.count) * 100).rounded() / 100)
    }
}

extension ThreadRecord {
    /// The thread in a customer's view: what a list of conversations shows.
    fileprivate func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", thread.id)
        // It may be another customer's, who has this one as a member.
        json.member("customerId", owner.key.customer)
        json.member("name", thread.name)
        json.member("state", thread.state.rawValue)
        json.member("createdAt", thread.createdAt)
        json.member("lastActivityAt", thread.lastActivityAt)
        if let message = thread.lastMessage { json.member("lastMessage", message) }
        if let agent = thread.agent { json.member("agent", agent) }
        if let rating = thread.rating { json.member("rating", rating) }
        json.endObject()
    }
}
