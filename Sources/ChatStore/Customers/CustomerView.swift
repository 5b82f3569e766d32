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

/// Notes of agents about a customer. No customer's operation leads here.
extension WriteTransaction {
    /// Adds a note, and logs `customer.updated` for the desk, without the text. Throws `tooManyNotes` when the customer
    /// has
    /// ``CustomerNote/maximumCount``.
    public func addNote(
        _ text: String, by author: Author, about account: AccountRecord, receipt: Receipt?
    ) throws -> Outcome {
        let count = try db.first(
            "SELECT count(*) FROM customerNote WHERE account = ?", [.integer(account.number)]
        ) { $0.integer(0) }
        guard (count ?? 0) < CustomerNote.maximumCount else {
            throw ChatError(
                .tooManyNotes, "A customer has at most \(CustomerNote.maximumCount) notes: remove one first.")
        }
        let note = Encoded(
            CustomerNote(
                id: environment.makeID(), customerID: account.key.customer, channel: account.key.channel,
                createdAt: now, author: author, text: text))
        // As with other notes, the receipt is found by the number of the event.
        let number = nextOffset
        try db.run(
            "INSERT INTO customerNote (number, account, id, json) VALUES (?, ?, ?, ?)",
            [.integer(number), .integer(account.number), .text(note.value.id), .blob(note.bytes)])
        try logUpdate(of: account, changed: ["notes"])
        let outcome = Outcome(.created, id: note.value.id, body: note.bytes, version: number)
        try record(receipt, outcome, message: number)
        return outcome
    }

    /// Removes a note with its text, also from receipts, and logs `customer.updated` for the desk. Throws
    /// `unknownNote`.
    public func removeNote(_ id: String, about account: AccountRecord) throws {
        let number = try db.first(
            "SELECT number FROM customerNote WHERE account = ? AND id = ?", [.integer(account.number), .text(id)]
        ) { $0.integer(0) }
        guard let number else { throw ChatError.unknownCustomerNote(id) }
        try db.run("DELETE FROM customerNote WHERE number = ?", [.integer(number)])
        try scrubReceipts(message: number, replacement: Array("{}".utf8))
        try logUpdate(of: account, changed: ["notes"])
    }

    /// Removes all notes about a customer, by the account's number, and logs nothing: the customer is gone.
    public func removeNotes(about account: Int64) throws {
        try db.run("DELETE FROM customerNote WHERE account = ?", [.integer(account)])
    }

    /// Logs `customer.updated` for the desk.
    ///
    /// - Parameter names: of what is another than before.
    func logUpdate(of account: AccountRecord, changed names: [String]) throws {
        try append(
            CustomerUpdatedEvent(id: account.key.customer, by: cause(names)), owner: account, message: nil,
            members: [AudienceMember(.desk)])
    }

    /// Saves a customer who is another than before, and logs `customer.updated` for the desk. Does nothing if all is
    /// the same. The caller saves the threads that show the customer's name.
    ///
    /// - Parameter isNew: whether nobody can know the account yet; then nothing is logged.
    public func save(_ account: AccountRecord, since before: AccountRecord, isNew: Bool = false) throws {
        guard account != before else { return }
        try save(account)
        let names = account.changes(since: before)
        if !isNew, !names.isEmpty { try logUpdate(of: account, changed: names) }
    }
}

extension AccountRecord {
    /// The members of the desk's view that are others than before.
    fileprivate func changes(since before: AccountRecord) -> [String] {
        var names: [String] = []
        func add(_ name: String, unless isSame: Bool) { if !isSame { names.append(name) } }
        let (customer, old) = (customer, before.customer)
        add("firstName", unless: customer.firstName.hasSameBytes(as: old.firstName))
        add("lastName", unless: customer.lastName.hasSameBytes(as: old.lastName))
        add("imageUrl", unless: customer.imageURL.hasSameBytes(as: old.imageURL))
        add("email", unless: customer.email.hasSameBytes(as: old.email))
        add("verified", unless: customer.isVerified == old.isVerified)
        add("customFields", unless: customFields.hasSameBytes(as: before.customFields))
        add("consent", unless: consent == before.consent)
        add("formerIds", unless: customer.formerIDs == old.formerIDs)
        return names
    }
}

extension ReadTransaction {
    /// A note's JSON. Throws `unknownNote`.
    public func note(_ id: String, about account: AccountRecord) throws -> [UInt8] {
        let json = try db.first(
            "SELECT json FROM customerNote WHERE account = ? AND id = ?", [.integer(account.number), .text(id)]
        ) { $0.blob(0) }
        guard let json else { throw ChatError.unknownCustomerNote(id) }
        return json
    }

    /// A page of the notes about a customer, newest first. `next` leads to older ones. Throws `invalidParameter` for a
    /// cursor of another list.
    public func notePage(about account: AccountRecord, _ request: PageRequest) throws -> PageBytes {
        let list = PageCursor.List.customerNotes(account: account.number)
        var last = Int64.max
        if let cursor = try request.parsedCursor(of: list) {
            guard case .older(let position) = cursor else { throw PageRequest.badCursor }
            last = position.number
        }
        let found = try db.all(
            "SELECT number, json FROM customerNote WHERE account = ? AND number < ? ORDER BY number DESC LIMIT ?",
            [.integer(account.number), .integer(last), .integer(Int64(request.limit + 1))]
        ) { (number: $0.integer(0), json: $0.blob(1)) }
        let shown = found.prefix(request.limit)
        let next = shown.last.map { PageCursor.older(MessagePosition(createdAt: 0, number: $0.number)) }
        return PageBytes(
            offset: try headOffset(), items: shown.map(\.json), of: list, version: try lastOffset(of: .desk),
            next: found.count > request.limit ? next : nil, prev: nil)
    }
}

extension ChatError {
    /// For a note that is not about the customer, or was removed.
    static func unknownCustomerNote(_ id: String) -> ChatError {
        ChatError(.unknownNote, "The customer has no note \(id).")
    }
}

/// What the columns `email` and `nameKey` of an account have, for the desk's search.
extension Customer {
    /// Bytes that a key has at most. An index of PostgreSQL takes rows of some 2,700 bytes.
    static let maximumKeyLength = 600

    /// The e-mail address in lower case.
    var emailKey: String? { email.flatMap(Self.key) }

    /// The whole name in lower case.
    var nameKey: String? { fullName.flatMap(Self.key) }

    /// A text as it is searched for: in lower case, without the spaces around it, and no longer than any key. Nil for
    /// one that has nothing else.
    static func key(_ text: String) -> String? {
        var key = String.UnicodeScalarView()
        var length = 0
        // No character becomes shorter, so the rest would be cut off anyway.
        for scalar in String(text.unicodeScalars.prefix(maximumKeyLength)).lowercased().unicodeScalars {
            if key.isEmpty, scalar == " " { continue }
            length += String(scalar).utf8.count
            guard length <= maximumKeyLength else { break }
            // Not every database has texts with U+0000.
            key.append(scalar == "\0" ? "\u{FFFD}" : scalar)
        }
        while key.last == " " { key.removeLast() }
        return key.isEmpty ? nil : String(key)
    }
}
