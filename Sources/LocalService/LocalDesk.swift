import Chat
import ChatModel
import ChatStore

/// The agents' side of the embedded service. It sees the threads of all customers, except those that are still
/// pending.
///
/// A value without state of its own: any task may use any copy.
public struct LocalDesk: DeskService {
    let live: LiveStore
    var store: ChatStore { live.store }

    // MARK: Searching

    /// Searches in one thread, or in all threads that the desk knows.
    public func search(
        for text: String, in thread: DeskThread?, page: PageRequest
    ) async throws(ChatError) -> SearchPage {
        var scope = SearchScope.desk(service: LocalService.serviceID)
        if let thread { scope = .deskThread(number: try await number(of: thread)) }
        return try await store.search(scope, for: text, page: page)
    }

    // MARK: Messages

    /// Sends a message of an agent; it answers no queue and takes no thread over. See
    /// ``MessageWork/send(_:to:live:receipt:)``.
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

    /// Changes the text of a message of the desk, whichever agent wrote it. Throws `notAuthor` for a customer's
    /// message.
    public func edit(
        _ message: String, in thread: DeskThread, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        try MessageDraft(text: text).check()
        return try await unit(thread) { transaction, record in
            try MessageWork(transaction: transaction, party: .agent(Self.anyone))
                .edit(message, text: text, ifMatch: version, in: &record)
        }
    }

    /// Removes any message of the thread, with its attachments. Throws `parentHasReplies`.
    public func remove(_ message: String, in thread: DeskThread, ifMatch version: Int64?) async throws(ChatError) {
        try await unit(thread) { transaction, record in
            try MessageWork(transaction: transaction, party: .agent(Self.anyone)).remove(
                message, ifMatch: version, in: &record)
        }
    }

    /// Stands for the desk where an action has no agent: agents may edit and remove the messages of one another.
    private static let anyone = Agent(id: "agent")

    // MARK: Threads

    /// Sends an ephemeral typing event to all members. Nothing is stored.
    public func reportTyping(_ isTyping: Bool, as agent: Agent, in thread: DeskThread) async throws(ChatError) {
        let record = try await store.read { try $0.find(thread) }
        try ThreadRules.checkOpen(record.thread)
        let typing = TypingEvent(threadID: thread.id, isTyping: isTyping, author: Author(agent))
        store.feed.publish(typing, to: record.members.map { .account($0.account) })
    }

    /// Marks the customers' messages as seen, for all agents at once. Logs nothing when there is nothing new.
    public func markRead(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            try transaction.markReadByDesk(&record)
            return outcome
        }
    }

    /// Runs a unit on a thread that the desk names. Throws `unknownThread`, `ambiguousThread`.
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
    /// The thread that the desk names, by id, and by channel and customer where these are given. Throws
    /// `unknownThread`, and `ambiguousThread` when several customers have a thread of this id.
    func find(_ thread: DeskThread) throws -> ThreadRecord { try find(thread, onService: LocalService.serviceID) }
}

extension WriteTransaction {
    /// Marks the customers' messages as seen by the desk; see ``LocalDesk/markRead(_:receipt:)``.
    func markReadByDesk(_ record: inout ThreadRecord) throws {
        guard
            try record.thread.deskUnreadCount > 0 || hasUnseenAside(.toAgent, in: record, after: record.deskRead)
        else { return }
        var read = record.deskRead
        _ = try markSeen(.toAgent, in: &record, read: &read, withDesk: true)
        record.deskRead = read
        record.thread.deskUnreadCount = 0
        try save(&record, logging: .threadUpdated, withDesk: true)
    }
}
