import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// What a customer does with threads (the SDK's `ChatThreadListProvider`, `ChatThreadProvider`). The rules of the
/// channel are checked here, in the transaction that writes; the platform is asked only after that.
struct ThreadActions: Sendable {
    let account: ConnectedAccount
    let sender: MessageSender
    let receiver: PushReceiver
    let names: NameTeller

    /// Makes a thread. On a messaging channel it exists only here until its first message. A live chat begins at
    /// once, with a hidden message. The same draft sent again returns the thread that it made. Throws
    /// `threadIdConflict` for another draft with a known id, `illegalChatState` when the live chat is outside its
    /// hours, and what the rules and ``PlatformLink/ask(_:)`` throw.
    func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let welcome = try await account.service.vault.state(of: account.record).welcomeMessage
        let outcome = try await account.offeringTimes { [self] offer throws(ChatError) in
            try await account.store.write { [self] transaction in
                try create(draft, welcome, receipt, as: offer, in: transaction)
            }
        }
        guard account.mode == .liveChat, outcome.kind == .created else { return outcome }
        return try await beginConversation(outcome.id, receipt)
    }

    private func create(
        _ draft: ThreadDraft, _ welcome: String?, _ receipt: Receipt?, as offer: OfferID,
        in transaction: WriteTransaction
    ) throws -> Outcome {
        let number = account.number
        let owner = try transaction.account(number)
        transaction.actor = Author(owner.customer)
        let fields = try CustomFieldRules.checkSurvey(draft.customFields, on: account.channel)
        if let known = try draft.id.flatMap({ try transaction.thread($0, of: number) }),
            known.thread.name.hasSameBytes(as: draft.name), known.thread.customFields.hasSameBytes(as: fields)
        {
            // Sent again: the same thread, not a second one.
            return Outcome(.ok, id: known.thread.id, body: known.json(for: number), version: known.version)
        }
        let hasOpenThread = try account.mode != .multithread && !transaction.openThreads(of: number, limit: 1).isEmpty
        try ThreadRules.checkCreate(draft, on: account.channel, hasOpenThread: hasOpenThread)
        if let id = draft.id, try transaction.thread(id, of: number) != nil {
            throw ChatError(.threadIdConflict, "The account has a thread of this id.", pointer: "/id")
        }
        var thread = ChatThread(
            id: draft.id ?? transaction.environment.makeID(), createdAt: transaction.now, members: [])
        thread.name = draft.name
        thread.customFields = fields
        var record = try transaction.merge(RemoteThread(thread), of: number, isNew: true)
        if let welcome { try transaction.welcome(welcome, from: account.channel, to: owner, in: &record) }
        let outcome = Outcome(.created, id: thread.id, body: record.json(for: number), version: record.version)
        if account.mode != .liveChat { try transaction.record(receipt, outcome, showing: record) }
        let fieldOwner = FieldTimes.Owner(account: number, thread: thread.id)
        account.service.fieldTimes.offer(
            FieldTimes.times(of: fields.keys, of: fieldOwner, at: transaction.now), account: number, as: offer)
        return outcome
    }

    /// Sends the hidden first message, which makes the platform create thread and contact and route them. On a
    /// failure the thread is removed here again; if the message arrived all the same, a later recover finds the
    /// thread.
    private func beginConversation(_ thread: String, _ receipt: Receipt?) async throws(ChatError) -> Outcome {
        let opening = MessageContent(.text("Begin Conversation"), parameters: MessageParameters(isInitialMessage: true))
        let number = account.number
        do throws(ChatError) {
            try await sender.sendHidden(opening, to: thread)
        } catch {
            // A live chat exists only together with the platform's. If the message arrived all the same, it is
            // recovered later.
            try? await account.store.write { try $0.removeRemoteThread(thread, of: number) }
            account.service.forget([thread], account: number)
            // The platform's refusal gives no reason, so the availability is asked for.
            if error.code == .invalidData,
                (try? await account.service.isOnline(account.record, asksAnew: true)) == false
            {
                throw ChatError(.illegalChatState, "The channel is offline, and takes no new conversations.")
            }
            throw error
        }
        let outcome = try await account.change(thread) { transaction, record in
            try transaction.change(&record) { if $0.state == .pending { $0.state = .ready } }
            let outcome = Outcome(.created, id: thread, body: record.json(for: number), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
        guard let outcome else { throw .unknownThread(thread) }
        return outcome
    }

    /// Renames the thread here at once, and tells the platform if it knows the thread. The outcome does not
    /// depend on the platform: a refusal is published as an error, and the thread is read again. A pending
    /// thread's name goes with its first message. Throws `preconditionFailed` when `version` is not the thread's,
    /// `unknownThread`, and what the rules throw.
    func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        let number = account.number
        let offer = OfferID()
        let outcome: Outcome
        do throws(ChatError) {
            outcome = try await account.unit(thread) { transaction, record in
                try VersionRule.check(version, record.version)
                try ThreadRules.checkRename(record.thread, to: name, on: account.channel)
                let old = record.thread.name
                try transaction.change(&record) { $0.name = name }
                let outcome = Outcome(.ok, id: thread, body: record.json(for: number), version: record.version)
                guard old != name, record.thread.state != .pending else { return outcome }
                // Here, so that names are told in the order of their commits.
                account.service.ownNames.offer(name, insteadOf: old, to: thread, account: number, as: offer)
                return outcome
            }
        } catch {
            account.service.ownNames.drop(offer, account: number)
            throw error
        }
        if let telling = account.service.ownNames.commit(offer, account: number, by: ObjectIdentifier(account)) {
            await names.send(telling)
        }
        return outcome
    }

    /// Archives the thread on the platform first, then closes it here. A pending thread is only closed here.
    /// Throws `unknownThread`, and what the rules and ``PlatformLink/ask(_:)`` throw; the thread is unchanged
    /// then.
    func archive(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let known = try await account.unit(thread) { _, record in
            try VersionRule.check(version, record.version)
            try ThreadRules.checkArchive(record.thread, on: account.channel)
            return record.thread
        }
        // One that has no message yet never was on the platform.
        if known.state != .pending {
            try await account.link.ask(.archiveThread(ThreadReference(id: thread, name: known.name)))
        }
        let number = account.number
        return try await account.unit(thread) { transaction, record in
            try transaction.close(&record)
            let outcome = Outcome(.ok, id: thread, body: record.json(for: number), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    /// Sends `EndContact` and waits up to 2 s for the push that closes the thread, so that the outcome shows it
    /// closed. Without that push the outcome shows the thread as it is. A closed thread is left alone. Throws
    /// `missingParameter` while the contact is not known.
    func endContact(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let known = try await account.unit(thread) { _, record in
            try VersionRule.check(version, record.version)
            try ThreadRules.checkEnd(on: account.channel)
            return record.thread
        }
        if known.state != .closed {
            guard let contact = known.contactID else {
                throw ChatError(.missingParameter, "The platform has not sent the thread's contact yet.")
            }
            try await receiver.awaitClosing(of: thread, within: .seconds(2)) { () throws(ChatError) in
                try await account.link.send(.endContact(ThreadReference(id: thread), contactID: contact))
            }
        }
        return try await account.answer(thread, receipt)
    }

    /// Sends a hidden message with the postback of the chosen button (the SDK's
    /// `ProactiveActionProvider.trigger`), then removes the popup if it is still the same one. Throws
    /// `illegalThreadState` when no popup is shown.
    func answerInactivity(
        _ answer: InactivityAnswer, in thread: String, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let popup = try await account.unit(thread) { _, record in record.thread.inactivityPopup }
        guard let popup else {
            throw ChatError(.illegalThreadState, "The thread \(thread) has no inactivity popup to answer.")
        }
        let button = answer == .refresh ? popup.refreshButton : popup.expireButton
        try await sender.sendHidden(
            MessageContent(
                .text(button.text), parameters: MessageParameters(isInactivityPopupAnswer: true),
                postback: button.postback),
            to: thread)
        try await account.unit(thread) { transaction, record in
            try transaction.change(&record) { if $0.inactivityPopup == popup { $0.inactivityPopup = nil } }
        }
        return try await account.answer(thread, receipt)
    }

    /// Marks the thread read here at once, then sends `MessageSeenByCustomer`, for which no answer is awaited; of a closed
    /// thread the platform is told nothing.
    /// The platform's later pushes say the same and change nothing.
    func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let number = account.number
        let reports = try await account.unit(thread) { transaction, record in
            try transaction.record(receipt, Outcome(.none))
            let reports = ThreadRules.canBeRead(record.thread) && record.thread.state != .closed
            guard ThreadRules.canBeRead(record.thread),
                let index = record.members.firstIndex(where: { $0.account == number }),
                record.members[index].unreadCount > 0
            else { return reports }
            var read = record.members[index].read
            _ = try transaction.markSeen(.toClient, in: &record, read: &read, withDesk: false)
            record.members[index].read = read
            record.members[index].unreadCount = 0
            try transaction.save(&record, logging: .threadUpdated, withDesk: false)
            return reports
        }
        if reports { try await account.link.send(.messageSeenByCustomer(ThreadReference(id: thread))) }
        return Outcome(.none)
    }

    /// Has the platform mail the transcript of the thread's contact to one address. Throws `illegalThreadState`
    /// before the first message, `missingParameter` while the contact is not known, `sendTranscriptFailed`.
    func sendTranscript(of thread: String, to address: String) async throws(ChatError) {
        try ThreadRules.checkTranscript(to: address)
        let known = try await account.unit(thread) { _, record in record.thread }
        guard known.state != .pending else {
            throw ChatError(.illegalThreadState, "The thread \(thread) has no messages yet.")
        }
        guard let contact = known.contactID else {
            throw ChatError(
                .missingParameter, "The platform has not sent the thread's contact yet: load the thread first.")
        }
        try await account.link.ask(.sendTranscript(SendTranscript(contactID: contact, recipients: [address])))
    }

    /// No answer is awaited: what a trigger does comes as a push, if at all.
    func executeTrigger(_ id: String) async throws(ChatError) { try await account.link.send(.executeTrigger(id: id)) }

    /// The author is named by the e-mail address (`SendOfflineMessage`). Returns when the platform has answered.
    func leave(_ message: OfflineMessage) async throws(ChatError) {
        try await account.link.ask(
            .sendOfflineMessage(
                SendOfflineMessage(
                    content: .text(message.text), author: WireCustomer(id: message.email, firstName: message.name))))
    }
}

extension WriteTransaction {
    /// Changes a thread as the platform says. A change that leaves the thread equal is not saved and logs no
    /// event. `updatedAt` always grows.
    func change(_ record: inout ThreadRecord, _ edit: (inout ChatThread) -> Void) throws {
        let before = record.thread
        edit(&record.thread)
        guard record.thread != before else { return }
        record.thread.updatedAt = max(now, before.updatedAt.advanced(byMilliseconds: 1))
        try save(&record, logging: .threadUpdated, withDesk: false)
    }

    /// Closes a thread and its contact. A time at which the contact was closed before is kept.
    func close(_ record: inout ThreadRecord) throws {
        let time = now
        try change(&record) { thread in
            thread.state = .closed
            thread.queuePosition = nil
            thread.inactivityPopup = nil
            if thread.contactID != nil { thread.contactClosedAt = thread.contactClosedAt ?? time }
        }
    }

    /// Shows a message as the thread's last one, if it is newer than what is shown.
    func preview(_ remote: RemoteMessage?, in record: inout ThreadRecord) throws {
        guard let message = remote?.message,
            message.createdAt >= record.thread.lastMessage?.createdAt ?? message.createdAt
        else { return }
        try change(&record) { $0.lastMessage = MessagePreview(message) }
    }

    /// Asks the silent customer of a live chat (the SDK's `onProactiveActionReceived`), once.
    func show(_ popup: ChatModel.InactivityPopup, in record: inout ThreadRecord) throws {
        guard record.thread.inactivityPopup != popup else { return }
        try change(&record) { $0.inactivityPopup = popup }
        try log(popup, in: record)
    }
}

extension WriteTransaction {
    /// Adds the welcome message to a new thread, with the template's variables filled in. Only the customer sees
    /// it before the first message: the desk is not told. An empty text adds nothing.
    func welcome(
        _ template: String, from channel: Channel, to owner: AccountRecord, in record: inout ThreadRecord
    ) throws {
        let text = WelcomeMessage(template).text(
            for: owner.customer, customerFields: owner.customFields, contactFields: record.thread.customFields)
        guard !text.isEmpty else { return }
        let message = Message(
            id: environment.makeID(), threadID: record.thread.id, createdAt: now, direction: .toClient,
            author: Author(id: "system", name: channel.name, kind: .system), text: text, status: .delivered)
        try acting(as: message.author) {
            guard let shown = try insert(message, into: &record, withDesk: false) else { return }
            setLastMessage(shown, of: &record)
            try save(&record, logging: .threadUpdated, withDesk: false)
        }
    }
}
