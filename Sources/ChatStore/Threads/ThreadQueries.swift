import ChatModel
import Formats

extension ReadTransaction {
    /// The account's thread of this id, as the account sees it: ``ThreadRecord/historyBoundary`` is the account's own. Nil if
    /// the account is no member of such a thread.
    public func thread(_ id: String, of account: Int64) throws -> ThreadRecord? {
        let members = try expectMembers(ofThread: id, of: account)
        var record = try thread(
            Self.ownThreadQuery, [.integer(account), .text(id)], kept: hot?.thread(id, of: account), members: members)
        if let line = record?.members.first(where: { $0.account == account })?.historyResetAt {
            record?.historyBoundary.raise(to: line)
        }
        return record
    }

    /// Where each query is a round trip, has all that a reader's thread consists of come together: the owner is most
    /// often who reads. Returns the query for the members; nil where they are asked for by the thread's number.
    private func expectMembers(ofThread id: String, of account: Int64) throws -> (sql: String, values: [SQLValue])? {
        guard hot == nil, case .engine = db else { return nil }
        let values: [SQLValue] = [.integer(account), .text(id)]
        try db.expect(Self.ownMembersQuery, values)
        try expectAccount(account)
        return (Self.ownMembersQuery, values)
    }

    /// The thread of this number, as a reader without a history reset sees it; nil if there is none.
    public func thread(number: Int64) throws -> ThreadRecord? {
        try thread(Self.threadQuery, [.integer(number)], kept: hot?.thread(number))
    }

    // Made once, so that a thread that the writer has kept needs no text.
    private static let threadQuery = "SELECT \(ThreadRecord.columns) FROM thread WHERE number = ?"
    private static let ownThreadQuery = """
        SELECT \(ThreadRecord.columns) FROM member JOIN thread ON thread.number = member.thread
        WHERE member.account = ? AND member.id = ?
        """
    private static let membersQuery =
        "SELECT account, \(Membership.columns), readTo FROM member WHERE thread = ? ORDER BY account"
    private static let ownMembersQuery = """
        SELECT account, \(Membership.columns), readTo FROM member
        WHERE thread = (SELECT thread FROM member WHERE account = ? AND id = ?) ORDER BY account
        """

    /// The thread of the message with this number; nil when the message was removed.
    public func thread(ofMessage number: Int64) throws -> ThreadRecord? {
        let thread = try db.first("SELECT thread FROM message WHERE number = ?", [.integer(number)]) { $0.integer(0) }
        return try thread.flatMap { try self.thread(number: $0) }
    }

    /// At most two threads of this id that the desk knows; two mean that the id is ambiguous.
    ///
    /// Any number of customers may use the same id. Nil leaves service, channel or customer open. A thread that came to
    /// its customer by a joining is found by the anonymous id, too: whoever has its former address goes on with it.
    public func deskThreads(
        _ id: String, onService service: String?, channel: String?, customer: String?,
        within channels: Set<String>? = nil
    ) throws -> [ThreadRecord] {
        var sql = """
            SELECT thread.number FROM thread JOIN account ON account.number = thread.owner
            WHERE thread.id = ? AND thread.isKnownToDesk = 1
            """
        var values = [SQLValue.text(id)]
        if let service {
            sql += " AND account.service = ?"
            values.append(.text(service))
        }
        if let channel {
            // The customer's few accounts are a narrower way than the channel.
            sql += customer == nil ? " AND thread.channel = ?" : " AND account.channel = ?"
            values.append(.text(channel))
        }
        if let channels {
            let list = Placeholders(channels.sorted().map(SQLValue.text))
            sql += " AND thread.channel IN \(list.sql)"
            values += list.values
        }
        if let customer {
            // A customer has an account on each of a few channels, and an account has one thread of the id.
            sql += """
                 AND thread.owner IN (SELECT own.number FROM account AS own
                WHERE (own.service, own.channel) IN (SELECT service, id FROM channel) AND own.customer = ?)
                """
            values.append(.text(customer))
        }
        let numbers = try db.all(sql + " LIMIT 2", values) { $0.integer(0) }
        // The writer may have kept them.
        let found = try hot == nil ? threads(numbered: numbers) : numbers.compactMap { try thread(number: $0) }
        guard found.isEmpty, let customer else { return found }
        return try joinedThreads(id, of: customer, onService: service, channel: channel, within: channels)
    }

