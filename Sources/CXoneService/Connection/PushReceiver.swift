import Bounds
import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Synchronization

/// Pushes: what the platform tells without being asked. They are written in the order in which they come.
final class PushReceiver: Sendable {
    private let account: ConnectedAccount
    private let sender: MessageSender
    private let typing: PlatformTyping
    private let discovery: ThreadDiscovery
    private let texts: StreamedTexts
    private let actions: ProactiveActions

    private struct State {
        /// Places in the queue of contacts that belong to no known thread yet, by the contact's id. They are
        /// applied when the contact's thread becomes known. A contact may stay unknown: at most 16 are kept.
        var queuePositions = RecentlyUsed<String, Int>(limit: 16)
        /// Who waits for the push that closes a thread, by thread.
        var closings: [String: [Answer<Void>]] = [:]
    }
    private let state = Mutex(State())

    init(_ account: ConnectedAccount, sender: MessageSender, typing: PlatformTyping, recovery: ThreadRecovery) {
        self.account = account
        self.sender = sender
        self.typing = typing
        discovery = ThreadDiscovery(account, recovery: recovery)
        texts = StreamedTexts(account)
        actions = ProactiveActions(account: account)
    }

    /// How many wait for a closing.
    var waitingCount: Int { state.withLock { $0.closings.count } }

    /// Does `work`, and then waits for the push that closes the thread, for the given time at most.
    func awaitClosing(
        of thread: String, within limit: Duration, after work: () async throws(ChatError) -> Void
    ) async throws(ChatError) {
        let closing = Answer<Void>()
        state.withLock { $0.closings[thread, default: []].append(closing) }
        defer {
            state.withLock { state in
                state.closings[thread]?.removeAll { $0 === closing }
                if state.closings[thread]?.isEmpty == true { state.closings[thread] = nil }
            }
        }
        try await work()
        _ = await closing.value(within: limit, on: account.service.clock)
    }

    /// No push will come any more. Waiting closings succeed, because their caller answers with the thread as it is.
    func endAll() {
        let closings = state.withLock { state in
            defer { state.closings = [:] }
            return state.closings.values.joined()
        }
        for closing in closings { closing.resolve(()) }
    }

    /// Writes one push. Called by the link's worker, one at a time. A push that cannot be written is reported to
    /// the sessions and skipped; the connection goes on.
    func handle(_ push: PushEvent) async {
        do throws(ChatError) {
            switch push {
            case .messageCreated(let data): try await writeCreated(data)
            case .messageSent(let data): try await writeCreated(data, isAhead: true)
            case .messageUpdated(let data), .messageReadChanged(let data), .messageSeenChanged(let data):
                try await writeChanged(data, by: push.type)
            case .senderTypingStarted(let data): await typing.show(data, isTyping: true)
            case .senderTypingEnded(let data): await typing.show(data, isTyping: false)
            case .caseCreated(let data): try await writeContact(data)
            case .caseStatusChanged(let data): try await closeThread(data)
            case .caseInboxAssigneeChanged(let data): try await writeAssignee(data)
            case .setPositionInQueue(let data): try await writeQueuePosition(data)
            case .fireProactiveAction(let data): try await actions.handle(data)
            case .caseToRoutingQueueAssignmentChanged, .eventInS3, .unknown: break
            }
        } catch {
            account.service.notice("A push \(push.type) from the platform could not be stored: \(error.code.rawValue)")
            account.publish(error)
        }
    }

    private func passOver(_ push: String) {
        account.service.notice("A push \(push) from the platform was ignored: its thread is not known.")
    }

    private func discover(_ thread: String, by push: String) async {
        passOver(push)
        await discovery.discover(thread, by: push)
    }

    // MARK: Messages

