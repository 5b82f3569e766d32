import ChatModel
import Formats

/// Adding conversations that were written elsewhere.
///
/// Messages and notes are stored as history is: under arrival numbers of the log, but without events. One `thread.created`
/// tells lists and pages that are open; it is marked (``LogEvent/isImport``), so that nobody outside is told.
extension WriteTransaction {
    /// Adds a conversation with the times that it had, or finds it unchanged. Nobody has unread messages by it.
    ///
    /// A customer who is known already keeps names and address. Throws `threadIdConflict` for an id that another thread of
    /// the customer has, or the same one with other content; `unknownTag` for a new tag where none may be added;
    /// `tooManyTags`; `unknownSession` for a customer who is being erased.
    ///
    /// - Parameter addsTags: whether tags may be made.
    public func importThread(
        _ imported: ImportedThread, on channel: String, of service: String, addsTags: Bool
    ) throws -> ImportResult {
        var accounts: [AccountRecord] = []
        for customer in imported.members {
            let account = try openImported(
                customer, AccountKey(service: service, channel: channel, customer: customer.id))
            if !accounts.contains(where: { $0.number == account.number }) { accounts.append(account) }
        }
        if let known = try thread(imported.id, of: accounts[0].number) {
            if known.team.imported?.digest == imported.digest { return .unchanged }
            throw ChatError(
                .threadIdConflict,
                known.team.imported == nil
                    ? "The customer \(accounts[0].key.customer) has another conversation of this id."
                    : "A conversation of this id was imported before, with other content.", pointer: "/id")
        }
        var made: [DeskTag] = []
        var thread = ChatThread(id: imported.id, createdAt: imported.createdAt, members: accounts.map(\.customer))
        thread.state = imported.isClosed ? .closed : .ready
        (thread.name, thread.customType) = (imported.name, imported.customType)
        (thread.agent, thread.previousAgent) = (imported.agent, imported.previousAgent)
        (thread.customFields, thread.waitingSince) = (imported.customFields, imported.waitingSince)
        var record = try insert(thread, members: accounts.map { (account: $0, state: .joined) })
        record.team.imported = ImportMark(at: now, digest: imported.digest)
        let ids = try tagIDs(imported.tags, at: "/tags", adding: addsTags, &made)
        try setTags(ids, of: &record)
        try insertImported(imported.messages, into: &record)
        for note in imported.notes { try insertImported(note, into: record) }
        try insertContacts(of: imported, tags: ids, addsTags, &made, into: &record)
        record.thread.updatedAt = max(record.thread.lastActivityAt, record.thread.contactClosedAt ?? imported.createdAt)
        let newest = try newestPosition(in: record)
        record.deskRead = newest
        for index in record.members.indices { record.members[index].read = newest }
        record.messagesVersion = head
        try save(&record, logging: .threadCreated, withDesk: true)
        touch(thread: record.number)
        return .imported(tags: made)
    }

    /// The account of a customer. One that is new gets the names and the address. An anonymous one that has joined another
    /// stands for that one.
    private func openImported(_ customer: Customer, _ key: AccountKey) throws -> AccountRecord {
        if let known = try account(key) {
            guard let other = known.joinedTo else { return known }
            return try openAccount(AccountKey(service: key.service, channel: key.channel, customer: other))
        }
        var account = try openAccount(key)
        account.customer = customer
        account.isNameVouched = customer.fullName != nil
        try save(account)
        return try self.account(account.number)
    }

