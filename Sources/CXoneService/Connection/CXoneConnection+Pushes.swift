import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// Pushes: what the platform tells without being asked. They are written in the order in which they come.
extension CXoneConnection {
    /// Writes one push. Called by the link's worker, one at a time. A push that cannot be written is reported to
    /// the sessions and skipped; the connection goes on.
    func take(_ push: PushEvent) async {
        do throws(ChatError) {
            switch push {
            case .messageCreated(let data): try await take(data)
            case .messageSent(let data): try await take(data, isAhead: true)
            case .messageUpdated(let data), .messageReadChanged(let data), .messageSeenChanged(let data):
                try await take(data, by: push.type)
            case .senderTypingStarted(let data): await take(data, isTyping: true)
            case .senderTypingEnded(let data): await take(data, isTyping: false)
            case .caseCreated(let data): try await take(created: data)
            case .caseStatusChanged(let data): try await take(data)
            case .caseInboxAssigneeChanged(let data): try await take(data)
            case .setPositionInQueue(let data): try await take(data)
            case .fireProactiveAction(let data): try await take(data)
            case .caseToRoutingQueueAssignmentChanged, .eventInS3, .unknown: break
            }
        } catch {
            service.notice("A push \(push.type) from the platform could not be stored: \(error.code.rawValue)")
            publish(error)
        }
    }

    private func passOver(_ push: String) {
        service.notice("A push \(push) from the platform was ignored: its thread is not known.")
    }

    /// A push names a thread that the store lacks: another device of the customer may have made it. It is read
    /// from the platform, in the background. On a channel with a single thread that happens only if there is none
    /// here, or an empty one, which it then replaces. Live chats ignore such pushes.
    private func discover(_ thread: String, by push: String) async {
        passOver(push)
        guard Identifier.isValid(thread) else { return }
        switch mode {
        case .multithread: break
        case .singlethread: guard await canGiveWay else { return }
        case .liveChat: return
        }
        let isNew = state.withLock { state in
            // At most 16 reads at a time, so that a faulty platform cannot cause any number of requests.
            guard state.discoveries.count < 16 else { return false }
            return state.discoveries.insert(thread).inserted
        }
        guard isNew else { return }
        // The worker that handles this push also handles the answer: to wait here would be a deadlock.
        Task { [self] in
            do throws(ChatError) {
                try await recover(thread)
                try await giveWay(to: thread)
            } catch {
                service.notice("A thread that a push \(push) named could not be read: \(error.code.rawValue)")
            }
            state.withLock { _ = $0.discoveries.remove(thread) }
        }
    }

    /// Whether the account has no open thread, or an empty one.
    private var canGiveWay: Bool {
        get async {
            let number = account.number
            let found = try? await store.read { transaction in
                try transaction.openThreads(of: number, limit: 1).first.map {
                    try Self.isEmpty($0, of: number, in: transaction)
                } ?? true
            }
            return found ?? false
        }
    }

    /// Whether a thread was not sent to the platform yet, and has no unsent messages and no custom fields.
    private static func isEmpty(
        _ record: ThreadRecord, of account: Int64, in transaction: ReadTransaction
    ) throws -> Bool {
        try record.thread.state == .pending && record.thread.customFields.isEmpty
            && !transaction.hasUnsent(of: account, thread: record.thread.id)
    }

    /// Removes the account's empty threads, now that the platform's thread is ready. Only on channels with a
    /// single thread.
    private func giveWay(to thread: String) async throws(ChatError) {
        guard mode == .singlethread else { return }
        let number = account.number
        let removed = try await store.write { transaction in
            var removed: Set<String> = []
            guard try transaction.thread(thread, of: number)?.thread.state == .ready else { return removed }
            for record in try transaction.openThreads(of: number, limit: 100)
            where record.thread.id != thread {
                guard try Self.isEmpty(record, of: number, in: transaction) else { continue }
                try transaction.removeRemoteThread(record.thread.id, of: number)
                removed.insert(record.thread.id)
            }
            return removed
        }
        service.forget(removed, account: number)
    }

    // MARK: Messages