    /// These threads with members and owners, in this order. It takes three statements, however many there are.
    package func threads(numbered numbers: [Int64]) throws -> [ThreadRecord] {
        guard !numbers.isEmpty else { return [] }
        let list = Placeholders(numbers.map(SQLValue.integer))
        try db.query(
            """
            SELECT \(AccountRecord.columns) FROM thread JOIN account ON account.number = thread.owner
            WHERE thread.number IN \(list.sql)
            """, list.values
        ) { row in
            _ = try account(row: row, from: 0)
            return true
        }
        var members: [Int64: [MemberRecord]] = [:]
        try db.query(
            """
            SELECT member.thread, member.account, \(Membership.columns), member.readTo
            FROM member WHERE member.thread IN \(list.sql)
            """, list.values
        ) { row in
            members[row.integer(0), default: []].append(MemberRecord(row: row, from: 1))
            return true
        }
        var found: [Int64: ThreadRecord] = [:]
        try db.query("SELECT \(ThreadRecord.columns) FROM thread WHERE number IN \(list.sql)", list.values) { row in
            var record = try ThreadRecord(row: row, in: self)
            record.members = (members[record.number] ?? []).sorted { $0.account < $1.account }
            record.noteTold()
            found[record.number] = record
            return true
        }
        return numbers.compactMap { found[$0] }
    }

    /// Whether the account has a thread of this id.
    public func hasThread(_ id: String, of account: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM member WHERE account = ? AND id = ?", [.integer(account), .text(id)]) { _ in true }
            == true
    }

    /// - Parameters:
    ///   - kept: what the writer has kept of the thread; nil if it has to be read.
    ///   - members: the query for its members; nil for that by the thread's number.
    private func thread(
        _ sql: String, _ values: [SQLValue], kept: ThreadRecord?, members: (sql: String, values: [SQLValue])? = nil
    ) throws -> ThreadRecord? {
        if let kept {
            #if DEBUG
                try checkHot(kept, is: readThread(sql, values, members))
            #endif
            return kept
        }
        let record = try readThread(sql, values, members)
        if let record { hot?.cache(record) }
        return record
    }

    private func readThread(
        _ sql: String, _ values: [SQLValue], _ members: (sql: String, values: [SQLValue])?
    ) throws -> ThreadRecord? {
        guard var record = try db.first(sql, values, { try ThreadRecord(row: $0, in: self) }) else { return nil }
        record.members = try db.all(
            members?.sql ?? Self.membersQuery, members?.values ?? [.integer(record.number)]
        ) { MemberRecord(row: $0, from: 0) }
        record.noteTold()
        return record
    }

    /// At most `limit` of the account's threads that take messages, by latest activity.
    public func openThreads(of account: Int64, limit: Int) throws -> [ThreadRecord] {
        let numbers = try db.all(
            """
            SELECT thread FROM member WHERE account = ? AND isClosed = 0
            ORDER BY activity DESC, id LIMIT ?
            """, [.integer(account), .integer(Int64(limit))]
        ) { $0.integer(0) }
        return try threads(numbered: numbers)
    }

    /// At most `limit` of the account's threads behind an id, in the order of their ids: what must be known of each to
    /// compare it with a list of another system.
    public func threadStandings(of account: Int64, after id: String = "", limit: Int) throws -> [ThreadStanding] {
        try db.all(
            """
            SELECT member.id, \(db.jsonText(of: "thread.json", at: "state")), thread.version
            FROM member JOIN thread ON thread.number = member.thread
            WHERE member.account = ? AND member.id > ? ORDER BY member.id LIMIT ?
            """, [.integer(account), .text(id), .integer(Int64(limit))]
        ) {
            ThreadStanding(id: $0.text(0), state: ThreadState(rawValue: $0.text(1)) ?? .pending, version: $0.integer(2))
        }
    }

