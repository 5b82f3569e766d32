import Chat
import ChatModel
import ChatStore
import Formats

/// Sending, editing and removing messages, for both sides of the embedded service. Who may edit and remove says
/// ``Party/checkEdit(_:in:)``.
///
/// A value belongs to one unit and must not leave it: message, thread and their events commit together.
struct MessageWork {
    /// The side that acts.
    enum Party {
        case customer(AccountRecord)
        case agent(Agent)

        var direction: MessageDirection {
            if case .customer = self { .toAgent } else { .toClient }
        }

        /// The type of the message that a draft makes. Only the desk can send `admin` messages: `isAdmin` of a
        /// customer is ignored.
        func type(of draft: MessageDraft) -> MessageType {
            if let content = draft.content { return content.type }
            return draft.isAdmin && direction == .toClient ? .admin : draft.attachments.isEmpty ? .text : .file
        }

        /// The owner of the uploads that the party may send: the account itself, or the desk as a whole.
        var audience: Audience {
            if case .customer(let account) = self { .account(account.number) } else { .desk }
        }
    }

    let transaction: WriteTransaction
    let party: Party
    /// How much a customer may keep.
    var quotas = AccountQuotas()
    /// By which a customer's message gets the answer of a closed channel; nil for none.
    var openings: Openings?

    /// Adds a message, counts it as unread for the others, and logs `message.created`. A pending thread becomes
    /// ready, and a contact is opened if none is open.
    ///
    /// The same id sent again with the same content by the same party answers with the stored message and `ok`.
    /// Throws `illegalThreadState` for a closed thread, `messageIdConflict`, `unknownAttachment`, `attachmentInUse`,
    /// `quotaExceeded`, and the errors of ``parent(_:in:)``.
    func send(
        _ draft: MessageDraft, to record: inout ThreadRecord, live: inout LiveChatWork, receipt: Receipt?
    ) throws -> Outcome {
        // A repeated request has to be recognized before these checks: its own message uses the attachments already,
        // its parent may have been removed, its thread may be closed by now, and the message itself may have used up the
        // quota.
        let payer = payer(of: draft)
        let isFull = try payer.map { try transaction.isFull($0, quotas) } ?? false
        if draft.parentID != nil || !draft.attachments.isEmpty || !record.thread.canAddMoreMessages || isFull {
            if let known = try repeated(draft, in: record, receipt) { return known }
            if case .customer = party, try transaction.canReopen(record) { live.reopen(&record, for: nil) }
            try ThreadRules.checkSend(record.thread)
            if isFull { throw ChatError.textsExceeded(quotas) }
        }
        // The system's words are no agent's work.
        if case .agent(let agent) = party, !draft.isAdmin { try transaction.noteAgent(agent) }
        var parent = try draft.parentID.map { try self.parent($0, in: record) }
        // The desk may have made the thread, and this is its first message; or the last contact was closed.
        let opensContact =
            record.thread.state == .pending || record.thread.contactID == nil || record.thread.contactClosedAt != nil
        var message = Message(
            id: draft.id ?? transaction.environment.makeID(), threadID: record.thread.id,
            createdAt: try transaction.nextMessageTime(in: record, opensContact: opensContact),
            direction: party.direction, author: author(of: draft), type: party.type(of: draft), text: draft.text,
            status: .delivered)
        message.customType = draft.customType
        (message.content, message.postback) = (draft.content, draft.postback)
        message.parentID = draft.parentID
        message.alsoInThread = draft.parentID == nil ? nil : draft.alsoInThread ?? true
        message.attachments = try uploads(draft.attachments, of: party.audience, for: record)
        let isFirst = record.thread.state == .pending
        if opensContact { try transaction.openContact(for: &record, at: message.createdAt) }
        if isFirst {
            record.thread.state = .ready
            try transaction.announceToDesk(&record)
        }
        guard let sent = try transaction.insert(message, into: &record, withDesk: true, countedFor: payer) else {
            guard let known = try transaction.storedMessage(message.id, in: record) else {
                throw ChatError(.storageFailed, "The store has a message of this id, and cannot read it.")
            }
            return try repeated(draft, known, receipt)
        }
        try transaction.bind(message.attachments, to: sent.number, in: record)
        if parent != nil { try transaction.count(sent, on: &parent!, in: &record, withDesk: true) }
        if let typist = typist(of: draft) { live.endTyping(.of(typist, thread: record.number)) }
        let wasAsked = record.thread.inactivityPopup != nil
        try live.heard(party.direction == .toAgent, &record, in: transaction)
        if message.isInConversation {
            let waitingSince = record.thread.waitingSince
            transaction.noteWaiting(for: message, in: &record)
            if party.direction == .toAgent { record.endSnoozeByReply() }
            try transaction.countInContact(message, of: &record, waitingSince: waitingSince)
            try count(sent, in: &record)
            record.thread.updatedAt = max(record.thread.updatedAt, message.createdAt)
            transaction.setLastMessage(sent, of: &record)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        } else if opensContact || (wasAsked && record.thread.inactivityPopup == nil) {
            try live.save(&record, in: transaction)
        } else {
            try transaction.saveListVersion(of: record)
        }
        try answerIfClosed(draft, &record)
        let outcome = Outcome(.created, id: message.id, body: sent.json, version: sent.version)
        try transaction.record(receipt, outcome, showing: sent)
        return outcome
    }