    /// `MessageCreated`. It comes for the customer's own messages too; that is how a send gets its result. A
    /// popup becomes a property of the thread, and no message.
    ///
    /// - Parameter isAhead: `MessageSent`, which tells the same a moment earlier. What must happen once for a message
    ///   waits for `MessageCreated`.
    private func take(_ created: MessageCreated, isAhead: Bool = false) async throws(ChatError) {
        let wire = created.message
        let (number, customerID) = (account.number, state.withLock { $0.customer.id })
        let waitingPosition = created.contact.flatMap { contact in
            state.withLock { $0.queuePositions.remove(contact.id) }
        }
        let written = try await change(created.thread.id, isRepeatable: true) {
            [mode] transaction, record -> (repliesTo: String?, sent: SentMessage?) in
            let reader = MessageReader(account: try transaction.account(number), customerID: customerID, mode: mode)
            var popup: ChatModel.InactivityPopup?
            if mode == .liveChat, case .inactivityPopup(let wire) = wire.content.body {
                popup = ChatModel.InactivityPopup(wire)
            }
            let wasReady = record.thread.state == .ready
            // Of all pushes only this one says who did it.
            transaction.actor = RemoteMessage(wire, for: reader)?.message.author
            try transaction.change(&record) { thread in
                if let contact = created.contact, mode != .liveChat || thread.state != .closed {
                    thread.contactID = contact.id
                    if contact.status != .closed { thread.contactClosedAt = nil }
                }
                if let waitingPosition, thread.agent == nil, thread.state != .closed {
                    thread.queuePosition = waitingPosition
                }
                guard popup == nil else { return }
                if thread.state != .closed { thread.state = .ready }
                // A customer who writes is not inactive any more.
                if wire.direction == .inbound { thread.inactivityPopup = nil }
            }
            if let popup {
                if record.thread.state != .closed { try transaction.show(popup, in: &record) }
                return (nil, nil)
            }
            guard let message = RemoteMessage(wire, for: reader) else { return (nil, nil) }
            let confirmed = try transaction.merge([message], by: .live, into: &record)
            let isUnknown =
                message.message.type == .unknown && wire.direction == .outbound && wasReady && !isAhead
                && wire.content.streamURL == nil
            return (
                isUnknown ? wire.content.fallbackText ?? "" : nil,
                confirmed.first.map(SentMessage.confirmed) ?? .told(message)
            )
        }
        guard let written else {
            if let contact = created.contact, let waitingPosition {
                state.withLock { $0.queuePositions[contact.id] = waitingPosition }
            }
            return await discover(created.thread.id, by: isAhead ? "MessageSent" : "MessageCreated")
        }
        if let agent = wire.authorAgent { endTyping(of: agent, in: created.thread.id) }
        if let waitingPosition { publish(queuePosition: waitingPosition, of: created.thread.id) }
        if let sent = written.sent, let delivery = state.withLock({ $0.deliveries.removeValue(forKey: wire.id) }) {
            delivery.give(.success(sent))
        }
        if let fallback = written.repliesTo { replyToUnknown(fallback, in: created.thread.id) }
        if let url = wire.content.streamURL, !isAhead { readText(of: wire.id, in: created.thread.id, at: url) }
    }

    /// Tells the agent, as the mobile SDKs do, that the app cannot show the message. Runs in the background; a
    /// failure is ignored.
    private func replyToUnknown(_ fallback: String, in thread: String) {
        let text = "The last agent's message is not supported in the mobile SDK: " + fallback
        let content = MessageContent(.text(text), parameters: MessageParameters(isUnsupportedMessageTypeAnswer: true))
        Task { try? await sendHidden(content, to: thread) }
    }

    /// `MessageUpdated`, `MessageReadChanged`, `MessageSeenChanged`: each carries the whole message, which replaces the
    /// one here.
    private func take(_ changed: MessageChanged, by push: String) async throws(ChatError) {
        guard let changed = RemoteMessage(changed.message, for: await reader) else { return }
        let written: Void? = try await change(changed.message.threadID, isRepeatable: true) { transaction, record in
            var message = changed
            // The wire tells no time of an edit. Of two copies with one time the later one counts.
            if push == "MessageUpdated", let known = try transaction.message(message.message.id, in: record)?.message {
                message.message.updatedAt = max(message.message.updatedAt, known.updatedAt)
            }
            try transaction.merge([message], by: .change, into: &record)
        }
        if written == nil { passOver(push) }
    }

    // MARK: Contacts

    /// `CaseCreated`: gives the thread its contact, and the place in the queue that came before it.
    private func take(created: CaseChanged) async throws(ChatError) {
        guard let id = created.contact.threadID else { return }
        let position = state.withLock { $0.queuePositions.remove(created.contact.id) }
        let written: Void? = try await change(id) { transaction, record in
            try transaction.change(&record) { thread in
                guard thread.state != .closed else { return }
                thread.contactID = created.contact.id
                thread.contactClosedAt = nil
                if let position, thread.agent == nil { thread.queuePosition = position }
            }
        }
        if written != nil, let position { publish(queuePosition: position, of: id) }
        guard written == nil else { return }
        if let position { state.withLock { $0.queuePositions[created.contact.id] = position } }
        await discover(id, by: "CaseCreated")
    }

