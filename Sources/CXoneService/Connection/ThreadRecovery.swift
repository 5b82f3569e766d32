import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// What the SDK does after connecting: it recovers the single thread or the live chat, or lists the threads and
/// loads their metadata.
final class ThreadRecovery: Sendable {
    private let account: ConnectedAccount
    private let history: HistoryReader

    init(_ account: ConnectedAccount, history: HistoryReader) {
        self.account = account
        self.history = history
    }

    /// Tells the platform names. A thread whose name was refused is read again.
    var names: NameTeller {
        NameTeller(account: account) { [self] thread in _ = try? await recover(thread) }
    }

    /// Reads the one thread of a channel that has one. Returns 1 if there is a usable thread, else 0. A thread
    /// without messages exists only here, so the platform is not asked for it. If the platform has no thread,
    /// those here are removed; one with unsent messages stays and counts. Throws `recoveringThreadFailed`,
    /// `serverError`, `eventTimeout`, `notConnected`.
    func recoverThread() async throws(ChatError) -> Int {
        let number = account.number
        let known = try await account.store.read { try $0.openThreads(of: number, limit: 1).first }
        // The platform does not know a thread before its first message.
        if known?.thread.state == .pending { return 1 }
        do throws(ChatError) {
            return try await recover(known?.thread.id)
        } catch {
            guard error.code == .recoveringThreadFailed else { throw error }
            if account.mode == .liveChat, account.configuration.settings.isOn("isRecoverLivechatDoesNotFailEnabled") {
                // With this setting the platform answers "nothing" instead of failing, so the failure is a real
                // one.
                throw ChatError(.serverError, error.detail)
            }
            // Another session of the account may have made a thread while this one waited.
            let newest = try await account.store.read { try $0.openThreads(of: number, limit: 1) }
            if newest.contains(where: { $0.thread.state == .pending }) { return 1 }
            guard try await forgetThreads() else { throw error }
            return 1
        }
    }

    /// Sends `RecoverThread` or `RecoverLivechat`, by the channel's mode, and writes the answer into the account.store.
    ///
    /// - Parameter id: nil asks for whatever thread there is.
    /// - Returns: how many of the threads can be written to: 1 or 0.
    ///
    /// Throws `recoveringThreadFailed` for a single thread that is closed, and what ``PlatformLink/ask(_:_:)``
    /// throws.
    @discardableResult
    func recover(_ id: String?) async throws(ChatError) -> Int {
        let reference = id.map { ThreadReference(id: $0) }
        let isLive = account.mode == .liveChat
        let usable = try await account.link.ask(isLive ? .recoverLivechat(reference) : .recoverThread(reference)) {
            [self] (frame) throws(ChatError) -> Int in
            switch frame {
            case .answer(.threadRecovered(let recovered), _): return try await write(recovered)
            case .answer(.livechatRecovered(let recovered?), _): return try await write(recovered)
            case .answer(.livechatRecovered(nil), _):
                try await closeOpenThreads()
                return 0
            // An answer to `RecoverLivechat` of any other type means that there is no live chat.
            case .answer, .acknowledgement:
                guard isLive else { throw ConnectedAccount.unexpected }
                try await closeOpenThreads()
                return 0
            default: throw ConnectedAccount.unexpected
            }
        }
        if usable == 0, account.mode == .singlethread {
            throw ChatError(.recoveringThreadFailed, "The customer's thread is closed.")
        }
        return usable
    }

    /// Writes a thread with its newest messages; makes the thread if it is new here. Returns 1 if it can be
    /// written to, else 0. Runs in the link's turn, so that pushes which came later are written later.
    private func write(_ recovered: RecoveredThread) async throws(ChatError) -> Int {
        let page = ScrollPage(recovered, for: await account.reader)
        guard Identifier.isValid(recovered.thread.id) else { throw ConnectedAccount.unexpected }
        let isEnded = account.mode == .liveChat && recovered.contact?.status == .closed
        let id = recovered.thread.id
        let isWritten = try await account.offeringTimes { [self] offer throws(ChatError) in
            try await account.change(id, makes: true) { [self] transaction, record in
                try write(recovered, page, to: &record, isEnded: isEnded, in: transaction, as: offer)
            }
        }
        if isWritten == false { history.keepFresh(page, of: id) }
        history.mark(page, of: id)
        return isEnded || !recovered.thread.canAddMoreMessages ? 0 : 1
    }

