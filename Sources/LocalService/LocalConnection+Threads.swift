import Chat
import ChatModel
import ChatStore
import Formats

extension LocalConnection {
    /// Creates a thread, with its channel's welcome message if there is one; a live chat also joins the queue.
    ///
    /// The same id sent again with the same name and fields returns the thread that exists, so a client may repeat a
    /// request whose answer was lost. Throws what ``ThreadRules/checkCreate(_:on:hasOpenThread:)`` and the survey's
    /// rules throw, and `threadIdConflict`.
    func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await live.write { transaction, live in
            try transaction.act(as: account)
            return try transaction.createThread(
                draft, of: transaction.account(account), on: currentChannel(transaction), live: &live,
                openings: self.live.openings, receipt: receipt)
        }
    }

    /// Sets the name of a thread, or removes it. A name that is equal byte for byte logs nothing.
    ///
    /// Throws `preconditionFailed` when the thread has another version than the caller saw.
    func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            try VersionRule.check(version, record.version)
            try ThreadRules.checkRename(record.thread, to: name, on: channel)
            if !record.thread.name.hasSameBytes(as: name) {
                record.thread.name = name
                try save(&record, in: transaction)
            }
            return Outcome(.ok, id: thread, body: record.json(for: account), version: record.version)
        }
    }

    /// Closes a thread of a multi-thread channel, with its contact.
    func archive(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedLiveUnit(thread) { transaction, live, record in
            try VersionRule.check(version, record.version)
            try ThreadRules.checkArchive(record.thread, on: channel)
            live.endTyping(.all(thread: record.number))
            record.thread.state = .closed
            record.thread.waitingSince = nil
            record.endSnooze()
            try transaction.closeContact(of: &record)
            record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            let outcome = Outcome(.ok, id: thread, body: record.json(for: account), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    /// Closes a live chat for its customer. A thread that is closed already gets the same answer.
    func endContact(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedLiveUnit(thread) { transaction, live, record in
            try VersionRule.check(version, record.version)
            try ThreadRules.checkEnd(on: channel)
            if record.thread.state != .closed { try live.close(&record, in: transaction) }
            return try answer(record, receipt, in: transaction)
        }
    }

    /// Applies the customer's answer to the popup that asks whether the customer is there.
    func answerInactivity(
        _ answer: InactivityAnswer, in thread: String, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await joinedLiveUnit(thread) { transaction, live, record in
            try live.answer(answer, &record, in: transaction)
            return try self.answer(record, receipt, in: transaction)
        }
    }

    /// The answer of a write: the thread as this account sees it, kept under the receipt too.
    private func answer(_ record: ThreadRecord, _ receipt: Receipt?, in transaction: WriteTransaction) throws -> Outcome
    {
        let outcome = Outcome(.ok, id: record.thread.id, body: record.json(for: account), version: record.version)
        try transaction.record(receipt, outcome, showing: record)
        return outcome
    }

    /// The channel with the settings that the desk has given it since the connection was made; a live chat that is closed is
    /// offline, unless new chats wait in the queue then.
    func currentChannel(_ transaction: ReadTransaction) throws -> Channel {
        var current = try transaction.channel(channel.id, of: LocalService.serviceID) ?? channel
        if current.mode == .liveChat {
            current.isOnline = live.openings.takesChats(current, at: store.environment.now())
        }
        return current
    }

    /// Marks the agents' messages in the thread as seen, also in a closed one. A pending thread is silently left alone.
    ///
    /// The call stores and logs nothing when there is nothing new, so clients may repeat it freely.
    func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            try transaction.markRead(&record, by: account)
            return outcome
        }
    }

    /// Sends an ephemeral typing event to the desk and to the other members. Nothing is stored.
    ///
    /// Throws `unknownThread`, `notJoined`, and `illegalThreadState` for the beginning in a closed thread. The end there
    /// was told with the close.
    ///
    /// - Parameter text: what stands in the field; only the desk is told, and nobody keeps it.
    func reportTyping(_ isTyping: Bool, text: String?, in thread: String) async throws(ChatError) {
        let found = try await store.read { [account] transaction in
            try transaction.thread(thread, of: account).map { ($0, Author(try transaction.account(account).customer)) }
        }
        guard let (record, author) = found else { throw .unknownThread(thread) }
        try ThreadRules.checkJoined(record.members.first { $0.account == account }?.state ?? .joined, record.thread)
        guard try ThreadRules.takesTyping(isTyping, record.thread) else { return }
        let event = TypingEvent(threadID: thread, isTyping: isTyping, author: author)
        var report = TypingReports.Report(
            event: event, accounts: record.members.map(\.account).filter { $0 != account })
        if record.isKnownToDesk {
            var desk = event
            (desk.channel, desk.customer) = (record.owner.key.channel, record.owner.customer)
            desk.text = isTyping ? text : nil
            report.desk = desk
        }
        live.typing.report(report, by: .account(account), in: record.number, of: holder)
    }

    /// Merges values into the thread's custom fields, and returns all of them. Values that change nothing log
    /// nothing.
    func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        try await joinedUnit(thread) { transaction, record in
            try VersionRule.check(version, ContentVersion.of(record.thread.customFields))
            let checked = try CustomFieldRules.check(fields, currentChannel(transaction).threadFields)
            let merged = try CustomFieldRules.merge(checked, into: record.thread.customFields)
            if merged != record.thread.customFields {
                record.thread.customFields = merged
                try save(&record, in: transaction)
            }
            return merged
        }
    }

    /// Saves the thread with a later `updatedAt`, and logs `thread.updated` for its members and the desk.
    func save(_ record: inout ThreadRecord, in transaction: WriteTransaction) throws {
        record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
    }
}

