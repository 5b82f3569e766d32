import ChatModel
import Formats

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
        func note(_ name: String, _ isSame: Bool) { if !isSame { names.append(name) } }
        let (customer, old) = (customer, before.customer)
        note("firstName", customer.firstName.hasSameBytes(as: old.firstName))
        note("lastName", customer.lastName.hasSameBytes(as: old.lastName))
        note("imageUrl", customer.imageURL.hasSameBytes(as: old.imageURL))
        note("email", customer.email.hasSameBytes(as: old.email))
        note("verified", customer.isVerified == old.isVerified)
        note("customFields", customFields.hasSameBytes(as: before.customFields))
        note("consent", consent == before.consent)
        note("formerIds", customer.formerIDs == old.formerIDs)
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