    /// How many threads the account has in all.
    public func threadCount(of account: Int64) throws -> Int {
        Int(try db.first("SELECT count(*) FROM member WHERE account = ?", [.integer(account)]) { $0.integer(0) } ?? 0)
    }
}

extension WriteTransaction {
    /// Adds a thread with its owner as the only member. Nothing is logged yet: ``save(_:logging:withDesk:onlyTo:)``
    /// does that.
    ///
    /// Throws `threadIdConflict` when the account has a thread of this id, and `unknownSession` for an account that is
    /// being erased.
    public func insert(_ thread: ChatThread, owner: AccountRecord) throws -> ThreadRecord {
        if owner.isErased { throw ChatError(.unknownSession, "The customer is being erased.") }
        try checkThreadID(thread.id, of: owner)
        let number = try db.insert(
            """
            INSERT INTO thread (owner, id, channel, isKnownToDesk, isClosed, activity, version, messagesVersion, json)
            VALUES (?, ?, ?, 0, 0, 0, 0, 0, ?) RETURNING number
            """, [.integer(owner.number), .text(thread.id), .text(owner.key.channel), .blob([])])
        let record = ThreadRecord(number: number, owner: owner, thread: thread)
        try db.run(
            "INSERT INTO member (account, thread, id, isClosed, activity) VALUES (?, ?, ?, 0, 0)",
            [.integer(owner.number), .integer(record.number), .text(thread.id)])
        return record
    }

    /// Saves a change that the desk alone sees, and logs `thread.updated` for the desk. Its members' version of the thread
    /// stays: an entity tag must not tell them that something has happened.
    public func saveForDesk(_ record: inout ThreadRecord) throws {
        try save(&record, logging: .threadUpdated, to: [AudienceMember(.desk)], isDesksAlone: true)
    }

    /// Writes a changed thread, its members' counts and read positions, and logs it. Members get the names that their
    /// accounts have now.
    ///
    /// - Parameters:
    ///   - news: the event's type.
    ///   - withDesk: whether the service has a desk, which then gets the event too.
    ///   - account: the only account that gets the event, when the change concerns no one else.
    public func save(
        _ record: inout ThreadRecord, logging news: ThreadNews, withDesk: Bool, onlyTo account: Int64? = nil
    ) throws {
        var audience = record.audience(withDesk: withDesk)
        if let account { audience.removeAll { $0.audience != .account(account) } }
        try save(&record, logging: news, to: audience)
    }

