import ChatModel
import Formats

/// Joining an anonymous account to the account of a customer for whom somebody vouches: what was written before the
/// sign-in goes on after it.
///
/// Both accounts stay. The threads move from one to the other, whether the other one is new or not: so each event of
/// the log keeps the owner under whom it happened, and whoever reads it later is told the same as who has read it at
/// once. One transaction does it all. What becomes of each table:
///
/// | table | what happens |
/// |---|---|
/// | `account` | the one lists the other (``AccountRecord/former``), which names it (``AccountRecord/joinedTo``) |
/// | `customerNote` | gets the other account |
/// | `usage` | follows the uploads that were not sent. What was sent counts for whom it has counted |
/// | `session`, `link`, `collection` | the caller ends the sessions; ``deleteSession(_:)`` takes the rest along |
/// | `target`, `delivery`, `attempt` | devices end with their sessions. Webhooks are the desk's, and go on |
/// | `thread`, `member` | get the other account: the newest ``JoinedThreads/maximumCount``. The channel is the same |
/// | `contact`, `waiting`, `inactivity`, `fields`, `erasure` | name the thread, which keeps its number |
/// | `note`, `threadTag`, `tombstone`, `watermark` | the same |
/// | `message`, `replier` | keep the author's id, which is a former one from now on, and `payer` |
/// | `extra` | of threads and messages comes along with them. That of the account stays |
/// | `attachment` | uploads that were not sent change hands. A sent one is reached through its message |
/// | `log`, `audience` | stay: the one was told, and the other gets `thread.created` |
/// | `receipt` | stay with the session that has ended, until they expire |
/// | `outgoing` and others of remote services | have no rows: only the embedded service has visitors |
/// | the search's index | has the former owner of older messages; ``ReadTransaction/joinedThreads(of:)`` |
///
/// What does not come along stays with the anonymous account, and the desk sees it there. It is erased and exported
/// with the customer.
extension WriteTransaction {
    /// Moves threads and unsent uploads of an anonymous account to another one of the same channel, and logs it:
    /// `thread.removed` for the former, `thread.created` for the other one, both for the desk.
    ///
    /// Throws `otherIdentity` for an account that was ever verified or joined, or that is being erased.
    ///
    /// - Parameters:
    ///   - account: as the unit has changed it; it is saved here.
    ///   - prepare: called with each thread that would come along, before it does. It may change and save the thread.
    ///     If it returns false, the thread stays.
    public func join(
        _ former: AccountRecord, to account: inout AccountRecord,
        prepare: (inout ThreadRecord) throws -> Bool = { _ in true }
    ) throws -> JoinedThreads {
        guard former.key.service == account.key.service, former.key.channel == account.key.channel,
            former.number != account.number, !former.customer.isVerified, former.joinedTo == nil, former.former.isEmpty,
            !former.isErased, !account.isErased
        else { throw ChatError(.otherIdentity, "The session belongs to a customer who is known already.") }
        let number = account.number
        // The newest come first among the open ones, then among the closed ones.
        let ids = try db.all(
            """
            SELECT id FROM member WHERE account = ?1
            AND NOT EXISTS (SELECT 1 FROM member AS other WHERE other.account = ?2 AND other.id = member.id)
            ORDER BY isClosed, activity DESC, id LIMIT ?3
            """, [.integer(former.number), .integer(number), .integer(Int64(JoinedThreads.maximumCount))]
        ) { $0.text(0) }
        var records: [ThreadRecord] = []
        for id in ids {
            guard var record = try thread(id, of: former.number), try prepare(&record) else { continue }
            records.append(record)
        }
        account.add(FormerAccount(id: former.key.customer, number: former.number, threads: records.map(\.number)))
        try save(account)
        var left = former
        left.joinedTo = account.key.customer
        try save(left)
        for record in records { try move(record, from: left, to: account) }
        try moveUploads(from: former.number, to: number)
        try moveNotes(from: former.number, to: account)
        return JoinedThreads(numbers: records.map(\.number), ids: records.map(\.thread.id))
    }

    private func move(_ old: ThreadRecord, from former: AccountRecord, to account: AccountRecord) throws {
        var record = old
        let id = record.thread.id
        hot?.forget(thread: record.number)
        try append(
            ThreadRemovedEvent(threadID: id, by: cause), owner: record.owner, message: nil,
            members: [AudienceMember(.account(former.number))])
        if record.owner.number == former.number {
            if record.isKnownToDesk {
                // For the desk, its owner is a part of the thread's name.
                try append(
                    ThreadRemovedEvent(threadID: id, by: cause, movedTo: account.key.customer), owner: former,
                    message: nil, members: [AudienceMember(.desk)])
            }
            try db.run(
                "UPDATE thread SET owner = ? WHERE number = ?", [.integer(account.number), .integer(record.number)])
            record.owner = account
        }
        try db.run(
            "UPDATE member SET account = ? WHERE account = ? AND id = ?",
            [.integer(account.number), .integer(former.number), .text(id)])
        for index in record.members.indices where record.members[index].account == former.number {
            record.members[index].account = account.number
        }
        record.members.sort { $0.account < $1.account }
        // Its pages are another reader's now.
        record.messagesVersion = nextOffset
        touch(thread: record.number)
        record.thread.updatedAt = max(now, record.thread.updatedAt.advanced(byMilliseconds: 1))
        try save(&record, announcingTo: [account.number], withDesk: true)
    }

