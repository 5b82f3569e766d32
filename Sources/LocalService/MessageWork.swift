import Chat
import ChatModel
import ChatStore
import Formats

/// What sending, editing and removing have in common for both sides of the embedded service.
///
/// Each runs inside a unit: message, thread and their events commit together.
struct MessageWork {
    /// Who acts.
    enum Party {
        case customer(AccountRecord)
        case agent(Agent)

        var direction: MessageDirection {
            if case .customer = self { .toAgent } else { .toClient }
        }

        /// Only the desk speaks for the system.
        func type(of draft: MessageDraft) -> MessageType {
            if let content = draft.content { return content.type }
            return draft.isAdmin && direction == .toClient ? .admin : draft.attachments.isEmpty ? .text : .file
        }

        /// Whose uploads it may send.
        var audience: Audience {
            if case .customer(let account) = self { .account(account.number) } else { .desk }
        }
    }

    let transaction: WriteTransaction
    let party: Party

    /// Adds a message. Its id sent again with the same content answers with what was sent.
    func send(
        _ draft: MessageDraft, to record: inout ThreadRecord, live: inout LiveWork, receipt: Receipt?
    ) throws -> Outcome {
        // Of a message that is there the attachments are in use and its parent may be gone, and a closed thread takes no other.
        if draft.parentID != nil || !draft.attachments.isEmpty || !record.thread.canAddMoreMessages {
            if let known = try draft.id.flatMap({ try transaction.storedMessage($0, in: record) }) {
                return try repeated(draft, known, receipt)
            }
            try ThreadRules.checkSend(record.thread)
        }
        var parent = try draft.parentID.map { try self.parent($0, in: record) }
        var message = Message(
            id: draft.id ?? transaction.environment.makeID(), threadID: record.thread.id,
            createdAt: try transaction.nextMessageTime(in: record),
            direction: party.direction, author: author(of: draft), type: party.type(of: draft), text: draft.text, status: .delivered)
        message.customType = draft.customType
        (message.content, message.postback) = (draft.content, draft.postback)
        message.parentID = draft.parentID
        message.alsoInThread = draft.parentID == nil ? nil : draft.alsoInThread ?? true
        message.attachments = try uploads(draft.attachments, of: party.audience, for: record)
        var changesThread = true
        if record.thread.state == .pending {
            record.thread.state = .ready
            try transaction.openContact(for: &record)
            try transaction.announceToDesk(&record)
        } else if record.thread.contactID == nil || record.thread.contactClosedAt != nil {
            // The first message of a thread of the desk's making, or the first after its contact has ended.
            try transaction.openContact(for: &record)
        } else {
            changesThread = message.isInConversation
        }
        guard let sent = try transaction.insert(message, into: &record, withDesk: true) else {
            guard let known = try transaction.storedMessage(message.id, in: record) else {
                throw ChatError(.storageFailed, "A message is there and is not.")
            }
            return try repeated(draft, known, receipt)
        }
        try transaction.bind(message.attachments, to: sent.number, in: record)
        if parent != nil { try transaction.count(sent, on: &parent!, in: &record, withDesk: true) }
        let wasAsked = record.thread.inactivityPopup != nil
        try live.heard(party.direction == .toAgent, &record, in: transaction)
        if message.isInConversation {
            try count(sent, in: &record)
            record.thread.updatedAt = max(record.thread.updatedAt, message.createdAt)
            transaction.setLastMessage(sent, of: &record)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        } else if changesThread || (wasAsked && record.thread.inactivityPopup == nil) {
            try live.save(&record, in: transaction)
        } else {
            try transaction.saveListVersion(of: record)
        }
        let outcome = Outcome(.created, id: message.id, body: sent.message.canonicalJSON)
        try transaction.record(receipt, outcome, message: sent.number)
        return outcome
    }

    /// The message that a reply answers. Throws `unknownParent`, `replyDepthExceeded`, `replyNotAllowed`.
    private func parent(_ id: String, in record: ThreadRecord) throws -> MessageRecord {
        guard let parent = try transaction.message(id, in: record) else {
            throw ChatError(.unknownParent, "The thread has no message \(id).", pointer: "/parentId")
        }
        try ThreadRules.checkReply(to: parent.message)
        return parent
    }

    private func author(of draft: MessageDraft) -> Author {
        switch party {
        case .customer(let account): Author(account.customer)
        case .agent(let agent): draft.isAdmin ? Author(id: "system", kind: .system) : Author(agent)
        }
    }

    /// A message of the conversation: unread for all but its author, and whoever had hidden the thread sees it again.
    private func count(_ message: MessageRecord, in record: inout ThreadRecord) throws {
        if party.direction == .toAgent { record.thread.deskUnreadCount += 1 }
        for index in record.members.indices {
            if record.members[index].isHidden {
                record.members[index].isHidden = false
                try transaction.saveMembership(record.members[index], in: record)
            }
            if case .customer(let account) = party, account.number == record.members[index].account { continue }
            record.members[index].unreadCount += 1
        }
    }

