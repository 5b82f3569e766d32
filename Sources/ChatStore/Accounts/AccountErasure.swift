import ChatModel
import Formats

/// Erasing an account with everything that belongs to it, in steps that keep the writer busy for a short time only. They
/// may be cut off anywhere: what they still find is what is left to do.
///
/// The order: ``WriteTransaction/beginErasure(of:)``, the account's sessions, its threads, and then ``ChatStore/eraseRows(of:)``.
extension ReadTransaction {
    /// The accounts whose erasure has begun, and not ended.
    public func erasingAccounts() throws -> [AccountRecord] {
        let (first, end) = ErasureMark.allErasing
        return try db.all(
            "SELECT \(AccountRecord.columns) FROM account WHERE service >= ? AND service < ?",
            [.text(first), .text(end)]
        ) { try AccountRecord(row: $0) }
    }

    /// The accounts of a customer: those on one channel, or on all of a service's.
    /// Each is followed by the anonymous ones that were joined to it.
    public func accounts(
        ofCustomer customer: String, of service: String, on channels: [String]
    ) throws -> [AccountRecord] {
        try channels.flatMap { channel in
            func find(_ customer: String) throws -> AccountRecord? {
                try account(AccountKey(service: service, channel: channel, customer: customer))
            }
            guard let account = try find(customer) else { return [AccountRecord]() }
            let former = try account.former.compactMap { former in
                try find(former.id).flatMap { $0.number == former.number ? $0 : nil }
            }
            return [account] + former
        }
    }

    /// The channels of a service in which somebody has an account.
    public func channelsWithAccounts(of service: String) throws -> [String] {
        var channels: [String] = []
        while true {
            let next = try db.first(
                "SELECT channel FROM account WHERE service = ? AND channel > ? ORDER BY channel LIMIT 1",
                [.text(service), .text(channels.last ?? "")]
            ) { $0.text(0) }
            guard let next else { return channels }
            channels.append(next)
        }
    }

    /// A thread that the account has joined and does not own, by its number; nil if there is none.
    public func joinedThread(of account: Int64) throws -> Int64? {
        try db.first(
            """
            SELECT member.thread FROM member JOIN thread ON thread.number = member.thread
            WHERE member.account = ? AND thread.owner <> ? LIMIT 1
            """, [.integer(account), .integer(account)]
        ) { $0.integer(0) }
    }

    /// The threads that an account owns, among the next `limit` by their numbers: also those that it has left. `next` is
    /// nil at the end.
    public func ownedThreads(
        of account: Int64, after number: Int64, limit: Int
    ) throws -> (threads: [Int64], next: Int64?) {
        let rows = try db.all(
            "SELECT number, owner FROM thread WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(number), .integer(Int64(limit))]
        ) { (number: $0.integer(0), owner: $0.integer(1)) }
        return (rows.filter { $0.owner == account }.map(\.number), rows.count == limit ? rows.last?.number : nil)
    }

    /// The ids of messages that a customer wrote, among the next `limit` of a thread. `next` is nil at the end.
    ///
    /// - Parameter isInThread: whether to look in the conversation, or at the replies beside it.
    public func messages(
        of customer: String, in thread: Int64, isInThread: Bool, after place: MessagePosition, limit: Int
    ) throws -> (ids: [String], next: MessagePosition?) {
        let rows = try db.all(
            """
            SELECT id, createdAt, number, sender, isToAgent FROM message
            WHERE thread = ? AND isInThread = \(isInThread ? 1 : 0) AND (createdAt, number) > (?, ?)
            ORDER BY createdAt, number LIMIT ?
            """,
            [.integer(thread), .integer(place.createdAt), .integer(place.number), .integer(Int64(limit))]
        ) { row in
            (
                id: row.text(0), place: MessagePosition(createdAt: row.integer(1), number: row.integer(2)),
                isOwn: row.text(3) == customer && row.flag(4)
            )
        }
        return (rows.filter(\.isOwn).map(\.id), rows.count == limit ? rows.last?.place : nil)
    }

    /// The messages that a customer wrote in threads of its channel, among the next `limit` of all messages by their
    /// numbers: also those in threads that it has left. `next` is nil at the end.
    public func messages(
        of account: AccountRecord, after number: Int64, limit: Int
    ) throws -> (messages: [(thread: Int64, id: String)], next: Int64?) {
        let rows = try db.all(
            "SELECT number, thread, id, sender, isToAgent FROM message WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(number), .integer(Int64(limit))]
        ) { row in
            (
                number: row.integer(0), thread: row.integer(1), id: row.text(2),
                isOwn: row.text(3) == account.key.customer && row.flag(4)
            )
        }
        // The same id on another channel is another customer.
        let own = try rows.filter(\.isOwn).filter { try isOnChannel($0.thread, account.key.channel) }
        return (own.map { ($0.thread, $0.id) }, rows.count == limit ? rows.last?.number : nil)
    }

