import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// What the SDK does after connecting: it recovers the single thread or the live chat, or lists the threads and
/// loads their metadata.
extension CXoneConnection {
    // MARK: One thread

    /// Reads the one thread of a channel that has one. Returns 1 if there is a usable thread, else 0. A thread
    /// without messages exists only here, so the platform is not asked for it. If the platform has no thread,
    /// those here are removed; one with unsent messages stays and counts. Throws `recoveringThreadFailed`,
    /// `serverError`, `eventTimeout`, `notConnected`.
    func recoverThread() async throws(ChatError) -> Int {
        state.withLock { $0.hasFreshList = true }
        let number = account.number
        let known = try await store.read { try $0.openThreads(of: number, limit: 1).first }
        // The platform does not know a thread before its first message.
        if known?.thread.state == .pending { return 1 }
        do throws(ChatError) {
            return try await recover(known?.thread.id)
        } catch {
            guard error.code == .recoveringThreadFailed else { throw error }
            if mode == .liveChat, configuration.settings.isOn("isRecoverLivechatDoesNotFailEnabled") {
                // With this setting the platform answers "nothing" instead of failing, so the failure is a real
                // one.
                throw ChatError(.serverError, error.detail)
            }
            // Another session of the account may have made a thread while this one waited.
            let newest = try await store.read { try $0.openThreads(of: number, limit: 1) }
            if newest.contains(where: { $0.thread.state == .pending }) { return 1 }
            guard try await forgetThreads() else { throw error }
            return 1
        }
    }

    /// Sends `RecoverThread` or `RecoverLivechat`, by the channel's mode, and writes the answer into the store.
    ///
    /// - Parameter id: nil asks for whatever thread there is.
    /// - Returns: how many of the threads can be written to: 1 or 0.
    ///
    /// Throws `recoveringThreadFailed` for a single thread that is closed, and what ``PlatformLink/ask(_:_:)``
    /// throws.
    @discardableResult
    func recover(_ id: String?) async throws(ChatError) -> Int {
        let reference = id.map { ThreadReference(id: $0) }
        let isLive = mode == .liveChat
        let usable = try await link.ask(isLive ? .recoverLivechat(reference) : .recoverThread(reference)) {
            [self] (frame) throws(ChatError) -> Int in
            switch frame {
            case .answer(.threadRecovered(let recovered), _): return try await take(recovered)
            case .answer(.livechatRecovered(let recovered?), _): return try await take(recovered)
            case .answer(.livechatRecovered(nil), _):
                try await closeOpenThreads()
                return 0
            // An answer to `RecoverLivechat` of any other type means that there is no live chat.
            case .answer, .acknowledgement:
                guard isLive else { throw Self.unexpected }
                try await closeOpenThreads()
                return 0
            default: throw Self.unexpected
            }
        }
        if usable == 0, mode == .singlethread {
            throw ChatError(.recoveringThreadFailed, "The customer's thread is closed.")
        }
        return usable
    }

    /// Writes a thread with its newest messages; makes the thread if it is new here. Returns 1 if it can be
    /// written to, else 0. Runs in the link's turn, so that pushes which came later are written later.
    func take(_ recovered: RecoveredThread) async throws(ChatError) -> Int {
        let page = ScrollPage(recovered, for: await reader)
        guard Identifier.isValid(recovered.thread.id) else { throw Self.unexpected }
        let isEnded = mode == .liveChat && recovered.contact?.status == .closed
        let id = recovered.thread.id
        let isWritten = try await offeringTimes { [self] offer throws(ChatError) in
            try await change(id, makes: true) { [self] transaction, record in
                try write(recovered, page, to: &record, isEnded: isEnded, in: transaction, as: offer)
            }
        }
        if isWritten == false { state.withLock { $0.keep(page, of: id) } }
        mark(page, of: id)
        return isEnded || !recovered.thread.canAddMoreMessages ? 0 : 1
    }