    /// Writes what the platform says of a thread. Returns whether the page was merged; otherwise it must be kept for the
    /// next question for history.
    private func write(
        _ recovered: RecoveredThread, _ page: ScrollPage, to record: inout ThreadRecord, isEnded: Bool,
        in transaction: WriteTransaction, as offer: OfferID
    ) throws -> Bool {
        let id = recovered.thread.id
        let fields = try mergeFields(recovered, of: record, in: transaction, as: offer)
        try transaction.change(&record) { thread in
            thread.customFields = fields
            if let first = page.messages.first?.message.createdAt { thread.createdAt = min(thread.createdAt, first) }
            thread.state = isEnded || !recovered.thread.canAddMoreMessages ? .closed : .ready
            if let name = recovered.thread.name, account.mode == .multithread {
                thread.name = account.ownName(name, of: id)
            }
            if let contact = recovered.contact {
                thread.contactID = contact.id
                thread.contactClosedAt =
                    contact.status == .closed
                    ? thread.contactClosedAt ?? contact.statusUpdatedAt ?? transaction.now : nil
            }
            if let agent = recovered.inboxAssignee.map(Agent.init) { thread.agent = agent }
            if account.mode == .liveChat {
                thread.previousAgent = recovered.previousInboxAssignee.map(Agent.init) ?? thread.previousAgent
                if thread.agent != nil || thread.state == .closed { thread.queuePosition = nil }
                let popup = thread.state == .closed ? nil : recovered.popup
                if popup == nil { thread.inactivityPopup = nil }
            }
        }
        if account.mode == .liveChat, record.thread.state != .closed, let popup = recovered.popup {
            try transaction.show(popup, in: &record)
        }
        // The store has older messages, and there may be a gap between them and this page. Only the synchronization can
        // close it, so the page is not merged here.
        let chunks = try transaction.chunks(of: record.number)
        guard chunks.isEmpty || chunks.last?.isOpen == true else {
            try transaction.preview(page.messages.last, in: &record)
            return false
        }
        let coverage = HistoryCoverage(
            low: page.token.isEmpty ? nil : page.messages.first?.milliseconds,
            high: page.messages.last?.milliseconds,
            isNewest: true)
        // A page of only hidden messages does not tell where the history ends.
        let covers = !page.messages.isEmpty || page.token.isEmpty
        try transaction.merge(page.messages, by: .missed, covering: covers ? coverage : nil, into: &record)
        return true
    }

    /// Merges custom fields by their times (``FieldTimes``). Returns the thread's; the customer's are saved.
    private func mergeFields(
        _ recovered: RecoveredThread, of record: ThreadRecord, in transaction: WriteTransaction, as offer: OfferID
    ) throws -> [String: String] {
        var times = FieldTimes.Times()
        let owner = FieldTimes.Owner(account: account.number, thread: recovered.thread.id)
        let fields = account.service.fieldTimes.merge(
            recovered.contact?.customFields ?? [], into: record.thread.customFields, of: owner, noting: &times)
        try account.mergeCustomerFields(recovered.customerFields, noting: &times, in: transaction)
        account.service.fieldTimes.offer(times, account: account.number, as: offer)
        return fields
    }

    /// The platform has no live chat any more: closes those here, except one that was not sent yet.
    private func closeOpenThreads() async throws(ChatError) {
        let number = account.number
        try await account.store.write { transaction in
            for var record in try transaction.openThreads(of: number, limit: 100) where record.thread.state != .pending
            {
                try transaction.close(&record)
            }
        }
    }

    /// The platform has no thread of the account. Removes those here. Returns whether one stays because it has
    /// unsent messages. Does nothing on channels with many threads.
    private func forgetThreads() async throws(ChatError) -> Bool {
        let number = account.number
        guard account.mode != .multithread else { return false }
        let (gone, stays) = try await account.store.write { [self] transaction in
            let gone = try transaction.openThreads(of: number, limit: 100).map(\.thread.id)
            var stays = false
            for thread in gone { stays = try forget(thread, in: transaction) || stays }
            return (gone, stays)
        }
        account.service.forget(Set(gone), account: number)
        return stays
    }

    /// The platform does not have this thread. It is removed here, unless it has unsent messages: then it becomes
    /// pending, and the first of them makes it anew on the platform. A live chat is removed in any case, because a
    /// new one would reach another agent. Returns whether the thread stays. What is in memory of it must be forgotten
    /// after the commit.
    func forget(_ thread: String, in transaction: WriteTransaction) throws -> Bool {
        let number = account.number
        guard account.mode != .liveChat, var record = try transaction.thread(thread, of: number),
            record.thread.state != .closed,
            try transaction.hasUnsent(of: number, thread: thread)
        else {
            try transaction.removeRemoteThread(thread, of: number)
            return false
        }
        try transaction.change(&record) {
            ($0.state, $0.contactID, $0.contactClosedAt, $0.agent) = (.pending, nil, nil, nil)
        }
        return true
    }

    /// Reads one thread from the platform again, and answers with it. A pending thread, and a closed live chat,
    /// exist only here: they are answered from the account.store. Throws `unknownThread`, and what ``recover(_:)``
    /// throws.
    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let number = account.number
        guard let known = try await account.store.read({ try $0.thread(thread, of: number) }) else {
            throw .unknownThread(thread)
        }
        let isKnownThere =
            known.thread.state != .pending && (account.mode != .liveChat || known.thread.state != .closed)
        if isKnownThere {
            do throws(ChatError) {
                try await recover(thread)
                await names.sendAgain()
            } catch {
                // A closed thread is no failure: the store has it.
                guard error.code == .recoveringThreadFailed, known.thread.state == .closed else { throw error }
            }
        }
        return try await account.answer(thread, receipt)
    }

}

extension RecoveredThread {
    /// The inactivity popup that waits for an answer: the newest message, if it is one. An older popup was
    /// answered or is over.
    fileprivate var popup: ChatModel.InactivityPopup? {
        guard case .inactivityPopup(let popup)? = messages.first?.content.body else { return nil }
        return ChatModel.InactivityPopup(popup)
    }
}
