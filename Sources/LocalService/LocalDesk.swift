import Chat
import ChatModel
import ChatStore

/// The agent's side of the embedded service.
public struct LocalDesk: DeskService {
    let store: ChatStore

    public init(store: ChatStore) { self.store = store }

    // MARK: Reading

    public func threads(_ filter: ThreadFilter, channel: String?, page: PageRequest) throws(ChatError) -> PageBytes {
        try store.read { try $0.deskThreadPage(service: LocalService.serviceID, channel: channel, filter, page) }
    }

    public func thread(_ thread: DeskThread) throws(ChatError) -> Versioned {
        try store.read { transaction in
            let record = try transaction.find(thread)
            return Versioned(body: record.deskJSON, version: record.version, offset: try transaction.headOffset())
        }
    }

    public func messages(of thread: DeskThread, replies: ReplyFilter, page: PageRequest) throws(ChatError) -> PageBytes {
        let number = try store.read { try $0.find(thread).number }
        return try store.deskMessagePage(of: number, replies: replies, page)
    }

    public func replies(to message: String, in thread: DeskThread, _ request: ReplyRequest) throws(ChatError) -> PageBytes {
        try store.read { try $0.replyPage(of: message, in: $0.find(thread), request) }
    }

    public func message(_ message: String, in thread: DeskThread) throws(ChatError) -> Versioned {
        try store.read { transaction in
            guard let found = try transaction.message(message, in: transaction.find(thread)) else {
                throw ChatError.unknownMessage(message)
            }
            return Versioned(body: found.message.canonicalJSON, version: found.version, offset: try transaction.headOffset())
        }
    }

    public func search(for text: String, in thread: DeskThread?, page: PageRequest) async throws(ChatError) -> SearchPage {
        var scope = SearchScope.desk(service: LocalService.serviceID)
        if let thread { scope = .deskThread(number: try store.read { try $0.find(thread).number }) }
        return try await store.search(scope, for: text, page: page)
    }

    public func channels() throws(ChatError) -> [Channel] {
        try store.read { try $0.channels(of: LocalService.serviceID) }
    }

    // MARK: Messages

    public func send(
        _ draft: MessageDraft, as agent: Agent, to thread: DeskThread, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try draft.check()
        return try await unit(thread) { transaction, record in
            try MessageWork(transaction: transaction, party: .agent(agent)).send(draft, to: &record, receipt: receipt)
        }
    }

    public func edit(
        _ message: String, in thread: DeskThread, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        try MessageDraft(text: text).check()
        return try await unit(thread) { transaction, record in
            try MessageWork(transaction: transaction, party: .agent(Self.anyone))
                .edit(message, text: text, ifMatch: version, in: &record)
        }
    }

    public func remove(_ message: String, in thread: DeskThread, ifMatch version: Int64?) async throws(ChatError) {
        try await unit(thread) { transaction, record in
            try MessageWork(transaction: transaction, party: .agent(Self.anyone)).remove(message, ifMatch: version, in: &record)
        }
    }

    /// Who edits and removes: the desk's agents may do so for one another.
    private static let anyone = Agent(id: "agent")

    // MARK: Threads

    public func reportTyping(_ isTyping: Bool, as agent: Agent, in thread: DeskThread) async throws(ChatError) {
        let record = try store.read { try $0.find(thread) }
        try ThreadRules.checkOpen(record.thread)
        let typing = TypingEvent(threadID: thread.id, isTyping: isTyping, author: Author(agent))
        store.feed.publish(.typing, data: typing.json(), to: record.members.map { .account($0.account) })
    }

    public func markRead(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            guard try record.thread.deskUnreadCount > 0
                || transaction.hasUnseenAside(.toAgent, in: record, after: record.deskRead) else { return outcome }
            var read = record.deskRead
            _ = try transaction.markSeen(.toAgent, in: &record, read: &read, withDesk: true)
            record.deskRead = read
            record.thread.deskUnreadCount = 0
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            return outcome
        }
    }

    public func assign(_ agent: Agent, to thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await change(thread, receipt) { record in
            try ThreadRules.checkOpen(record.thread)
            record.thread.agent = agent
        }
    }

    public func close(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await change(thread, receipt) { record in
            try ThreadRules.checkOpen(record.thread)
            record.thread.state = .closed
        }
    }

    public func createChannel(_ draft: ChannelDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await store.write { transaction in
            if try transaction.channel(draft.id, of: LocalService.serviceID) != nil {
                throw ChatError(.channelExists, "There is a channel \(draft.id) already.", pointer: "/id")
            }
            let channel = LocalService.channel(draft)
            try transaction.save(channel, of: LocalService.serviceID)
            let outcome = Outcome(.created, id: channel.id, body: channel.canonicalJSON)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    func change(
        _ thread: DeskThread, _ receipt: Receipt?, _ work: @escaping @Sendable (inout ThreadRecord) throws -> Void
    ) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            let before = record.thread
            try work(&record)
            if record.thread != before {
                record.thread.updatedAt = record.thread.nextUpdate(transaction.now)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            let outcome = Outcome(.ok, id: thread.id, body: record.deskJSON)
            try transaction.record(receipt, outcome, message: record.lastMessageNumber)
            return outcome
        }
    }

    func unit<T: Sendable>(
        _ thread: DeskThread, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        try await store.write { transaction in
            var record = try transaction.find(thread)
            return try work(transaction, &record)
        }
    }
}

extension ReadTransaction {
    fileprivate func find(_ thread: DeskThread) throws -> ThreadRecord { try find(thread, onService: LocalService.serviceID) }
}