    /// Writes what the platform says of a thread. Returns whether the page was merged; otherwise it must be kept for the
    /// next question for history.
    private func write(
        _ recovered: RecoveredThread, _ page: ScrollPage, to record: inout ThreadRecord, isEnded: Bool,
        in transaction: WriteTransaction, as offer: OfferID
    ) throws -> Bool {
        let id = recovered.thread.id
        let fields = try takeFields(recovered, of: record, in: transaction, as: offer)
        try transaction.change(&record) { thread in
            thread.customFields = fields
            if let first = page.messages.first?.message.createdAt { thread.createdAt = min(thread.createdAt, first) }
            thread.state = isEnded || !recovered.thread.canAddMoreMessages ? .closed : .ready
            if let name = recovered.thread.name, mode == .multithread { thread.name = own(name, of: id) }
            if let contact = recovered.contact {
                thread.contactID = contact.id
                thread.contactClosedAt =
                    contact.status == .closed
                    ? thread.contactClosedAt ?? contact.statusUpdatedAt ?? transaction.now : nil
            }
            if let agent = recovered.inboxAssignee.map(Agent.init) { thread.agent = agent }
            if mode == .liveChat {
                thread.previousAgent = recovered.previousInboxAssignee.map(Agent.init) ?? thread.previousAgent
                if thread.agent != nil || thread.state == .closed { thread.queuePosition = nil }
                let popup = thread.state == .closed ? nil : recovered.popup
                if popup == nil { thread.inactivityPopup = nil }
            }
        }
        if mode == .liveChat, record.thread.state != .closed, let popup = recovered.popup {
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
    private func takeFields(
        _ recovered: RecoveredThread, of record: ThreadRecord, in transaction: WriteTransaction, as offer: OfferID
    ) throws -> [String: String] {
        var times = FieldTimes.Times()
        let owner = FieldTimes.Owner(account: account.number, thread: recovered.thread.id)
        let fields = service.fieldTimes.merge(
            recovered.contact?.customFields ?? [], into: record.thread.customFields, of: owner, noting: &times)
        try takeCustomerFields(recovered.customerFields, noting: &times, in: transaction)
        service.fieldTimes.offer(times, account: account.number, as: offer)
        return fields
    }

    /// Merges custom fields of the customer, whose record is saved only if one changed.
    func takeCustomerFields(
        _ fields: [CustomField], noting times: inout FieldTimes.Times, in transaction: WriteTransaction
    ) throws {
        guard !fields.isEmpty else { return }
        var customer = try transaction.account(account.number)
        let before = customer.customFields
        customer.customFields = service.fieldTimes.merge(
            fields, into: before, of: FieldTimes.Owner(account: account.number), noting: &times)
        if customer.customFields != before { try transaction.save(customer) }
    }

    /// The platform has no live chat any more: closes those here, except one that was not sent yet.
    private func closeOpenThreads() async throws(ChatError) {
        let number = account.number
        try await store.write { transaction in
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
        guard mode != .multithread else { return false }
        let (gone, stays) = try await store.write { [self] transaction in
            let gone = try transaction.openThreads(of: number, limit: 100).map(\.thread.id)
            var stays = false
            for thread in gone { stays = try forget(thread, in: transaction) || stays }
            return (gone, stays)
        }
        service.forget(Set(gone), account: number)
        return stays
    }

    /// The platform does not have this thread. It is removed here, unless it has unsent messages: then it becomes
    /// pending, and the first of them makes it anew on the platform. A live chat is removed in any case, because a
    /// new one would reach another agent. Returns whether the thread stays. What is in memory of it must be forgotten
    /// after the commit.
    private func forget(_ thread: String, in transaction: WriteTransaction) throws -> Bool {
        let number = account.number
        guard mode != .liveChat, var record = try transaction.thread(thread, of: number),
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

    // MARK: The list

    /// Reads the list of threads (`FetchThreadList`), then the metadata of each. Threads that the list lacks are
    /// removed here, except pending ones. Names that were given here and got no answer are told again. Returns
    /// how many threads the account has now. Throws what ``PlatformLink/ask(_:_:)`` throws.
    func loadThreads() async throws(ChatError) -> Int {
        state.withLock { $0.hasFreshList = true }
        let number = account.number
        let head = try await store.read { try $0.headOffset() }
        let threads = try await link.ask(.fetchThreadList) { [self] (frame) throws(ChatError) -> [WireThread] in
            guard case .answer(.threadListFetched(let threads), _) = frame else { throw Self.unexpected }
            let listed = threads.filter { Identifier.isValid($0.id) }
            try await forgetThreads(besides: Set(listed.map(\.id)), unchangedSince: head)
            for start in stride(from: 0, to: listed.count, by: Self.listStep) {
                try await take(listed[start..<min(start + Self.listStep, listed.count)])
            }
            return listed
        }
        await tellNamesAgain()
        try await loadMetadata(threads.map(\.id))
        return try await store.read { try $0.threadCount(of: number) }
    }

    /// How many threads are compared with the list, or taken from it, in one step: no unit is long, whatever an account
    /// has.
    private static let listStep = 500

    /// Removes threads that the platform does not list, except pending ones.
    ///
    /// - Parameters:
    ///   - listed: the ids of the platform's threads.
    ///   - head: the log's head before the list was asked for. A thread that has changed since, as by a push that made
    ///     it, is newer than the list, and not missing from it.
    private func forgetThreads(besides listed: Set<String>, unchangedSince head: Int64) async throws(ChatError) {
        let number = account.number
        var last = ""
        while true {
            let step = try await store.read { [last] in
                try $0.threadStandings(of: number, after: last, limit: Self.listStep)
            }
            let missing = step.filter { $0.state != .pending && $0.version <= head && !listed.contains($0.id) }
            if !missing.isEmpty {
                try await store.write { [self] transaction in
                    // One that has changed since it was read is newer than the list, too.
                    for thread in missing where try transaction.thread(thread.id, of: number)?.version == thread.version
                    {
                        _ = try forget(thread.id, in: transaction)
                    }
                }
                service.forget(Set(missing.map(\.id)), account: number)
            }
            guard let end = step.last, step.count == Self.listStep else { return }
            last = end.id
        }
    }

    private func take(_ listed: ArraySlice<WireThread>) async throws(ChatError) {
        try await store.write { [self] transaction in
            for wire in listed {
                var record = try open(wire.id, at: wire.createdAt, in: transaction)
                try transaction.change(&record) { thread in
                    thread.name = own(wire.name, of: wire.id)
                    if !wire.canAddMoreMessages {
                        thread.state = .closed
                    } else if thread.state == .pending || thread.state == .closed {
                        thread.state = .received
                    }
                }
            }
        }
    }

    /// The name to show: the customer's own one while the platform may not have it yet (``OwnNames``).
    ///
    /// - Parameter name: as the platform tells it; empty for none.
    private func own(_ name: String?, of thread: String) -> String? {
        service.ownNames.name(
            of: thread, account: account.number, there: name.flatMap { $0.isEmpty ? nil : $0.cutToName })
    }

    /// Loads the metadata of all threads, 16 at a time, because the platform limits the rate of requests. After
    /// the first failure no further request begins; those under way are waited for.
    private func loadMetadata(_ threads: [String]) async throws(ChatError) {
        let result: Result<Void, ChatError> = await withTaskGroup(of: Result<Void, ChatError>.self) { group in
            var next = threads.makeIterator()
            func add() {
                guard let thread = next.next() else { return }
                group.addTask { [self] in
                    do throws(ChatError) {
                        return .success(try await loadMetadata(thread))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            for _ in 0..<16 { add() }
            while let result = await group.next() {
                if case .failure = result { return result }
                add()
            }
            return .success(())
        }
        try result.get()
    }

    /// Sends `LoadThreadMetadata`: the thread's agent and its last message. A thread that was removed meanwhile
    /// is not made again.
    private func loadMetadata(_ thread: String) async throws(ChatError) {
        let reader = await reader
        try await link.ask(.loadThreadMetadata(ThreadReference(id: thread))) { [self] (frame) throws(ChatError) in
            guard case .answer(.threadMetadataLoaded(let metadata), _) = frame else { throw Self.unexpected }
            let last = RemoteMessage(metadata.lastMessage, for: reader)
            _ = try await change(thread) { transaction, record in
                try transaction.change(&record) { thread in
                    if let agent = metadata.ownerAssignee.map(Agent.init) { thread.agent = agent }
                    if thread.state == .received { thread.state = .loaded }
                }
                try transaction.preview(last, in: &record)
            }
        }
    }

    /// Reads one thread from the platform again, and answers with it. A pending thread, and a closed live chat,
    /// exist only here: they are answered from the store. Throws `unknownThread`, and what ``recover(_:)``
    /// throws.
    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let number = account.number
        guard let known = try await store.read({ try $0.thread(thread, of: number) }) else {
            throw .unknownThread(thread)
        }
        let isKnownThere = known.thread.state != .pending && (mode != .liveChat || known.thread.state != .closed)
        if isKnownThere {
            do throws(ChatError) {
                try await recover(thread)
                await tellNamesAgain()
            } catch {
                // A closed thread is no failure: the store has it.
                guard error.code == .recoveringThreadFailed, known.thread.state == .closed else { throw error }
            }
        }
        return try await answer(thread, receipt)
    }

    /// The thread's JSON as the outcome of a request, stored with the receipt in one transaction. Throws
    /// `unknownThread`.
    func answer(_ thread: String, _ receipt: Receipt?) async throws(ChatError) -> Outcome {
        let number = account.number
        return try await store.write { transaction in
            guard let record = try transaction.thread(thread, of: number) else { throw ChatError.unknownThread(thread) }
            let outcome = Outcome(.ok, id: thread, body: record.json(for: number), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    // MARK: Units

    /// Runs `work` in a write transaction on one of the account's threads. Returns nil if the account has no such
    /// thread.
    ///
    /// - Parameters:
    ///   - makes: makes the thread, in the state `received`, if there is none.
    ///   - isRepeatable: `work` touches nothing but its transaction: see ``ChatStore/write(inBackground:isRepeatable:_:)``.
    func change<T: Sendable>(
        _ thread: String, makes: Bool = false, isRepeatable: Bool = false,
        _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T? {
        let number = account.number
        return try await store.write(isRepeatable: isRepeatable) { [self] transaction in
            var found = try transaction.thread(thread, of: number)
            if found == nil, makes { found = try open(thread, at: nil, in: transaction) }
            guard var record = found else { return nil }
            return try work(transaction, &record)
        }
    }

    /// Returns the thread, and makes it if it is new here.
    ///
    /// - Parameter time: when the platform says it was made; nil: now.
    private func open(_ id: String, at time: Timestamp?, in transaction: WriteTransaction) throws -> ThreadRecord {
        if let known = try transaction.thread(id, of: account.number) { return known }
        var thread = ChatThread(id: id, createdAt: time ?? transaction.now, members: [])
        thread.state = .received
        return try transaction.merge(RemoteThread(thread), of: account.number)
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

extension ScrollPage {
    init(_ recovered: RecoveredThread, for reader: MessageReader) {
        self.init(recovered.messages, token: recovered.scrollToken, for: reader)
    }

    /// - Parameters:
    ///   - messages: newest first, as the platform sends them; hidden ones are left out of the page.
    ///   - token: leads to the next older page; empty at the end of the history.
    init(_ messages: [WireMessage], token: String, for reader: MessageReader) {
        self.messages = messages.reversed().compactMap { RemoteMessage($0, for: reader) }.ascending
        oldest = messages.map(\.time.milliseconds).min()
        self.token = token
    }
}