    /// Agents' notes about the customer are about the other one now. There may be more than one customer has otherwise.
    private func moveNotes(from former: Int64, to account: AccountRecord) throws {
        let notes = try db.all("SELECT number, json FROM customerNote WHERE account = ?", [.integer(former)]) {
            (number: $0.integer(0), json: $0.blob(1))
        }
        for stored in notes {
            var note = try CustomerNote(canonicalJSON: stored.json)
            note.customerID = account.key.customer
            try db.run(
                "UPDATE customerNote SET account = ?, json = ? WHERE number = ?",
                [.integer(account.number), .blob(note.canonicalJSON), .integer(stored.number)])
        }
    }

    /// Gives at most ``JoinedThreads/maximumUploads`` of the files that wait to be sent to another account, whose quota
    /// they count for from now on.
    private func moveUploads(from former: Int64, to account: Int64) throws {
        let uploads = try db.all(
            "SELECT id, bytes FROM attachment WHERE uploader = ? AND message IS NULL LIMIT ?",
            [.integer(former), .integer(JoinedThreads.maximumUploads)]
        ) { (id: $0.text(0), bytes: $0.integer(1)) }
        for upload in uploads {
            try db.run(
                "UPDATE attachment SET uploader = ? WHERE id = ?", [.integer(account), .text(upload.id)])
        }
        let bytes = uploads.reduce(0) { $0 + $1.bytes }
        guard bytes > 0 else { return }
        try count(files: -bytes, of: former)
        try count(files: bytes, of: account)
    }
}

/// The threads that a joining has moved.
public struct JoinedThreads: Sendable, Equatable {
    /// How many come along.
    public static let maximumCount = 20
    static let maximumUploads: Int64 = 200

    public let numbers: [Int64]
    public let ids: [String]
}

extension ReadTransaction {
    /// The account to which an anonymous one was joined, by the number of the latter; nil if it was not.
    func accountJoined(by former: Int64) throws -> AccountRecord? {
        let found = try db.first(
            "SELECT \(AccountRecord.columns) FROM account WHERE number = ?", [.integer(former)]
        ) { try AccountRecord(row: $0) }
        guard let found, let customer = found.joinedTo else { return nil }
        return try account(
            AccountKey(service: found.key.service, channel: found.key.channel, customer: customer))
    }

    /// The threads of an account that came to it by joinings, and that it is a member of still. What was written in
    /// them before stands in the search's index under their former owner.
    func joinedThreads(of account: Int64) throws -> [Int64] {
        let numbers = try self.account(account).former.flatMap(\.threads)
        guard !numbers.isEmpty else { return [] }
        let members = Placeholders(numbers.map(SQLValue.integer))
        return try db.all(
            "SELECT thread FROM member WHERE account = ? AND thread IN \(members.sql)",
            [.integer(account)] + members.values
        ) { $0.integer(0) }
    }

    /// The desk's threads of an id that came to their customers from the anonymous account of this id.
    func joinedThreads(
        _ id: String, of former: String, onService service: String?, channel: String?, within channels: Set<String>?
    ) throws -> [ThreadRecord] {
        let accounts = try db.all(
            """
            SELECT \(AccountRecord.columns) FROM account
            WHERE (service, channel) IN (SELECT service, id FROM channel) AND customer = ?
            """, [.text(former)]
        ) { try AccountRecord(row: $0) }
        var found: [ThreadRecord] = []
        for account in accounts where account.joinedTo != nil && found.count < 2 {
            let key = account.key
            guard service.map({ $0 == key.service }) != false, channel.map({ $0 == key.channel }) != false,
                channels?.contains(key.channel) != false, let joined = try accountJoined(by: account.number)
            else { continue }
            let numbers = joined.former.filter { $0.number == account.number }.flatMap(\.threads)
            guard let record = try thread(id, of: joined.number), numbers.contains(record.number),
                let thread = try thread(number: record.number), thread.isKnownToDesk
            else { continue }
            found.append(thread)
        }
        return found
    }
}

/// An anonymous account that was joined to a customer's: who wrote there is this customer.
public struct FormerAccount: Sendable, Equatable {
    /// How many of them an account names. With one more, the oldest is not named any more: its messages are another
    /// author's then.
    static let maximumCount = 100

    /// The id that the customer had.
    public let id: String
    /// The number of the account's row.
    let number: Int64
    /// The threads that came along, by their numbers.
    let threads: [Int64]

    init(id: String, number: Int64, threads: [Int64]) {
        (self.id, self.number, self.threads) = (id, number, threads)
    }

    /// Nil for JSON that ``Swift/Array/json`` does not write.
    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, let number = json["number"]?.integer else { return nil }
        self.init(id: id, number: number, threads: json["threads"]?.array?.compactMap(\.integer) ?? [])
    }
}

extension [FormerAccount] {
    /// `[{"id","number","threads":[..]}]`
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        for former in self {
            json.beginObject()
            json.member("id", former.id)
            json.member("number", former.number)
            json.name("threads")
            json.beginArray()
            for thread in former.threads { json.value(thread) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        return json.bytes
    }
}

extension AccountRecord {
    /// Notes that another account was joined to this one, and shows its id with the customer's.
    mutating func add(_ account: FormerAccount) {
        former = Array((former + [account]).suffix(FormerAccount.maximumCount))
        customer.formerIDs = former.suffix(Customer.maximumFormerIDs).map(\.id)
    }

    /// All ids that messages of this customer can have as their author: the current id, then the former ids.
    public var authorIDs: [String] { [key.customer] + former.map(\.id) }

    /// Whether the customer has written a message, now or before somebody vouched for them.
    public func wrote(_ message: Message) -> Bool {
        let author = message.author
        return author.kind == .customer
            && (author.id == key.customer || former.contains { $0.id == author.id })
    }
}