    /// Tells a customer who has written that nobody is there.
    private func answerIfClosed(_ draft: MessageDraft, _ record: inout ThreadRecord) throws {
        guard let openings, case .customer(let account) = party,
            let channel = try transaction.channel(account.key.channel, of: LocalService.serviceID)
        else { return }
        let answer = ClosedAnswer(on: channel, for: draft.languages, at: transaction.now, openings)
        try answer?.add(to: &record, in: transaction)
    }

    /// The account for whose quota the draft counts; nil if it counts for nobody.
    private func payer(of draft: MessageDraft) -> Int64? {
        if case .customer(let account) = party, draft.isCounted { account.number } else { nil }
    }

    /// The message that a reply refers to. Throws `unknownParent`, `replyDepthExceeded`, `replyNotAllowed`.
    private func parent(_ id: String, in record: ThreadRecord) throws -> MessageRecord {
        guard let parent = try transaction.message(id, in: record) else {
            throw ChatError(.unknownParent, "The thread has no message \(id).", pointer: "/parentId")
        }
        try ThreadRules.checkReply(to: parent.message)
        return parent
    }

    /// The author that the message shows: the system for an `admin` message, otherwise the party.
    private func author(of draft: MessageDraft) -> Author {
        switch party {
        case .customer(let account): Author(account.customer)
        case .agent(let agent): draft.isAdmin ? Author(id: "system", kind: .system) : Author(agent)
        }
    }

    /// Who ceases to type by sending the draft; nil for the system.
    private func typist(of draft: MessageDraft) -> TypingReports.Typist? {
        switch party {
        case .customer(let account): .account(account.number)
        case .agent(let agent): draft.isAdmin ? nil : .agent(agent.id)
        }
    }

    /// Counts a message of the conversation as unread for everybody but its author, and shows the thread again to
    /// members who had hidden it.
    private func count(_ message: MessageRecord, in record: inout ThreadRecord) throws {
        record.countForDesk(message.message)
        for index in record.members.indices {
            if record.members[index].isHidden {
                record.members[index].isHidden = false
                try transaction.saveMembership(record.members[index], in: record)
            }
            if case .customer(let account) = party, account.number == record.members[index].account { continue }
            record.members[index].unreadCount += 1
        }
    }

    /// The answer to a request whose message is stored already; nil if it is not. Throws `messageIdConflict`.
    func repeated(_ draft: MessageDraft, in record: ThreadRecord, _ receipt: Receipt?) throws -> Outcome? {
        try draft.id.flatMap { try transaction.storedMessage($0, in: record) }.map { try repeated(draft, $0, receipt) }
    }