    /// `MessageCreated`. It comes for the customer's own messages too; that is how a send gets its result. A
    /// popup becomes a property of the thread, and no message.
    ///
    /// - Parameter isAhead: `MessageSent`, which tells the same a moment earlier. What must happen once for a message
    ///   waits for `MessageCreated`.
    private func writeCreated(_ created: MessageCreated, isAhead: Bool = false) async throws(ChatError) {
        let wire = created.message
        let (number, customerID) = (account.number, account.customerID)
        let waitingPosition = created.contact.flatMap { contact in
            state.withLock { $0.queuePositions.remove(contact.id) }
        }
        let written = try await account.change(created.thread.id, isRepeatable: true) {
            [account] transaction, record -> (repliesTo: String?, sent: SentMessage?) in
            let reader = MessageReader(
                account: try transaction.account(number), customerID: customerID, mode: account.mode)
            var popup: ChatModel.InactivityPopup?
            if account.mode == .liveChat, case .inactivityPopup(let wire) = wire.content.body {
                popup = ChatModel.InactivityPopup(wire)
            }
            let wasReady = record.thread.state == .ready
            // Of all pushes only this one says who did it.
            transaction.actor = RemoteMessage(wire, for: reader)?.message.author
            try transaction.change(&record) { thread in
                if let contact = created.contact, account.mode != .liveChat || thread.state != .closed {
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
        if let agent = wire.authorAgent { typing.end(of: agent, in: created.thread.id) }
        if let waitingPosition { publish(queuePosition: waitingPosition, of: created.thread.id) }
        if let sent = written.sent { sender.end(wire.id, sent) }
        if let fallback = written.repliesTo { replyToUnknown(fallback, in: created.thread.id) }
        if let url = wire.content.streamURL, !isAhead { texts.readText(of: wire.id, in: created.thread.id, at: url) }
    }

    /// Tells the agent, as the mobile SDKs do, that the app cannot show the message. Runs in the background; a
    /// failure is ignored.
    private func replyToUnknown(_ fallback: String, in thread: String) {
        let text = "The last agent's message is not supported in the mobile SDK: " + fallback
        let content = MessageContent(.text(text), parameters: MessageParameters(isUnsupportedMessageTypeAnswer: true))
        Task { try? await sender.sendHidden(content, to: thread) }
    }

    /// `MessageUpdated`, `MessageReadChanged`, `MessageSeenChanged`: each carries the whole message, which replaces the
    /// one here.
    private func writeChanged(_ changed: MessageChanged, by push: String) async throws(ChatError) {
        guard let changed = RemoteMessage(changed.message, for: await account.reader) else { return }
        let written: Void? = try await account.change(changed.message.threadID, isRepeatable: true) {
            transaction, record in
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
    private func writeContact(_ created: CaseChanged) async throws(ChatError) {
        guard let id = created.contact.threadID else { return }
        let position = state.withLock { $0.queuePositions.remove(created.contact.id) }
        let written: Void? = try await account.change(id) { transaction, record in
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
    private func closeThread(_ changed: CaseChanged) async throws(ChatError) {
        guard account.mode == .liveChat, changed.contact.status == .closed, let id = await thread(of: changed.contact)
        else {
            return
        }
        let written = try await account.change(id) { transaction, record -> Bool in
            // A former contact of the thread ended. The open one goes on.
            guard record.thread.contactID == nil || record.thread.contactID == changed.contact.id else { return false }
            try transaction.close(&record)
            return true
        }
        guard let written else { return passOver("CaseStatusChanged") }
        guard written else { return }
        typing.endAll(in: id)
        for closing in state.withLock({ $0.closings.removeValue(forKey: id) }) ?? [] { closing.resolve(()) }
        publish(queuePosition: nil, of: id)
    }

    /// `CaseInboxAssigneeChanged`: another agent answers, or none. The customer waits in no queue then.
    private func writeAssignee(_ changed: CaseInboxAssigneeChanged) async throws(ChatError) {
        guard let id = await thread(of: changed.contact) else { return passOver("CaseInboxAssigneeChanged") }
        let written = try await account.change(id) { [account] transaction, record -> Bool in
            let waited = record.thread.queuePosition != nil
            try transaction.change(&record) { thread in
                thread.contactID = changed.contact.id
                thread.agent = changed.inboxAssignee.map(Agent.init)
                thread.previousAgent = changed.previousInboxAssignee.map(Agent.init)
                thread.queuePosition = nil
                guard account.mode == .liveChat else { return }
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
        let open = try? await account.store.read { try $0.openThreads(of: number, limit: 100) }
        return open?.first { $0.thread.contactID == id }?.thread.id
    }

    // MARK: The queue

    /// `SetPositionInQueue`, for live chats only. It may come before the contact's thread is known.
    private func writeQueuePosition(_ place: SetPositionInQueue) async throws(ChatError) {
        guard account.mode == .liveChat, let position = place.position else { return }
        guard let id = await thread(ofContact: place.contactID) else {
            // The contact's first message may come later, or never.
            return state.withLock { $0.queuePositions[place.contactID] = position }
        }
        let isNews = try await account.change(id) { transaction, record -> Bool in
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
        account.store.feed.publish(event, to: [.account(account.number)])
    }
}
