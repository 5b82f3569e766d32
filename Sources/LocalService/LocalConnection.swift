import Chat
import ChatModel
import ChatStore

/// A customer's connection to the embedded service.
///
/// There is no network behind it, so it is never lost: `onLoss` of ``LocalService/connect(_:channel:onLoss:)`` is
/// never called. A value for each session; all of them share one store.
struct LocalConnection: ServiceConnection {
    let live: LiveStore
    let account: Int64
    let channel: Channel
    /// Names the connection where it types.
    let holder: Int
    var store: ChatStore { live.store }

    /// Returns 1 if the account has an open thread, otherwise 0. Nothing has to be fetched: the store has every
    /// thread.
    ///
    /// Throws `recoveringThreadFailed` when there is no open thread, except on a live chat channel.
    func recoverThread() async throws(ChatError) -> Int {
        let count = try await store.read { try $0.openThreads(of: account, limit: 1).count }
        guard count > 0 || channel.mode == .liveChat else {
            throw ChatError(.recoveringThreadFailed, "The customer has no thread yet.")
        }
        return count
    }

    /// Returns how many threads the account has. The store has all of them already.
    func loadThreads() async throws(ChatError) -> Int { try await store.read { try $0.threadCount(of: account) } }

    /// Answers with the thread as it is stored. Throws `unknownThread`.
    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        // There is no remote service to read the thread from again.
        try await unit(thread) { transaction, record in
            let outcome = Outcome(.ok, id: thread, body: record.json(for: account), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }

    /// Tells that its customer types no more.
    func close() async { live.typing.leave(holder) }

    /// Runs a unit on one of the account's threads. Throws `unknownThread`. Members who were only invited may pass.
    func unit<T: Sendable>(
        _ thread: String, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        try await store.write(reading: [.thread(thread, of: account)]) { transaction in
            guard var record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            try transaction.act(as: account)
            return try work(transaction, &record)
        }
    }

    /// Like ``unit(_:_:)``, for actions that need a member who has joined. Throws `notJoined` for one who was only
    /// invited.
    func joinedUnit<T: Sendable>(
        _ thread: String, _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        try await unit(thread) { [account] transaction, record in
            try ThreadRules.checkJoined(record.members.first { $0.account == account }?.state ?? .joined, record.thread)
            return try work(transaction, &record)
        }
    }

    /// Like ``joinedUnit(_:_:)``, for actions that may change a queue, a contact or a due time of a live chat.
    func joinedLiveUnit<T: Sendable>(
        _ thread: String,
        _ work: @escaping @Sendable (WriteTransaction, inout LiveChatWork, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        let reads = [WantedRows.thread(thread, of: account), .channel(channel.id, of: LocalService.serviceID)]
        return try await live.write(reading: reads) { [account] transaction, live in
            guard var record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            try ThreadRules.checkJoined(record.members.first { $0.account == account }?.state ?? .joined, record.thread)
            try transaction.act(as: account)
            return try work(transaction, &live, &record)
        }
    }
}

extension WriteTransaction {
    /// The unit's changes are those of this account's customer.
    func act(as account: Int64) throws { actor = Author(try self.account(account).customer) }
}

extension LocalConnection {
    /// Sends a message of this customer. See ``MessageWork/send(_:to:live:receipt:)``.
    func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedLiveUnit(thread) { transaction, live, record in
            try work(transaction, answersIfClosed: true).send(draft, to: &record, live: &live, receipt: receipt)
        }
    }

    /// Changes the text of a message that this customer wrote.
    func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            try work(transaction).edit(message, text: text, ifMatch: version, in: &record)
        }
    }

    /// Removes a message that this customer wrote, with its attachments.
    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        try await joinedUnit(thread) { transaction, record in
            try work(transaction).remove(message, ifMatch: version, in: &record)
        }
    }

    /// The message work of this account inside a unit. The account is read in the unit, so its name is the current
    /// one.
    private func work(_ transaction: WriteTransaction, answersIfClosed: Bool = false) throws -> MessageWork {
        MessageWork(
            transaction: transaction, party: .customer(try transaction.account(account)), quotas: store.quotas,
            openings: answersIfClosed ? live.openings : nil)
    }
}

/// What a customer does with the own membership of a thread.
extension LocalConnection {
    /// Accepts an invitation. An account that has joined already gets the same answer, and nothing is logged.
    func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await change(thread, receipt) { $0.state = .joined }
    }

    /// Hides the thread from the account's default list, or shows it again. The next message of the conversation
    /// shows it again too.
    func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await change(thread, receipt) { $0.isHidden = isHidden }
    }

    /// Removes the account from the thread. The thread and its messages stay for the others.
    func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await live.write { [account] transaction, live in
            guard var record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            try transaction.leave(account, &record)
            live.endTyping(.of(.account(account), thread: record.number))
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    /// Hides all messages up to now from this account. The other members and the desk see them as before.
    func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            try transaction.resetHistory(for: account, in: &record, withDesk: true)
            let outcome = Outcome(.none)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }

    /// Changes this account's membership. Only this account gets the `thread.updated`, and only if something has
    /// changed.
    private func change(
        _ thread: String, _ receipt: Receipt?, _ work: @escaping @Sendable (inout MemberRecord) -> Void
    ) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            guard let index = record.members.firstIndex(where: { $0.account == account }) else {
                throw ChatError.unknownThread(thread)
            }
            let before = record.members[index].membership
            work(&record.members[index])
            if record.members[index].membership != before {
                try transaction.saveMembership(record.members[index], in: record)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true, onlyTo: account)
            }
            let outcome = Outcome(.ok, id: thread, body: record.json(for: account), version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }
}

extension WriteTransaction {
    /// Removes a member, and logs `thread.updated` for those who stay. The account itself gets `thread.removed`.
    func leave(_ account: Int64, _ record: inout ThreadRecord) throws {
        try remove(member: account, from: &record)
        record.thread.updatedAt = record.thread.nextUpdate(now)
        try save(&record, logging: .threadUpdated, withDesk: true)
    }
}