    /// `CaseStatusChanged`. Only the end of a live chat's contact is acted upon; it closes the thread here.
    private func take(_ changed: CaseChanged) async throws(ChatError) {
        guard mode == .liveChat, changed.contact.status == .closed, let id = await thread(of: changed.contact) else {
            return
        }
        let written = try await change(id) { transaction, record -> Bool in
            // A former contact of the thread ended. The open one goes on.
            guard record.thread.contactID == nil || record.thread.contactID == changed.contact.id else { return false }
            try transaction.close(&record)
            return true
        }
        guard let written else { return passOver("CaseStatusChanged") }
        guard written else { return }
        endAllTyping(in: id)
        for closing in state.withLock({ $0.closings.removeValue(forKey: id) }) ?? [] { closing.give(()) }
        publish(queuePosition: nil, of: id)
    }

    /// `CaseInboxAssigneeChanged`: another agent answers, or none. The customer waits in no queue then.
    private func take(_ changed: CaseInboxAssigneeChanged) async throws(ChatError) {
        guard let id = await thread(of: changed.contact) else { return passOver("CaseInboxAssigneeChanged") }
        let written = try await change(id) { [mode] transaction, record -> Bool in
            let waited = record.thread.queuePosition != nil
            try transaction.change(&record) { thread in
                thread.contactID = changed.contact.id
                thread.agent = changed.inboxAssignee.map(Agent.init)
                thread.previousAgent = changed.previousInboxAssignee.map(Agent.init)
                thread.queuePosition = nil
                guard mode == .liveChat else { return }
                if changed.contact.status == .closed {
                    thread.state = .closed
                    thread.contactClosedAt = thread.contactClosedAt ?? transaction.now
                } else if thread.state != .closed {
                    thread.state = .ready
                }
            }
            return waited
        }
        guard let waited = written else { return passOver("CaseInboxAssigneeChanged") }
        if waited { publish(queuePosition: nil, of: id) }
    }

    /// The thread that the contact names, else the open one that has the contact.
    private func thread(of contact: WireContact) async -> String? {
        if let id = contact.threadID { return id }
        return await thread(ofContact: contact.id)
    }

    /// Looks at the account's first 100 open threads. Nil if none has the contact.
    private func thread(ofContact id: String) async -> String? {
        let number = account.number
        let open = try? await store.read { try $0.openThreads(of: number, limit: 100) }
        return open?.first { $0.thread.contactID == id }?.thread.id
    }

    // MARK: The queue

    /// `SetPositionInQueue`, for live chats only. It may come before the contact's thread is known.
    private func take(_ place: SetPositionInQueue) async throws(ChatError) {
        guard mode == .liveChat, let position = place.position else { return }
        guard let id = await thread(ofContact: place.contactID) else {
            // The contact's first message may come later, or never.
            return state.withLock { $0.queuePositions[place.contactID] = position }
        }
        let isNews = try await change(id) { transaction, record -> Bool in
            guard record.thread.agent == nil, record.thread.state != .closed else { return false }
            let before = record.thread.queuePosition
            try transaction.change(&record) { $0.queuePosition = position }
            return before != position
        }
        if isNews == true { publish(queuePosition: position, of: id) }
    }

    /// Told live, beside the change of the thread. Nil: the customer does not wait any more.
    private func publish(queuePosition: Int?, of thread: String) {
        let event = QueueUpdatedEvent(threadID: thread, queuePosition: queuePosition)
        store.feed.publish(event, to: [.account(account.number)])
    }

    // MARK: Proactive actions

    /// `FireProactiveAction`. A welcome message is stored for threads that are made later; the custom fields that
    /// come with it become the customer's. Actions of any other type are ignored, except a `customPopupBox`.
    private func take(_ action: FireProactiveAction) async throws(ChatError) {
        if action.actionType == .customPopupBox { return show(action) }
        guard action.actionType == .welcomeMessage, let text = action.content.bodyText, !text.isEmpty else { return }
        try await service.vault.update(account) { $0.welcomeMessage = text }
        guard !action.handoverFields.isEmpty else { return }
        let number = account.number
        try await offeringTimes { [self] offer throws(ChatError) in
            try await store.write { [self] transaction in
                var times = FieldTimes.Times()
                try takeCustomerFields(action.handoverFields, noting: &times, in: transaction)
                service.fieldTimes.offer(times, account: number, as: offer)
            }
        }
    }

    /// Tells the sessions live about a popup (the SDK's `customPopupBox`). It belongs to no thread and is not
    /// stored: a session that is away misses it.
    private func show(_ action: FireProactiveAction) {
        let texts = action.content.variables
        let box = CustomPopupBox(
            actionID: action.actionID, actionName: action.actionName,
            heading: texts?.headingText ?? action.content.headlineText,
            text: texts?.bodyText ?? action.content.bodyText,
            buttonText: texts?.actionText, buttonURL: texts?.actionURL)
        store.feed.publish(ProactiveEvent(.customPopupBox(box)), to: [.account(account.number)])
    }
}
