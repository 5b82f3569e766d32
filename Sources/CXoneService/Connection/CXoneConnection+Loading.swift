import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// What follows a connection: the single thread or the live chat is recovered, or the threads are listed with their metadata.
extension CXoneConnection {
    // MARK: One thread

    func recoverThread() async throws(ChatError) -> Int {
        state.withLock { $0.hasFreshList = true }
        let number = account.number
        let known = try await store.read { try $0.openThreads(of: number, limit: 1).first }
        // The platform does not know it before its first message.
        if known?.thread.state == .pending { return 1 }
        do throws(ChatError) {
            return try await recover(known?.thread.id)
        } catch {
            guard error.code == .recoveringThreadFailed else { throw error }
            if mode == .liveChat, configuration.settings.isOn("isRecoverLivechatDoesNotFailEnabled") {
                // The platform promised not to fail like this.
                throw ChatError(.serverError, error.detail)
            }
            // Made meanwhile, by another session.
            let newest = try await store.read { try $0.openThreads(of: number, limit: 1) }
            if newest.contains(where: { $0.thread.state == .pending }) { return 1 }
            guard try await forgetThreads() else { throw error }
            return 1
        }
    }

    /// Asks for a thread, or for whatever there is. Returns how many can be used.
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
            // The platform may answer to LivechatRecovered in any other shape of "nothing".
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

