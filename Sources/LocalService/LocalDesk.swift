import Chat
import ChatModel
import ChatStore

/// The agent's side of the embedded service.
public struct LocalDesk: DeskService {
    let live: LiveStore
    var store: ChatStore { live.store }

    // MARK: Searching

    public func search(for text: String, in thread: DeskThread?, page: PageRequest) async throws(ChatError) -> SearchPage {
        var scope = SearchScope.desk(service: LocalService.serviceID)
        if let thread { scope = .deskThread(number: try await number(of: thread)) }
        return try await store.search(scope, for: text, page: page)
    }

    // MARK: Messages

    public func send(
        _ draft: MessageDraft, as agent: Agent, to thread: DeskThread, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try draft.check()
        return try await live.write { transaction, live in
            var record = try transaction.find(thread)
            return try MessageWork(transaction: transaction, party: .agent(agent))
                .send(draft, to: &record, live: &live, receipt: receipt)
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
        let record = try await store.read { try $0.find(thread) }
        try ThreadRules.checkOpen(record.thread)
        let typing = TypingEvent(threadID: thread.id, isTyping: isTyping, author: Author(agent))
        store.feed.publish(typing, to: record.members.map { .account($0.account) })
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
    /// The thread that the desk names. Throws `unknownThread`, `ambiguousThread`.
    func find(_ thread: DeskThread) throws -> ThreadRecord { try find(thread, onService: LocalService.serviceID) }
}