    /// Whether a thread is one of the channel, and was not removed.
    private func isOnChannel(_ thread: Int64, _ channel: String) throws -> Bool {
        let line = try db.first("SELECT line FROM erasure WHERE thread = ?", [.integer(thread)]) { $0.integer(0) }
        guard line.map(Erasure.isOfRemoved) != true else { return false }
        return try self.thread(number: thread)?.owner.key.channel == channel
    }

    /// Events that are to be deleted, among the next `limit` of the log after a place. `next` is nil at the log's end.
    ///
    /// They are those of the account's threads, and the states of others' threads that it was told of, which name it as a
    /// member. That a thread was removed stays, for whoever was away.
    func eventsToErase(
        of account: Int64, after place: Int64, limit: Int
    ) throws -> (events: [(place: Int64, members: [AudienceMember])], next: Int64?) {
        var events: [(place: Int64, members: [AudienceMember])] = []
        var (count, last) = (0, place)
        try db.query(
            "SELECT place, type, owner, audience FROM log WHERE place > ? ORDER BY place LIMIT ?",
            [.integer(place), .integer(Int64(limit))]
        ) { row in
            (count, last) = (count + 1, row.integer(0))
            let type = EventType(rawValue: row.text(1))
            if type == .threadRemoved { return true }
            let (isOwn, members) = (row.integer(2) == account, [AudienceMember](packed: row.blob(3)))
            let names =
                (type == .threadUpdated || type == .threadInfo) && members.contains { $0.audience == .account(account) }
            if isOwn || names { events.append((last, members)) }
            return true
        }
        return (events, count == limit ? last : nil)
    }

    /// The scopes of receipts whose bodies show the customer, among the next `limit`. `next` is nil at the end.
    func receiptsToErase(
        of account: AccountRecord, after scope: String, limit: Int
    ) throws -> (scopes: [String], next: String?) {
        // Without the braces: other members may stand around it.
        let signs = ["id", "customerId"].map { name in
            var json = JSONWriter()
            json.beginObject()
            json.name(name)
            json.value(account.key.customer)
            json.endObject()
            return json.bytes.dropFirst().dropLast()
        }
        var scopes: [String] = []
        var (count, last) = (0, scope)
        try db.query(
            "SELECT scope, body FROM receipt WHERE scope > ? ORDER BY scope LIMIT ?",
            [.text(scope), .integer(Int64(limit))]
        ) { row in
            (count, last) = (count + 1, row.text(0))
            let body = row.blob(1)
            if signs.contains(where: { body.contains($0) }) { scopes.append(last) }
            return true
        }
        return (scopes, count == limit ? last : nil)
    }
}

extension WriteTransaction {
    /// The most rows that a step deletes.
    private static var erasureLimit: Int64 { 200 }

    /// Takes the account from its key, and forgets what is known of the customer. From now on nobody finds it by its key.
    /// Returns nil if there is none.
    ///
    /// The anonymous accounts that were joined to it begin to be erased as well: they may have threads that did not
    /// come along, and the log names them.
    public func beginErasure(of key: AccountKey) throws -> AccountRecord? {
        guard var account = try account(key) else { return nil }
        for former in account.former {
            let key = AccountKey(service: key.service, channel: key.channel, customer: former.id)
            // Another one may have this key by now.
            if try self.account(key)?.number == former.number { _ = try beginErasure(of: key) }
        }
        account.customer = Customer(id: key.customer)
        account.isNameVouched = false
        account.customFields = [:]
        try save(account)
        try setMark(ErasureMark.erasing(account), of: account)
        return account
    }

    private func setMark(_ mark: String, of account: AccountRecord) throws {
        try db.run("UPDATE account SET service = ? WHERE number = ?", [.text(mark), .integer(account.number)])
        hot?.forget(account: account.number)
    }

    /// Deletes a bounded part of the account's uploads, devices, webhooks, unsent messages and positions. Returns whether
    /// there may be more.
    func eraseOwnRowsStep(of account: Int64) throws -> Bool {
        let (number, limit) = (SQLValue.integer(account), SQLValue.integer(Self.erasureLimit))
        let uploads = try db.all(
            "SELECT id FROM attachment WHERE uploader = ? AND message IS NULL LIMIT ?", [number, limit]
        ) { $0.text(0) }
        try discard(attachments: uploads)
        let targets = try db.all("SELECT id FROM target WHERE account = ? LIMIT 10", [number]) { $0.text(0) }
        for target in targets { try deleteTarget(target) }
        let outgoing = try db.all("SELECT number FROM outgoing WHERE account = ? LIMIT ?", [number, limit]) {
            $0.integer(0)
        }
        for message in outgoing {
            try db.run("DELETE FROM outgoing WHERE number = ?", [.integer(message)])
            hot?.change(unsentBytes: nil, of: account)
            try scrub(message: message)
            try discardAttachments(of: message)
        }
        try db.run("DELETE FROM syncPosition WHERE account = ?", [number])
        // A customer has few notes.
        try removeNotes(about: account)
        try removeExtras(of: .account(account))
        return !uploads.isEmpty || !targets.isEmpty || !outgoing.isEmpty
    }