    /// The same for an audience that the caller has chosen.
    ///
    /// - Parameter isDesksAlone: whether only what ``ThreadRecord/team`` has is another.
    func save(
        _ record: inout ThreadRecord, logging news: ThreadNews, to audience: [AudienceMember],
        isDesksAlone: Bool = false
    ) throws {
        // Who waits needs no reminder, and of what is closed there is none.
        if record.thread.waitingSince != nil || record.thread.state == .closed { record.team.remindedAt = nil }
        try renewPeople(of: &record)
        let thread = Encoded(record.thread)
        let fields = try storeGreatFields(of: &record)
        let place =
            switch news {
            case .threadCreated:
                try append(ThreadCreatedEvent(thread, by: cause), of: record, to: audience, without: fields)
            case .threadUpdated:
                try append(
                    ThreadUpdatedEvent(thread, by: cause(record.changes)), of: record, to: audience, without: fields)
            }
        if !isDesksAlone { record.version = place }
        deeds?.append(record.deed(news))
        record.noteTold()
        record.storedSize = thread.bytes.count
        for member in record.members { record.customerRead = max(record.customerRead, member.read) }
        let isClosed = record.thread.state == .closed
        let activity = record.thread.lastActivityAt.milliseconds
        try db.run(
            """
            UPDATE thread SET isKnownToDesk = ?, isClosed = ?, activity = ?, version = ?, messagesVersion = ?,
                lastMessage = ?, deskReadAt = ?, deskReadTo = ?, customerReadAt = ?, customerReadTo = ?, json = ?,
                messagesIn = ?, messagesOut = ?, answeredBy = ?
            WHERE number = ?
            """,
            [
                .flag(record.isKnownToDesk), .flag(isClosed), .integer(activity), .integer(record.version),
                .integer(record.messagesVersion), .optional(record.lastMessageNumber),
                .integer(record.deskRead.createdAt), .integer(record.deskRead.number),
                .integer(record.customerRead.createdAt), .integer(record.customerRead.number),
                .blob(fields?.replaced(in: thread.bytes) ?? thread.bytes),
                .integer(record.messagesIn), .integer(record.messagesOut), .optional(record.answeredBy),
                .integer(record.number),
            ])
        let deskPlace = record.deskPlace
        if deskPlace != record.storedPlace {
            try db.write(deskPlace, ofThread: record.number)
            record.storedPlace = deskPlace
        }
        for member in record.members {
            try db.run(
                """
                UPDATE member SET isClosed = ?, activity = ?, unread = ?, readAt = ?, readTo = ?
                WHERE account = ? AND id = ?
                """,
                [
                    .flag(isClosed), .integer(activity), .integer(Int64(member.unreadCount)),
                    .integer(member.read.createdAt), .integer(member.read.number),
                    .integer(member.account), .text(record.thread.id),
                ])
        }
        let keys = ThreadKeys(record.thread)
        if keys != record.storedKeys {
            try db.write(keys, ofThread: record.number)
            record.storedKeys = keys
        }
        hot?.cache(record)
    }

    /// Shows owner and members as their accounts are now: the unit may have changed them after it read the record. Where
    /// there are several members, none sees the address of another.
    func renewPeople(of record: inout ThreadRecord) throws {
        record.owner = try account(record.owner.number)
        let isAlone = record.members.count == 1
        func shown(_ member: MemberRecord) throws -> Customer {
            let customer = try account(member.account).customer
            return isAlone ? customer : customer.amongOthers
        }
        // The desk knows no thread of a remote service. There the account is the first, and the service tells the
        // others.
        let others = record.isKnownToDesk ? 0 : max(0, record.thread.members.count - record.members.count)
        // Mostly all are the same, and the list that the last event told can stay.
        if record.thread.members.count != record.members.count + others {
            record.thread.members = try record.members.map(shown)
            return
        }
        for (index, member) in record.members.enumerated() {
            let customer = try shown(member)
            if !record.thread.members[index].hasSameBytes(as: customer) { record.thread.members[index] = customer }
        }
    }

    /// Makes the thread known to the desk, which alone gets `thread.created`. The caller saves the thread.
    public func announceToDesk(_ record: inout ThreadRecord) throws {
        record.isKnownToDesk = true
        let fields = try storeGreatFields(of: &record)
        try append(
            ThreadCreatedEvent(Encoded(record.thread), by: cause), of: record, to: [AudienceMember(.desk)],
            without: fields)
        deeds?.append(.threadMade(record))
    }

    /// Appends an event that carries the thread, whose preview may show a message.
    @discardableResult
    func append(
        _ event: some FeedEvent, of record: ThreadRecord, to audience: [AudienceMember], without fields: GreatFields?
    ) throws -> Int64 {
        try append(
            event, owner: record.owner, message: record.lastMessageNumber, members: audience, without: fields,
            team: record.team.members)
    }
}

/// The event that saving a thread logs.
public enum ThreadNews: Sendable {
    case threadCreated, threadUpdated
}

/// What is known of a thread without its members and its last message.
public struct ThreadStanding: Sendable, Hashable {
    public var id: String
    public var state: ThreadState
    /// The offset of the log at its last change.
    public var version: Int64
}
