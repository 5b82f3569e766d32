import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// What a customer does with threads (the SDK's `ChatThreadListProvider`, `ChatThreadProvider`). The rules of the
/// channel are checked here, in the transaction that writes; the platform is asked only after that.
extension CXoneConnection {
    /// Makes a thread. On a messaging channel it exists only here until its first message. A live chat begins at
    /// once, with a hidden message. The same draft sent again returns the thread that it made. Throws
    /// `threadIdConflict` for another draft with a known id, `illegalChatState` when the live chat is outside its
    /// hours, and what the rules and ``PlatformLink/ask(_:)`` throw.
    func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let welcome = try await service.vault.state(of: account).welcomeMessage
        let outcome = try await offeringTimes { [self] offer throws(ChatError) in
            try await store.write { [self] transaction in
                try create(draft, welcome, receipt, as: offer, in: transaction)
            }
        }
        guard mode == .liveChat, outcome.kind == .created else { return outcome }
        return try await beginConversation(outcome.id, receipt)
    }

    private func create(
        _ draft: ThreadDraft, _ welcome: String?, _ receipt: Receipt?, as offer: OfferID,
        in transaction: WriteTransaction
    ) throws -> Outcome {
        let number = account.number
        let owner = try transaction.account(number)
        transaction.actor = Author(owner.customer)
        let fields = try CustomFieldRules.checkSurvey(draft.customFields, on: channel)
        if let known = try draft.id.flatMap({ try transaction.thread($0, of: number) }),
            known.thread.name.hasSameBytes(as: draft.name), known.thread.customFields.hasSameBytes(as: fields)
        {
            // Sent again: the same thread, not a second one.
            return Outcome(.ok, id: known.thread.id, body: known.json(for: number), version: known.version)
        }
        let hasOpenThread = try mode != .multithread && !transaction.openThreads(of: number, limit: 1).isEmpty
        try ThreadRules.checkCreate(draft, on: channel, hasOpenThread: hasOpenThread)
        if let id = draft.id, try transaction.thread(id, of: number) != nil {
            throw ChatError(.threadIdConflict, "The account has a thread of this id.", pointer: "/id")
        }
        var thread = ChatThread(
            id: draft.id ?? transaction.environment.makeID(), createdAt: transaction.now, members: [])
        thread.name = draft.name
        thread.customFields = fields
        var record = try transaction.merge(RemoteThread(thread), of: number, isNew: true)
        if let welcome { try transaction.welcome(welcome, from: channel, to: owner, in: &record) }
        let outcome = Outcome(.created, id: thread.id, body: record.json(for: number), version: record.version)
        if mode != .liveChat { try transaction.record(receipt, outcome, showing: record) }
        let fieldOwner = FieldTimes.Owner(account: number, thread: thread.id)
        service.fieldTimes.offer(
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
            try await sendHidden(opening, to: thread)
        } catch {
            // A live chat exists only together with the platform's. If the message arrived all the same, it is
            // recovered later.
            try? await store.write { try $0.removeRemoteThread(thread, of: number) }
            service.forget([thread], account: number)
            // The platform's refusal gives no reason, so the availability is asked for.
            if error.code == .invalidData, (try? await service.isOnline(account, asksAnew: true)) == false {
                throw ChatError(.illegalChatState, "The channel is offline, and takes no new conversations.")
            }
            throw error
        }
        let outcome = try await change(thread) { transaction, record in
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
            outcome = try await unit(thread) { [channel, service] transaction, record in
                try VersionRule.check(version, record.version)
                try ThreadRules.checkRename(record.thread, to: name, on: channel)
                let old = record.thread.name
                try transaction.change(&record) { $0.name = name }
                let outcome = Outcome(.ok, id: thread, body: record.json(for: number), version: record.version)
                guard old != name, record.thread.state != .pending else { return outcome }
                // Here, so that names are told in the order of their commits.
                service.ownNames.offer(name, insteadOf: old, to: thread, account: number, as: offer)
                return outcome
            }
        } catch {
            service.ownNames.drop(offer, account: number)
            throw error
        }
        if let telling = service.ownNames.keep(offer, account: number, by: ObjectIdentifier(self)) {
            await tellName(telling)
        }
        return outcome
    }

    /// Sends `UpdateThread`; an empty name means none. Returns when the event is sent, not when it is answered. A
    /// name that was given meanwhile is told after the answer.
    private func tellName(_ telling: OwnNames.Telling) async {
        let (names, number, me) = (service.ownNames, account.number, ObjectIdentifier(self))
        let event = ClientEvent.updateThread(ThreadReference(id: telling.thread, name: telling.name ?? ""))
        do throws(ChatError) {
            try await link.ask(event) { [self] answer in
                var refusal: ChatError?
                if case .failure(let error) = answer { refusal = error }
                let isLost = refusal?.code == .notConnected || refusal?.code == .eventTimeout
                let next =
                    isLost
                    ? names.lose(telling, account: number, by: me) : names.settle(telling, account: number, by: me)
                if let next { Task { await tellName(next) } }
                guard let refusal, !isLost else { return }
                publish(refusal)
                // The platform kept another name: it is read and shown.
                if next == nil { Task { try? await recover(telling.thread) } }
            }
        } catch {
            // `lose` returns only a name that was given meanwhile, so the recursion ends when no new one is
            // given.
            if let next = names.lose(telling, account: number, by: me) { await tellName(next) }
        }
    }

    /// Tells again the names whose telling got no answer. Called after the list was read: names that the list
    /// shows to have arrived are settled by then.
    func tellNamesAgain() async {
        for telling in service.ownNames.lost(of: account.number, by: ObjectIdentifier(self)) { await tellName(telling) }
    }

    /// Archives the thread on the platform first, then closes it here. A pending thread is only closed here.
    /// Throws `unknownThread`, and what the rules and ``PlatformLink/ask(_:)`` throw; the thread is unchanged
    /// then.
    func archive(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let known = try await unit(thread) { [channel] _, record in
            try VersionRule.check(version, record.version)
            try ThreadRules.checkArchive(record.thread, on: channel)
            return record.thread
        }
        // One that has no message yet never was on the platform.
        if known.state != .pending { try await link.ask(.archiveThread(ThreadReference(id: thread, name: known.name))) }
        let number = account.number
        return try await unit(thread) { transaction, record in
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
        let known = try await unit(thread) { [channel] _, record in
            try VersionRule.check(version, record.version)
            try ThreadRules.checkEnd(on: channel)
            return record.thread
        }
        if known.state != .closed {
            guard let contact = known.contactID else {
                throw ChatError(.missingParameter, "The platform has not sent the thread's contact yet.")
            }
            let closing = Answer<Void>()
            state.withLock { $0.closings[thread, default: []].append(closing) }
            defer { forget(closing, of: thread) }
            try await link.tell(.endContact(ThreadReference(id: thread), contactID: contact))
            _ = await closing.value(within: .seconds(2), on: service.clock)
        }
        return try await answer(thread, receipt)
    }

    private func forget(_ closing: Answer<Void>, of thread: String) {
        state.withLock { state in
            state.closings[thread]?.removeAll { $0 === closing }
            if state.closings[thread]?.isEmpty == true { state.closings[thread] = nil }
        }
    }

    /// Sends a hidden message with the postback of the chosen button (the SDK's
    /// `ProactiveActionProvider.trigger`), then removes the popup if it is still the same one. Throws
    /// `illegalThreadState` when no popup is shown.
    func answerInactivity(
        _ answer: InactivityAnswer, in thread: String, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let popup = try await unit(thread) { _, record in record.thread.inactivityPopup }
        guard let popup else {
            throw ChatError(.illegalThreadState, "The thread \(thread) has no inactivity popup to answer.")
        }
        let button = answer == .refresh ? popup.refreshButton : popup.expireButton
        try await sendHidden(
            MessageContent(
                .text(button.text), parameters: MessageParameters(isInactivityPopupAnswer: true),
                postback: button.postback),
            to: thread)
        try await unit(thread) { transaction, record in
            try transaction.change(&record) { if $0.inactivityPopup == popup { $0.inactivityPopup = nil } }
        }
        return try await self.answer(thread, receipt)
    }

    /// Marks the thread read here at once, then sends `MessageSeenByCustomer`, for which no answer is awaited; of a closed
    /// thread the platform is told nothing.
    /// The platform's later pushes say the same and change nothing.
    func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let number = account.number
        let reports = try await unit(thread) { transaction, record in
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
        if reports { try await link.tell(.messageSeenByCustomer(ThreadReference(id: thread))) }
        return Outcome(.none)
    }

    /// Has the platform mail the transcript of the thread's contact to one address. Throws `illegalThreadState`
    /// before the first message, `missingParameter` while the contact is not known, `sendTranscriptFailed`.
    func sendTranscript(of thread: String, to address: String) async throws(ChatError) {
        try ThreadRules.checkTranscript(to: address)
        let known = try await unit(thread) { _, record in record.thread }
        guard known.state != .pending else {
            throw ChatError(.illegalThreadState, "The thread \(thread) has no messages yet.")
        }
        guard let contact = known.contactID else {
            throw ChatError(
                .missingParameter, "The platform has not sent the thread's contact yet: load the thread first.")
        }
        try await link.ask(.sendTranscript(SendTranscript(contactID: contact, recipients: [address])))
    }

    /// No answer is awaited: what a trigger does comes as a push, if at all.
    func executeTrigger(_ id: String) async throws(ChatError) { try await link.tell(.executeTrigger(id: id)) }

    /// The author is named by the e-mail address (`SendOfflineMessage`). Returns when the platform has answered.
    func leave(_ message: OfflineMessage) async throws(ChatError) {
        try await link.ask(
            .sendOfflineMessage(
                SendOfflineMessage(
                    content: .text(message.text), author: WireCustomer(id: message.email, firstName: message.name))))
    }

    // MARK: Fields and names

    /// Merges the fields into the thread's, with the time of now. They are sent at once
    /// (`SetContactCustomFields`) if there is a contact, else with the first message. Returns all fields of the
    /// thread.
    func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        let owner = FieldTimes.Owner(account: account.number, thread: thread)
        let known = try await offeringTimes { [self] offer throws(ChatError) in
            try await unit(thread) { [channel, service] transaction, record in
                try VersionRule.check(version, ContentVersion.of(record.thread.customFields))
                let checked = try CustomFieldRules.check(fields, channel.threadFields)
                let merged = try CustomFieldRules.merge(checked, into: record.thread.customFields)
                try transaction.change(&record) { $0.customFields = merged }
                service.fieldTimes.offer(
                    FieldTimes.times(of: checked.keys, of: owner, at: transaction.now), account: owner.account,
                    as: offer)
                return record.thread
            }
        }
        if let contact = known.contactID, known.state != .pending {
            let wire = service.fieldTimes.wire(known.customFields, of: owner, otherwise: known.createdAt)
            try await link.tell(
                .setContactCustomFields(
                    SetContactCustomFields(thread: ThreadReference(id: thread), fields: wire, contactID: contact)))
        }
        return known.customFields
    }

    /// Changes the names here. No event of the protocol tells them: they are part of every later frame's
    /// identity.
    func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer {
        try draft.check()
        let number = account.number
        let customer = try await store.write { transaction in
            var owner = try transaction.account(number)
            try VersionRule.check(version, ContentVersion.of(owner.customer))
            guard try owner.rename(to: draft) else { return owner.customer }
            try transaction.save(owner)
            transaction.actor = Author(owner.customer)
            for var record in try transaction.openThreads(of: number, limit: 100) {
                try transaction.save(&record, logging: .threadUpdated, withDesk: false)
            }
            return owner.customer
        }
        state.withLock { $0.customer = WireCustomer(customer, id: $0.customer.id) }
        return customer
    }

    /// Merges the fields into the customer's and sends all of them (`SetCustomerCustomFields`). Returns all
    /// fields. If sending fails, they stay here, and go with the next message.
    func setCustomerCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        let number = account.number
        let owner = FieldTimes.Owner(account: number)
        let known = try await offeringTimes { [self] offer throws(ChatError) in
            try await store.write { [channel, service] transaction in
                var record = try transaction.account(number)
                try VersionRule.check(version, ContentVersion.of(record.customFields))
                let checked = try CustomFieldRules.check(fields, channel.customerFields)
                record.customFields = try CustomFieldRules.merge(checked, into: record.customFields)
                try transaction.save(record)
                service.fieldTimes.offer(
                    FieldTimes.times(of: checked.keys, of: owner, at: transaction.now), account: number, as: offer)
                return record
            }
        }
        try await link.tell(
            .setCustomerCustomFields(
                service.fieldTimes.wire(known.customFields, of: owner, otherwise: known.createdAt)))
        return known.customFields
    }

    /// Runs `write` with an id, under which its unit may offer times of fields (``FieldTimes``). They count as long as
    /// it runs, and stay if it returns.
    func offeringTimes<T: Sendable>(
        _ write: @Sendable (OfferID) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        let (offer, times) = (OfferID(), service.fieldTimes)
        do throws(ChatError) {
            let result = try await write(offer)
            times.keep(offer, account: account.number)
            return result
        } catch {
            times.drop(offer, account: account.number)
            throw error
        }
    }

    /// Runs `work`, which the customer has asked for, in a write transaction on one of the account's threads. Throws
    /// `unknownThread`.
    private func unit<T: Sendable>(
        _ thread: String, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        let number = account.number
        let result = try await change(thread) { transaction, record in
            transaction.actor = Author(try transaction.account(number).customer)
            return try work(transaction, &record)
        }
        guard let result else { throw .unknownThread(thread) }
        return result
    }
}