    /// Writes a thread with its newest messages. Returns whether it can be used, as a number.
    func take(_ recovered: RecoveredThread) async throws(ChatError) -> Int {
        let page = ScrollPage(recovered, for: await reader)
        guard Identifier.isValid(recovered.thread.id) else { throw Self.unexpected }
        let isEnded = mode == .liveChat && recovered.contact?.status == .closed
        let id = recovered.thread.id
        let isWritten = try await change(id, makes: true) { [self] transaction, record in
            takeFields(recovered, of: &record, in: transaction)
            let times = page.messages.map(\.message.createdAt)
            try transaction.change(&record) { thread in
                if let first = times.first { thread.createdAt = min(thread.createdAt, first) }
                thread.state = isEnded || !recovered.thread.canAddMoreMessages ? .closed : .ready
                if let name = recovered.thread.name, mode == .multithread { thread.name = own(name, of: id) }
                if let contact = recovered.contact {
                    thread.contactID = contact.id
                    thread.contactClosedAt = contact.status == .closed
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
            // Beside what an earlier connection knew, only the synchronization can tell what is between.
            let chunks = try transaction.chunks(of: record.number)
            guard chunks.isEmpty || chunks.last?.isOpen == true else {
                try transaction.preview(page.messages.last, in: &record)
                return false
            }
            let coverage = HistoryCoverage(
                low: page.token.isEmpty ? nil : page.messages.first?.milliseconds, high: page.messages.last?.milliseconds,
                isNewest: true)
            // A page of hidden messages says nothing about where the history ends.
            let covers = !page.messages.isEmpty || page.token.isEmpty
            try transaction.merge(page.messages, by: .missed, covering: covers ? coverage : nil, into: &record)
            return true
        }
        if isWritten == false { state.withLock { $0.keep(fresh: page, of: id) } }
        mark(page, of: id)
        return isEnded || !recovered.thread.canAddMoreMessages ? 0 : 1
    }

    private func takeFields(_ recovered: RecoveredThread, of record: inout ThreadRecord, in transaction: WriteTransaction) {
        let owner = FieldTimes.Owner(account: account.number, thread: recovered.thread.id)
        if let fields = recovered.contact?.customFields, !fields.isEmpty {
            record.thread.customFields = service.fieldTimes.merge(fields, into: record.thread.customFields, of: owner)
        }
        guard !recovered.customerFields.isEmpty, var customer = try? transaction.account(account.number) else { return }
        let before = customer.customFields
        customer.customFields = service.fieldTimes.merge(
            recovered.customerFields, into: before, of: FieldTimes.Owner(account: account.number))
        if customer.customFields != before { try? transaction.save(customer) }
    }

    private func closeOpenThreads() async throws(ChatError) {
        let number = account.number
        try await store.write { transaction in
            for var record in try transaction.openThreads(of: number, limit: 100) where record.thread.state != .pending {
                try transaction.close(&record)
            }
        }
    }

    /// The platform has none of them. Returns whether one stays, for what was not sent yet.
    private func forgetThreads() async throws(ChatError) -> Bool {
        let number = account.number
        guard mode != .multithread else { return false }
        return try await store.write { [self] transaction in
            var stays = false
            for record in try transaction.openThreads(of: number, limit: 100) {
                stays = try forget(record.thread.id, in: transaction) || stays
            }
            return stays
        }
    }

    /// The platform does not have this thread. One with messages that were not sent stays, and begins there anew with the first
    /// of them; a live chat would begin with another agent. Returns whether it stays.
    private func forget(_ thread: String, in transaction: WriteTransaction) throws -> Bool {
        let number = account.number
        service.forget(thread, account: number)
        guard mode != .liveChat, var record = try transaction.thread(thread, of: number), record.thread.state != .closed,
              try !transaction.outgoingMessages(of: number, thread: thread).isEmpty else {
            try transaction.removeRemoteThread(thread, of: number)
            return false
        }
        try transaction.change(&record) { ($0.state, $0.contactID, $0.contactClosedAt, $0.agent) = (.pending, nil, nil, nil) }
        return true
    }

    // MARK: The list

    func loadThreads() async throws(ChatError) -> Int {
        state.withLock { $0.hasFreshList = true }
        let number = account.number
        let known = try await store.read { try $0.threadStates(of: number) }
        let threads = try await link.ask(.fetchThreadList) { [self] (frame) throws(ChatError) -> [WireThread] in
            guard case .answer(.threadListFetched(let threads), _) = frame else { throw Self.unexpected }
            let listed = threads.filter { Identifier.isValid($0.id) }
            try await take(listed, known: known)
            return listed
        }
        await tellNamesAgain()
        try await loadMetadata(threads.map(\.id))
        return try await store.read { try $0.threadCount(of: number) }
    }

    /// - Parameter known: which threads were there when the list was asked for: those that it lacks are gone.
    private func take(_ listed: [WireThread], known: [String: ThreadState]) async throws(ChatError) {
        let gone = known.filter { $0.value != .pending }.keys.filter { id in !listed.contains { $0.id == id } }
        try await store.write { [self] transaction in
            for id in gone { _ = try forget(id, in: transaction) }
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

    /// - Parameter name: as the platform tells it, "" for none.
    private func own(_ name: String?, of thread: String) -> String? {
        service.ownNames.name(of: thread, account: account.number, there: name.flatMap { $0.isEmpty ? nil : $0.cutToName })
    }

    /// All at once, but not more than some at a time: the platform limits how much may be asked.
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

    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let number = account.number
        guard let known = try await store.read({ try $0.thread(thread, of: number) }) else { throw .unknownThread(thread) }
        let isKnownThere = known.thread.state != .pending && (mode != .liveChat || known.thread.state != .closed)
        if isKnownThere {
            do throws(ChatError) {
                try await recover(thread)
                await tellNamesAgain()
            } catch {
                // The thread is here, and closed.
                guard error.code == .recoveringThreadFailed, known.thread.state == .closed else { throw error }
            }
        }
        return try await answer(thread, receipt)
    }

    /// The thread as it is now.
    func answer(_ thread: String, _ receipt: Receipt?) async throws(ChatError) -> Outcome {
        let number = account.number
        return try await store.write { transaction in
            guard let record = try transaction.thread(thread, of: number) else { throw ChatError.unknownThread(thread) }
            let outcome = Outcome(.ok, id: thread, body: record.json(for: number))
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    // MARK: Units

    /// Runs a unit on one of the account's threads; nil if there is none of this id, unless it is to be made.
    func change<T: Sendable>(
        _ thread: String, makes: Bool = false, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T? {
        let number = account.number
        return try await store.write { [self] transaction in
            var found = try transaction.thread(thread, of: number)
            if found == nil, makes { found = try open(thread, at: nil, in: transaction) }
            guard var record = found else { return nil }
            return try work(transaction, &record)
        }
    }

    /// A thread of the platform, made if it is new here.
    private func open(_ id: String, at time: Timestamp?, in transaction: WriteTransaction) throws -> ThreadRecord {
        if let known = try transaction.thread(id, of: account.number) { return known }
        var thread = ChatThread(id: id, createdAt: time ?? transaction.now, members: [])
        thread.state = .received
        return try transaction.merge(RemoteThread(thread), of: account.number)
    }
}

extension RecoveredThread {
    /// The popup that the platform shows, if the newest message is one.
    fileprivate var popup: ChatModel.InactivityPopup? {
        guard case .inactivityPopup(let popup)? = messages.first?.content.body else { return nil }
        return ChatModel.InactivityPopup(popup)
    }
}

extension ScrollPage {
    init(_ recovered: RecoveredThread, for reader: MessageReader) {
        self.init(recovered.messages, token: recovered.scrollToken, for: reader)
    }

    init(_ messages: [WireMessage], token: String, for reader: MessageReader) {
        self.messages = messages.reversed().compactMap { RemoteMessage($0, for: reader) }.ascending
        oldest = messages.map(\.time.milliseconds).min()
        self.token = token
    }
}