    /// Deletes events, with what receivers of webhooks have answered to them.
    func erase(_ events: [(place: Int64, members: [AudienceMember])]) throws {
        let targets = try db.all("SELECT number FROM target WHERE account IS NULL AND kind = 'webhook'", []) {
            $0.integer(0)
        }
        for event in events {
            for target in targets {
                try db.run(
                    """
                    UPDATE attempt SET head = NULL
                    WHERE delivery IN (SELECT number FROM delivery WHERE target = ? AND place = ?)
                    """, [.integer(target), .integer(event.place)])
            }
            try db.deleteLogRow(event.place, members: event.members)
        }
    }

    /// Empties the bodies of receipts: a repeated request gets no content any more.
    func eraseReceipts(_ scopes: [String]) throws {
        for scope in scopes {
            try db.run(
                "UPDATE receipt SET body = ?, message = NULL WHERE scope = ?", [.blob(Array("{}".utf8)), .text(scope)])
        }
    }

    /// Ends the erasure, unless something was written for the account meanwhile. Returns whether it has ended.
    func endErasure(of account: AccountRecord) throws -> Bool {
        let isLeft = try db.first("SELECT 1 FROM member WHERE account = ? LIMIT 1", [.integer(account.number)]) { _ in
            true
        }
        guard isLeft != true, try !eraseOwnRowsStep(of: account.number) else { return false }
        var empty = account
        (empty.customer, empty.former, empty.joinedTo) = (Customer(id: account.key.customer), [], nil)
        try save(empty)
        try setMark(ErasureMark.erased(account, head: head), of: account)
        return true
    }

    /// Deletes the rows of erased accounts that the log does not name any more.
    func removeErasedAccounts() throws {
        let (first, end) = ErasureMark.allErased
        let marks = try db.all(
            "SELECT number, service FROM account WHERE service >= ? AND service < ? LIMIT 200",
            [.text(first), .text(end)]
        ) { (number: $0.integer(0), mark: $0.text(1)) }
        let floor = try meta("floor")
        for (number, mark) in marks where ErasureMark.head(mark).map({ $0 <= floor }) == true {
            try removeAccount(number)
        }
    }
}

extension ChatStore {
    /// Rows of the log, and of the receipts, that one step looks at. Reading them does not keep the writer busy.
    private static let portion = 1000

    /// Removes the threads that an account owns, also those that it has left, with everything in them. Their members are
    /// told.
    public func eraseThreads(ownedBy account: Int64) async throws(ChatError) {
        var last: Int64? = 0
        while let number = last {
            let found = try await read { try $0.ownedThreads(of: account, after: number, limit: Self.portion) }
            for thread in found.threads { try await write { try $0.removeThread(thread) } }
            last = found.next
        }
        while try await write({ try $0.eraseHistory() }) {}
    }

    /// Erases what is left of an account that has no sessions and threads any more: uploads, devices, unsent messages,
    /// events, receipts, and what is in memory. At the end the account is gone.
    ///
    /// Returns false when something was written for the account meanwhile: then begin again with its threads. Throws
    /// what a write throws; to call it again goes on.
    public func eraseRows(of account: AccountRecord) async throws(ChatError) -> Bool {
        let number = account.number
        while try await write({ try $0.eraseOwnRowsStep(of: number) }) {}
        while try await write({ try $0.collectOrphans(limit: 500) }) {}
        var place: Int64? = 0
        while let last = place {
            let found = try await read { try $0.eventsToErase(of: number, after: last, limit: Self.portion) }
            if !found.events.isEmpty { try await write { try $0.erase(found.events) } }
            place = found.next
        }
        var scope: String? = ""
        while let last = scope {
            let found = try await read { try $0.receiptsToErase(of: account, after: last, limit: Self.portion) }
            if !found.scopes.isEmpty { try await write { try $0.eraseReceipts(found.scopes) } }
            scope = found.next
        }
        guard try await write({ try $0.endErasure(of: account) }) else { return false }
        // Events of the account may be in the ring. Who is behind reads on in the database, which has them no more.
        feed.forgetAll()
        search.forgetRemovedThreads()
        await files.finish()
        return true
    }
}
