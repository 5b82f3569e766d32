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
        // Of a message that is there its attachments are in use, and a closed thread takes no other.
        if !record.thread.canAddMoreMessages || !draft.attachments.isEmpty {
            if let known = try draft.id.flatMap({ try transaction.message($0, in: record) }) {
                return try repeated(draft, direction, known, receipt)
            }
            try ThreadRules.checkSend(record.thread)
        }
        var message = Message(
            id: draft.id ?? transaction.environment.makeID(), threadID: record.thread.id,
            createdAt: max(transaction.now, record.latestTime),
            direction: direction, author: author, text: draft.text, status: .delivered)
        message.customType = draft.customType
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
        switch direction {
        case .toAgent: record.thread.deskUnreadCount += 1
        case .toClient: for index in record.members.indices { record.members[index].unreadCount += 1 }
        }
        record.thread.updatedAt = max(record.thread.updatedAt, message.createdAt)
        transaction.setLastMessage(sent, of: &record)
        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        let outcome = Outcome(.created, id: message.id, body: sent.message.canonicalJSON)
        try transaction.record(receipt, outcome, message: sent.number)
        return outcome
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
            try touch(&record)
        }
        return Outcome(.ok, id: id, body: message.message.canonicalJSON)
    }

    /// Removes a message of the side that asks.
    func remove(_ id: String, by side: MessageDirection, ifMatch version: Int64?, in record: inout ThreadRecord) throws {
        let message = try own(id, side, version, in: record)
        try transaction.remove(message, in: &record, withDesk: true)
        switch side {
        case .toAgent:
            if message.position > record.deskRead { record.thread.deskUnreadCount = max(0, record.thread.deskUnreadCount - 1) }
        case .toClient:
            for index in record.members.indices where message.position > record.members[index].read {
                record.members[index].unreadCount = max(0, record.members[index].unreadCount - 1)
            }
        }
        if message.number == record.lastMessageNumber {
            transaction.setLastMessage(try transaction.newestMessage(in: record), of: &record)
        }
        try touch(&record)
    }

    private func own(_ id: String, _ side: MessageDirection, _ version: Int64?, in record: ThreadRecord) throws -> MessageRecord {
        guard let message = try transaction.message(id, in: record) else { throw ChatError.unknownMessage(id) }
        guard message.message.direction == side else {
            throw ChatError(.notAuthor, "Only its author's side may change the message \(id).")
        }
        try check(version, message.version)
        return message
    }

    private func touch(_ record: inout ThreadRecord) throws {
        record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
    }
}

extension ThreadRecord {
    /// Time never runs backwards inside a thread, whatever the clock does: before this no message may be created.
    ///
    /// What was read counts even if it was removed since: a message before it would be taken for read.
    fileprivate var latestTime: Timestamp {
        let read = members.map(\.read).reduce(deskRead, max)
        return max(thread.lastMessage?.createdAt ?? thread.createdAt, Timestamp(milliseconds: read.createdAt))
    }
}