    /// Answers a request whose message is stored already. Throws `messageIdConflict` for other content or another
    /// author.
    private func repeated(_ draft: MessageDraft, _ known: MessageRecord, _ receipt: Receipt?) throws -> Outcome {
        guard draft.isSame(as: known.message), party.wrote(known.message) else {
            throw ChatError(
                .messageIdConflict, "The thread has a message of this id with other content.", pointer: "/id")
        }
        let outcome = Outcome(
            .ok, id: known.message.id, body: known.message.canonicalJSON, version: known.version)
        try transaction.record(receipt, outcome, showing: known)
        return outcome
    }

    /// Changes the text or the custom type of an own message. Logs `message.updated` if one of them differs in a byte.
    /// Nil leaves a value as it is; an empty type removes it.
    ///
    /// Throws `unknownMessage`, `notAuthor`, `preconditionFailed`, `illegalThreadState`, and `quotaExceeded` for one that
    /// counts, grows, and has no room.
    func edit(
        _ id: String, text: String?, customType: String? = nil, ifMatch version: Int64?, in record: inout ThreadRecord
    ) throws -> Outcome {
        var message = try find(id, version, in: record)
        try party.checkEdit(message.message, in: record.thread)
        let text = text ?? message.message.text
        let type = customType.map { $0.isEmpty ? nil : $0 } ?? message.message.customType
        if !message.message.text.hasSameBytes(as: text) || !message.message.customType.hasSameBytes(as: type) {
            let before = message.json
            (message.message.text, message.message.customType) = (text, type)
            message.message.updatedAt = max(transaction.now, message.message.updatedAt.advanced(byMilliseconds: 1))
            message.message.editedAt = message.message.updatedAt
            try transaction.countEdit(of: message, before: before, within: quotas)
            try transaction.save(&message, in: &record, withDesk: true)
            if message.number == record.lastMessageNumber { transaction.setLastMessage(message, of: &record) }
            try touch(&record, by: message.message)
        }
        return Outcome(.ok, id: id, body: message.message.canonicalJSON, version: message.version)
    }

    /// Removes a message and its text everywhere: a customer may remove an own message, the desk any.
    ///
    /// Throws `unknownMessage`, `notAuthor`, `parentHasReplies`, `preconditionFailed`. It is allowed in a closed
    /// thread too.
    func remove(_ id: String, ifMatch version: Int64?, in record: inout ThreadRecord) throws {
        let message = try find(id, version, in: record)
        try party.checkRemove(message.message)
        try transaction.remove(message, in: &record, withDesk: true)
        if var parent = try message.message.parentID.flatMap({ try transaction.storedMessage($0, in: record) }) {
            try transaction.uncount(message, on: &parent, in: &record, withDesk: true)
        }
        if message.message.isInConversation {
            try uncount(message, in: &record)
            try transaction.noteWaiting(without: message.message, in: &record)
        }
        if message.number == record.lastMessageNumber {
            transaction.setLastMessage(try transaction.newestMessage(in: record), of: &record)
        }
        try touch(&record, by: message.message)
    }

    /// Removes an own message, or takes all from it that tells of its author, if it has replies. One that is gone already
    /// is no error.
    func erase(_ id: String, in record: inout ThreadRecord) throws {
        guard var message = try transaction.storedMessage(id, in: record) else { return }
        if message.message.replyCount == 0 { return try remove(id, ifMatch: nil, in: &record) }
        if message.message.isInConversation { try uncountForMembers(message, in: &record) }
        try transaction.redact(&message, in: &record, withDesk: true)
        if message.number == record.lastMessageNumber { transaction.setLastMessage(message, of: &record) }
        try touch(&record, by: message.message)
    }

    /// Takes a removed message off the unread counts of those who had not read it.
    private func uncount(_ message: MessageRecord, in record: inout ThreadRecord) throws {
        record.uncountForDesk(message)
        try uncountForMembers(message, in: &record)
    }

