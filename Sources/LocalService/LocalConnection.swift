import Chat
import ChatModel
import ChatStore

/// A customer's connection to the embedded service. It cannot be lost.
struct LocalConnection: ServiceConnection {
    let live: LiveStore
    let account: Int64
    let channel: Channel
    var store: ChatStore { live.store }

    func recoverThread() async throws(ChatError) -> Int {
        let count = try await store.read { try $0.openThreads(of: account, limit: 1).count }
        guard count > 0 || channel.mode == .liveChat else {
            throw ChatError(.recoveringThreadFailed, "The customer has no thread yet.")
        }
        return count
    }

    func loadThreads() async throws(ChatError) -> Int { try await store.read { try $0.threadCount(of: account) } }

    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        // The rows are the truth: there is nothing to read again.
        try await unit(thread) { transaction, record in
            let outcome = Outcome(.ok, id: thread, body: record.json(for: account))
            try transaction.record(receipt, outcome, message: record.lastMessageNumber)
            return outcome
        }
    }

    func close() async {}

    /// Runs a unit on one of the account's threads. Throws `unknownThread`.
    func unit<T: Sendable>(
        _ thread: String, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        try await store.write { transaction in
            guard var record = try transaction.thread(thread, of: account) else { throw ChatError.unknownThread(thread) }
            return try work(transaction, &record)
        }
    }

    /// The same for what only takes part who has joined. Throws `notJoined`.
    func joinedUnit<T: Sendable>(
        _ thread: String, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        try await unit(thread) { [account] transaction, record in
            try ThreadRules.checkJoined(record.members.first { $0.account == account }?.state ?? .joined, record.thread)
            return try work(transaction, &record)
        }
    }

    /// The same where a live chat may change.
    func joinedLiveUnit<T: Sendable>(
        _ thread: String, _ work: @escaping @Sendable (WriteTransaction, inout LiveWork, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        try await live.write { [account] transaction, live in
            guard var record = try transaction.thread(thread, of: account) else { throw ChatError.unknownThread(thread) }
            try ThreadRules.checkJoined(record.members.first { $0.account == account }?.state ?? .joined, record.thread)
            return try work(transaction, &live, &record)
        }
    }
}

extension LocalConnection {
    func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedLiveUnit(thread) { transaction, live, record in
            try work(transaction).send(draft, to: &record, live: &live, receipt: receipt)
        }
    }

    func edit(_ message: String, in thread: String, text: String, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            try work(transaction).edit(message, text: text, ifMatch: version, in: &record)
        }
    }

    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        try await joinedUnit(thread) { transaction, record in
            try work(transaction).remove(message, ifMatch: version, in: &record)
        }
    }

    private func work(_ transaction: WriteTransaction) throws -> MessageWork {
        MessageWork(transaction: transaction, party: .customer(try transaction.account(account)))
    }
}
