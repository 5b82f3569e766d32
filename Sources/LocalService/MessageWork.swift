import Chat
import ChatModel
import ChatStore

/// What sending, editing and removing have in common for both sides of the embedded service.
///
/// Each runs inside a unit: message, thread and their events commit together.
struct MessageWork {
    let transaction: WriteTransaction

    /// Adds a message. Its id sent again with the same content answers with what was sent.
    func send(
        _ draft: MessageDraft, _ direction: MessageDirection, author: Author, from sender: Audience, to record: inout ThreadRecord,
        receipt: Receipt?
    ) throws -> Outcome {
        // Of a message that is there the attachments are in use and its parent may be gone, and a closed thread takes no other.
        if draft.parentID != nil || !draft.attachments.isEmpty || !record.thread.canAddMoreMessages {
            if let known = try draft.id.flatMap({ try transaction.message($0, in: record) }) {
                return try repeated(draft, direction, known, receipt)
            }
            try ThreadRules.checkSend(record.thread)
        }
        var parent = try draft.parentID.map { try self.parent($0, in: record) }
        var message = Message(
            id: draft.id ?? transaction.environment.makeID(), threadID: record.thread.id,
            createdAt: try transaction.nextMessageTime(in: record),
            direction: direction, author: author, text: draft.text, status: .delivered)
        message.customType = draft.customType
        message.parentID = draft.parentID
        message.alsoInThread = draft.parentID == nil ? nil : draft.alsoInThread ?? true
        message.attachments = try uploads(draft.attachments, of: sender, for: record)
        if !message.attachments.isEmpty { message.type = .file }
        if record.thread.state == .pending {
            record.thread.state = .ready
            try transaction.announceToDesk(&record)
        }
        guard let sent = try transaction.insert(message, into: &record, withDesk: true) else {
            guard let known = try transaction.message(message.id, in: record) else {
                throw ChatError(.storageFailed, "A message is there and is not.")
            }
            return try repeated(draft, direction, known, receipt)
        }
        try transaction.bind(message.attachments, to: sent, in: record)
        if parent != nil { try transaction.count(sent, on: &parent!, in: &record, withDesk: true) }
        if message.isInConversation {
            switch direction {
            case .toAgent: record.thread.deskUnreadCount += 1
            case .toClient: for index in record.members.indices { record.members[index].unreadCount += 1 }
            }
            record.thread.updatedAt = max(record.thread.updatedAt, message.createdAt)
            transaction.setLastMessage(sent, of: &record)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
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

    private func repeated(
        _ draft: MessageDraft, _ direction: MessageDirection, _ known: MessageRecord, _ receipt: Receipt?
    ) throws -> Outcome {
        guard draft.isSame(as: known.message), known.message.direction == direction else {
            throw ChatError(.messageIdConflict, "The thread has a message of this id with other content.", pointer: "/id")
        }
        let outcome = Outcome(.ok, id: known.message.id, body: known.message.canonicalJSON)
        try transaction.record(receipt, outcome, message: known.number)
        return outcome
    }

    /// Changes the text of a message of the side that asks.
    func edit(
        _ id: String, by side: MessageDirection, text: String, ifMatch version: Int64?, in record: inout ThreadRecord
    ) throws -> Outcome {
        var message = try own(id, side, version, in: record)
        try ThreadRules.checkSend(record.thread)
        if message.message.text != text {
            message.message.text = text
            message.message.updatedAt = max(transaction.now, message.message.updatedAt.advanced(byMilliseconds: 1))
            message.message.editedAt = message.message.updatedAt
            try transaction.save(&message, in: &record, withDesk: true)
            if message.number == record.lastMessageNumber { transaction.setLastMessage(message, of: &record) }
            try touch(&record, by: message.message)
        }
        return Outcome(.ok, id: id, body: message.message.canonicalJSON)
    }

    /// Removes a message of the side that asks.
    func remove(_ id: String, by side: MessageDirection, ifMatch version: Int64?, in record: inout ThreadRecord) throws {
        let message = try own(id, side, version, in: record)
        try ThreadRules.checkRemove(message.message)
        try transaction.remove(message, in: &record, withDesk: true)
        if var parent = try message.message.parentID.flatMap({ try transaction.message($0, in: record) }) {
            try transaction.uncount(message, on: &parent, in: &record, withDesk: true)
        }
        if message.message.isInConversation { uncount(message, in: &record) }
        if message.number == record.lastMessageNumber {
            transaction.setLastMessage(try transaction.newestMessage(in: record), of: &record)
        }
        try touch(&record, by: message.message)
    }

    /// Nobody has a removed message unread any more.
    private func uncount(_ message: MessageRecord, in record: inout ThreadRecord) {
        switch message.message.direction {
        case .toAgent:
            if message.position > record.deskRead { record.thread.deskUnreadCount = max(0, record.thread.deskUnreadCount - 1) }
        case .toClient:
            for index in record.members.indices where message.position > record.members[index].read {
                record.members[index].unreadCount = max(0, record.members[index].unreadCount - 1)
            }
        }
    }

    private func own(_ id: String, _ side: MessageDirection, _ version: Int64?, in record: ThreadRecord) throws -> MessageRecord {
        guard let message = try transaction.message(id, in: record) else { throw ChatError.unknownMessage(id) }
        guard message.message.direction == side else {
            throw ChatError(.notAuthor, "Only its author's side may change the message \(id).")
        }
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
    /// What was read counts even if it was removed since: a message before it would be taken for read.
    fileprivate func nextMessageTime(in record: ThreadRecord) throws -> Timestamp {
        let read = record.members.map(\.read).reduce(record.deskRead, max)
        let newest = try newestAside(in: record) ?? .start
        let latest = Timestamp(milliseconds: max(read, newest).createdAt)
        return max(now, latest, record.thread.lastMessage?.createdAt ?? record.thread.createdAt)
    }
}