    /// One that stays for its replies counts at the desk, and was taken off the members' counts when it was emptied.
    private func uncountForMembers(_ message: MessageRecord, in record: inout ThreadRecord) throws {
        guard !message.message.isRemoved else { return }
        for index in record.members.indices where message.position > record.members[index].read {
            let isAuthor = try transaction.account(record.members[index].account).wrote(message.message)
            if !isAuthor { record.members[index].unreadCount = max(0, record.members[index].unreadCount - 1) }
        }
    }

    /// The message that a change is about. Throws `unknownMessage`, `preconditionFailed`.
    private func find(_ id: String, _ version: Int64?, in record: ThreadRecord) throws -> MessageRecord {
        guard let message = try transaction.message(id, in: record) else { throw ChatError.unknownMessage(id) }
        try VersionRule.check(version, message.version)
        return message
    }

    /// Updates the thread after a change of one of its messages. A reply outside the conversation changes only the
    /// version of the list of messages.
    private func touch(_ record: inout ThreadRecord, by message: Message) throws {
        guard message.isInConversation else { return try transaction.saveListVersion(of: record) }
        record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
    }
}

extension WriteTransaction {
    /// The creation time of the next message. It is never before that of an earlier message of the thread, even when
    /// the clock was set back.
    ///
    /// Read positions count even if the message there was removed: a new message before such a position would be
    /// taken for read. A new message also stands after the line of any reset history.
    ///
    /// - Parameter opensContact: whether a contact begins with the message. Then it stands after all messages of the
    ///   contact before, so that time alone tells the two apart.
    fileprivate func nextMessageTime(in record: ThreadRecord, opensContact: Bool) throws -> Timestamp {
        let aside = try newestAside(in: record) ?? .start
        let newest = max(record.deskRead, record.customerRead, aside).createdAt
        let line =
            record.members.compactMap(\.historyResetAt).max().map { max($0.milliseconds, record.historyBoundary) }
            ?? record.historyBoundary
        let latest = Timestamp(milliseconds: max(newest, line + 1))
        let last = record.thread.lastMessage?.createdAt ?? record.thread.createdAt
        let isNext = opensContact && record.thread.contactID != nil
        return max(now, latest, isNext ? last.advanced(byMilliseconds: 1) : last)
    }
}

extension MessageWork {
    /// The uploads with these ids, in the order of the ids, for one message of this sender.
    ///
    /// The thread's own channel is checked here, because the desk uploads a file before it names a thread. Throws
    /// `unknownAttachment`, `attachmentInUse`, and the errors of ``FileRestrictions/check(mimeType:size:pointer:)``
    /// with a pointer to the entry.
    func uploads(_ ids: [String], of sender: Audience, for record: ThreadRecord) throws -> [Attachment] {
        guard !ids.isEmpty else { return [] }
        let channel = record.owner.key.channel
        let restrictions = try transaction.channel(channel, of: LocalService.serviceID)?.fileRestrictions ?? .embedded
        let uploads = try transaction.uploads(ids, of: sender)
        for (index, upload) in uploads.enumerated() {
            try restrictions.check(mimeType: upload.mimeType, size: upload.size, pointer: "/attachments/\(index)/id")
        }
        return uploads
    }
}

extension LocalConnection {
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await upload.store(in: store, of: .account(account), receipt: receipt)
    }
}

extension LocalDesk {
    /// Keeps a file for any agent of the desk. A type or size that no channel takes is refused; the channel of the
    /// thread is checked when the file is sent.
    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await fileRestrictions().check(mimeType: upload.mimeType, size: upload.size)
        return try await upload.store(in: store, of: .desk, within: .shared, receipt: receipt)
    }

    /// Opens a file that the desk has uploaded, or that is in a message which the desk sees.
    public func attachment(
        _ id: String, within channels: Set<String>? = nil
    ) async throws(ChatError) -> OpenAttachment {
        if let channels {
            let channel = try await store.read { try $0.channel(ofAttachment: id) }
            if let channel, !channels.contains(channel) { throw ChatError.unknownAttachment(id) }
        }
        return try await store.open(id, for: .desk)
    }
}