    /// The ids of tags, each once. Unknown ones are made at the end of the list.
    private func tagIDs(
        _ tags: [ImportedTag], at pointer: String, adding: Bool, _ made: inout [DeskTag]
    ) throws -> [String] {
        var ids: [String] = []
        for (index, tag) in tags.enumerated() {
            let id = try tagID(tag, at: "\(pointer)/\(index)", adding: adding, &made)
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    private func tagID(
        _ tag: ImportedTag, at pointer: String, adding: Bool, _ made: inout [DeskTag]
    ) throws -> String {
        func isThere(_ id: String, _ condition: String = "") throws -> Bool {
            try db.first("SELECT 1 FROM tag WHERE id = ? \(condition)", [.text(id)]) { _ in true } == true
        }
        // Only whether it is there: a failed read ends the unit.
        if let id = tag.id, try isThere(id, "AND position >= 0") { return id }
        guard let name = tag.name else {
            guard let id = tag.id else { throw ChatError(.invalidParameter, "A tag needs a name.", pointer: pointer) }
            return id
        }
        let same = try db.first(
            "SELECT id FROM tag WHERE name = ? AND position >= 0", [.text(name.lowercased())]
        ) { $0.text(0) }
        if let same { return same }
        guard adding else {
            throw ChatError(.unknownTag, "The desk has no tag of this name, and none may be added.", pointer: pointer)
        }
        var new = try addTag(name, tag.colour ?? .grey)
        if let id = tag.id, try !isThere(id) {
            try db.run("DELETE FROM tag WHERE id = ?", [.text(new.id)])
            new.id = id
            try save(new)
        }
        made.append(new)
        return new.id
    }

    // MARK: Messages and notes

    private func insertImported(_ messages: [Message], into record: inout ThreadRecord) throws {
        let parents = Dictionary(grouping: messages.filter { $0.parentID != nil }) { ExactText($0.parentID ?? "") }
        for var message in messages {
            message.threadID = record.thread.id
            let replies = parents[ExactText(message.id)] ?? []
            if !replies.isEmpty { message.replyInfo = Self.info(of: replies) }
            message.attachments = try message.attachments.map { try freeAttachment($0) }
            let number = takeOffset()
            let encoded = Encoded(message)
            guard try insertRow(encoded, number: number, version: number, in: record) else {
                throw ChatError(.messageIdConflict, "The id \(message.id) is in the conversation twice.")
            }
            for attachment in message.attachments {
                try db.run(
                    """
                    INSERT INTO attachment (id, uploader, thread, message, createdAt, digest, json)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .text(attachment.id), .integer(record.owner.number), .integer(record.number), .integer(number),
                        .integer(message.createdAt.milliseconds), .blob([]), .blob(attachment.canonicalJSON),
                    ])
            }
            for (author, count) in Self.repliers(replies) {
                try db.run(
                    "INSERT INTO replier (parent, kind, id, count, author) VALUES (?, ?, ?, ?, ?)",
                    [
                        .integer(number), .text(author.kind.rawValue), .text(author.id), .integer(Int64(count)),
                        .blob(author.canonicalJSON),
                    ])
            }
            if message.isInConversation {
                setLastMessage(MessageRecord(number: number, encoded: encoded, version: number), of: &record)
            }
        }
    }

    /// An attachment whose file did not come along. Its id is another one if a file of this gateway has it.
    private func freeAttachment(_ attachment: Attachment) throws -> Attachment {
        guard try self.attachment(attachment.id) != nil else { return attachment }
        var other = attachment
        other.id = environment.makeID()
        return other
    }

    private static func info(of replies: [Message]) -> ReplyInfo {
        let last = replies.map(\.createdAt).max()
        return ReplyInfo(
            count: replies.count, mostReplies: repliers(replies).prefix(ReplyInfo.maximumAuthors).map(\.author),
            lastRepliedAt: last, updatedAt: last ?? Timestamp(milliseconds: 0))
    }

    /// The authors of replies with the most replies first, in the order in which the store counts them.
    private static func repliers(_ replies: [Message]) -> [(author: Author, count: Int)] {
        Dictionary(grouping: replies) { ExactText("\($0.author.kind.rawValue) \($0.author.id)") }.values
            .compactMap { one in one.last.map { (author: $0.author, count: one.count) } }
            .sorted {
                if $0.count != $1.count { return $0.count > $1.count }
                return ($0.author.kind.rawValue, $0.author.id) < ($1.author.kind.rawValue, $1.author.id)
            }
    }

    private func insertImported(_ note: Note, into record: ThreadRecord) throws {
        var note = note
        note.threadID = record.thread.id
        let isThere = try db.first(
            "SELECT 1 FROM note WHERE thread = ? AND id = ?", [.integer(record.number), .text(note.id)]
        ) { _ in true }
        if isThere == true {
            throw ChatError(.invalidParameter, "The id \(note.id) is in the notes twice.", pointer: "/notes")
        }
        try db.run(
            "INSERT INTO note (number, thread, id, createdAt, json) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(takeOffset()), .integer(record.number), .text(note.id), .integer(note.createdAt.milliseconds),
                .blob(note.canonicalJSON),
            ])
    }

    // MARK: Contacts

    private func insertContacts(
        of imported: ImportedThread, tags: [String], _ addsTags: Bool, _ made: inout [DeskTag],
        into record: inout ThreadRecord
    ) throws {
        var former: Int64?
        for (index, var contact) in imported.contacts.enumerated() {
            let next = imported.contacts.dropFirst(index + 1).first
            contact.count(imported.messages, before: next?.openedAt)
            let isOpen = contact.closedAt == nil
            let ids =
                try contact.tags.map { try tagIDs($0, at: "/contacts/\(index)/tags", adding: addsTags, &made) } ?? tags
            var json = JSONWriter()
            json.beginArray()
            for id in ids { json.value(id) }
            json.endArray()
            let number = try db.insert(
                """
                INSERT INTO contact (
                    thread, openedAt, closedAt, channel, firstAnswerAt, firstAgent, lastAgent, closedBy, messagesIn,
                    messagesOut, firstAnswerOpen, resolutionOpen, reopenedFrom, tags, score,
                    waits, waited, longestWait)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
                """,
                [
                    .integer(record.number), .integer(contact.openedAt.milliseconds),
                    .optional(contact.closedAt?.milliseconds), .text(record.owner.key.channel),
                    .optional(contact.firstAnswerAt?.milliseconds), .optional(contact.firstAgent),
                    isOpen ? .null : .optional(contact.lastAgent), .optional(contact.closedBy),
                    isOpen ? .null : .optional(contact.messagesIn), isOpen ? .null : .optional(contact.messagesOut),
                    .optional(contact.firstAnswerOpen), .optional(contact.resolutionOpen),
                    // It goes on with one that may not have come along.
                    .optional(contact.isReopened ? former ?? 0 : nil),
                    isOpen || ids.isEmpty ? .null : .blob(json.bytes), .optional(contact.score.map(Int64.init)),
                    .integer(Int64(contact.waits.count)), .integer(contact.waits.reduce(0, +)),
                    .integer(contact.waits.max() ?? 0),
                ])
            former = number
            record.thread.contactID = "\(number)"
            record.thread.contactClosedAt = contact.closedAt
            (record.messagesIn, record.messagesOut) = (contact.messagesIn ?? 0, contact.messagesOut ?? 0)
            record.answeredBy = contact.lastAgent
        }
        record.thread.rating = imported.rating
    }
}

extension LogEvent {
    /// Whether it tells of a conversation that was imported. Nobody outside is told of those.
    public var isImport: Bool {
        type == .threadCreated && !team.isEmpty && (try? ThreadTeam(members: team))?.imported != nil
    }
}