    private func repeated(_ draft: MessageDraft, _ known: MessageRecord, _ receipt: Receipt?) throws -> Outcome {
        guard draft.isSame(as: known.message), isOwn(known.message) else {
            throw ChatError(.messageIdConflict, "The thread has a message of this id with other content.", pointer: "/id")
        }
        let outcome = Outcome(.ok, id: known.message.id, body: known.message.canonicalJSON)
        try transaction.record(receipt, outcome, message: known.number)
        return outcome
    }

    /// Customers write each for himself; the desk's agents are one.
    private func isOwn(_ message: Message) -> Bool {
        switch party {
        case .customer(let account): message.author.kind == .customer && message.author.id == account.key.customer
        case .agent: message.direction == .toClient
        }
    }

    /// Changes the text of an own message. Throws `notAuthor`.
    func edit(_ id: String, text: String, ifMatch version: Int64?, in record: inout ThreadRecord) throws -> Outcome {
        var message = try find(id, version, in: record)
        guard isOwn(message.message) else { throw ChatError(.notAuthor, "Only its author may change the message \(id).") }
        try ThreadRules.checkSend(record.thread)
        if !message.message.text.hasSameBytes(as: text) {
            message.message.text = text
            message.message.updatedAt = max(transaction.now, message.message.updatedAt.advanced(byMilliseconds: 1))
            message.message.editedAt = message.message.updatedAt
            try transaction.save(&message, in: &record, withDesk: true)
            if message.number == record.lastMessageNumber { transaction.setLastMessage(message, of: &record) }
            try touch(&record, by: message.message)
        }
        return Outcome(.ok, id: id, body: message.message.canonicalJSON)
    }

    /// Removes a message: a customer an own one, the desk any. Throws `notAuthor`, `parentHasReplies`.
    func remove(_ id: String, ifMatch version: Int64?, in record: inout ThreadRecord) throws {
        let message = try find(id, version, in: record)
        if case .customer = party, !isOwn(message.message) {
            throw ChatError(.notAuthor, "Only its author, or the desk, may remove the message \(id).")
        }
        try ThreadRules.checkRemove(message.message)
        try transaction.remove(message, in: &record, withDesk: true)
        if var parent = try message.message.parentID.flatMap({ try transaction.storedMessage($0, in: record) }) {
            try transaction.uncount(message, on: &parent, in: &record, withDesk: true)
        }
        if message.message.isInConversation { try uncount(message, in: &record) }
        if message.number == record.lastMessageNumber {
            transaction.setLastMessage(try transaction.newestMessage(in: record), of: &record)
        }
        try touch(&record, by: message.message)
    }

    /// Nobody has a removed message unread any more.
    private func uncount(_ message: MessageRecord, in record: inout ThreadRecord) throws {
        let author = message.message.author
        if message.message.direction == .toAgent, message.position > record.deskRead {
            record.thread.deskUnreadCount = max(0, record.thread.deskUnreadCount - 1)
        }
        for index in record.members.indices where message.position > record.members[index].read {
            let isAuthor = try author.kind == .customer
                && transaction.account(record.members[index].account).key.customer == author.id
            if !isAuthor { record.members[index].unreadCount = max(0, record.members[index].unreadCount - 1) }
        }
    }

    private func find(_ id: String, _ version: Int64?, in record: ThreadRecord) throws -> MessageRecord {
        guard let message = try transaction.message(id, in: record) else { throw ChatError.unknownMessage(id) }
        try check(version, message.version)
        return message
    }

    /// The thread after one of its messages has changed: a reply that stands beside the conversation changes nothing of it.
    private func touch(_ record: inout ThreadRecord, by message: Message) throws {
        guard message.isInConversation else { return try transaction.saveListVersion(of: record) }
        record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
    }
}

extension WriteTransaction {
    /// When the next message of a thread is created: time never runs backwards inside a thread, whatever the clock does.
    ///
    /// What was read counts even if it was removed since: a message before it would be taken for read. Where a
    /// history was reset, the message stands behind the line.
    fileprivate func nextMessageTime(in record: ThreadRecord) throws -> Timestamp {
        let aside = try newestAside(in: record) ?? .start
        let newest = max(record.deskRead, record.customerRead, aside).createdAt
        let line = record.members.compactMap(\.historyResetAt).max().map { max($0.milliseconds, record.line) } ?? record.line
        let latest = Timestamp(milliseconds: max(newest, line + 1))
        return max(now, latest, record.thread.lastMessage?.createdAt ?? record.thread.createdAt)
    }
}