extension ChatThread {
    /// The `updatedAt` of a change: now, or one millisecond after the last one when the clock has not advanced. Of
    /// two copies of a thread, the later one is therefore always the newer one.
    func nextUpdate(_ now: Timestamp) -> Timestamp { max(now, updatedAt.advanced(byMilliseconds: 1)) }
}

extension WriteTransaction {
    /// The work of ``LocalConnection/createThread(_:receipt:)`` inside a unit.
    func createThread(
        _ draft: ThreadDraft, of owner: AccountRecord, on channel: Channel, live: inout LiveChatWork,
        openings: Openings? = nil, receipt: Receipt?
    ) throws -> Outcome {
        let fields = try CustomFieldRules.checkSurvey(draft.customFields, on: channel)
        if let known = try draft.id.flatMap({ try self.thread($0, of: owner.number) }),
            known.thread.name.hasSameBytes(as: draft.name), known.thread.customFields.hasSameBytes(as: fields)
        {
            // The client repeats its request: it gets the thread that exists.
            let outcome = Outcome(.ok, id: known.thread.id, body: known.json(for: owner.number), version: known.version)
            try self.record(receipt, outcome, showing: known)
            return outcome
        }
        let hasOpenThread = try channel.mode != .multithread && !openThreads(of: owner.number, limit: 1).isEmpty
        try ThreadRules.checkCreate(draft, on: channel, hasOpenThread: hasOpenThread)
        if let most = draft.openLimit, try openThreads(of: owner.number, limit: most).count >= most {
            throw ChatError(.tooManyThreads, "The customer has \(most) open threads, and may not have more.")
        }
        var thread = ChatThread(
            id: draft.id ?? environment.makeID(), createdAt: now, members: [owner.customer])
        thread.name = draft.name
        thread.customFields = fields
        var record: ThreadRecord
        if channel.mode == .liveChat {
            thread.state = .ready
            record = try insert(thread, members: [(owner, .joined)])
            try live.begin(&record, in: self)
        } else {
            record = try insert(thread, owner: owner)
        }
        try save(&record, logging: .threadCreated, withDesk: true)
        try welcome(&record, on: channel, greeting: draft.greeting)
        // Who waits for an agent may write nothing.
        if channel.mode == .liveChat, let openings {
            try ClosedAnswer(on: channel, for: draft.languages, at: now, openings)?.add(to: &record, in: self)
        }
        let outcome = Outcome(.created, id: thread.id, body: record.json(for: owner.number), version: record.version)
        // The answer contains the welcome message's text, so the receipt names that message.
        try self.record(receipt, outcome, showing: record)
        return outcome
    }

    /// Marks the agents' messages as seen by one member; see ``LocalConnection/markRead(_:receipt:)``.
    func markRead(_ record: inout ThreadRecord, by account: Int64) throws {
        guard ThreadRules.canBeRead(record.thread),
            let index = record.members.firstIndex(where: { $0.account == account }),
            // This check is cheap. Without it, a call with nothing new would search all messages that the other side
            // has not read.
            try record.members[index].unreadCount > 0
                || hasUnseenAside(.toClient, in: record, after: record.members[index].read)
        else { return }
        var read = record.members[index].read
        _ = try markSeen(.toClient, in: &record, read: &read, withDesk: true)
        // The account has read the other customers' messages too. Their status becomes `seen` only when the desk has
        // read them.
        record.members[index].read = max(read, try newestPosition(in: record))
        record.members[index].unreadCount = 0
        try save(&record, logging: .threadUpdated, withDesk: true)
    }

    /// Adds the channel's welcome message to a new thread, if the channel has one. Its author is the system, and it
    /// counts as unread for nobody.
    ///
    /// - Parameter greeting: the greeting that the customer saw before the thread existed; it is stored word for
    ///   word, under its id.
    func welcome(_ record: inout ThreadRecord, on channel: Channel, greeting: ThreadDraft.Greeting?) throws {
        let text =
            greeting?.text
            ?? channel.welcomeMessage.map { template in
                WelcomeMessage(template).text(
                    for: record.owner.customer, customerFields: record.owner.customFields,
                    contactFields: record.thread.customFields)
            }
        guard let text, !text.isEmpty else { return }
        let message = Message(
            id: greeting?.id ?? environment.makeID(), threadID: record.thread.id, createdAt: now, direction: .toClient,
            author: Author(id: "system", name: channel.name, kind: .system), text: text, status: .delivered)
        try acting(as: message.author) {
            guard let sent = try insert(message, into: &record, withDesk: true) else { return }
            setLastMessage(sent, of: &record)
            try save(&record, logging: .threadUpdated, withDesk: true)
        }
    }
}
