import ChatModel
import ChatStore
import Formats

/// Reading: bounded, allowed in any state, and always from what is committed.
extension ChatClient {
    /// The account's threads that a query shows, latest activity first, whatever its order is.
    public func threads(_ query: ThreadQuery, page: PageRequest) async throws(ChatError) -> PageBytes {
        let account = account
        let body = { @Sendable (transaction: ReadTransaction) throws in
            try transaction.threadPage(of: account, query, page)
        }
        let isBounded = !query.passesOver && query.visibility == .all
        return isBounded ? try await store.readNow(body) : try await store.read(body)
    }

    /// One thread, with the account's own part of it: what it has not read, its membership. Throws `unknownThread`.
    public func thread(_ id: String) async throws(ChatError) -> Versioned {
        let account = account
        return try await store.readNow { try $0.versioned(thread: id, of: account) }
    }

    /// What the account has not read, over all threads that it has joined and that are neither closed nor hidden.
    public func unreadTotal() async throws(ChatError) -> UnreadTotal {
        let account = account
        return try await store.readNow { try $0.unreadTotal(of: account) }
    }

    /// A thread's messages, newest first. Throws `unknownThread`.
    public func messages(
        of thread: String, replies: ReplyFilter, page: PageRequest
    ) async throws(ChatError) -> PageBytes {
        try await store.messagePage(of: account, thread: thread, replies: replies, page)
    }

    /// A page of a thread's messages if it is in memory and nothing has changed; nil otherwise.
    public func keptMessages(of thread: String, replies: ReplyFilter, page: PageRequest) -> PageBytes? {
        store.keptMessagePage(of: account, thread: thread, replies: replies, page)
    }

    /// How many of a thread's messages were removed. Throws `unknownThread`.
    public func removedMessages(of thread: String) async throws(ChatError) -> Int {
        let account = account
        return try await store.read { try $0.removedMessages(of: $0.find(thread, of: account)) }
    }

    /// A page of a message's replies. A filter may pass over many rows.
    ///
    /// Throws `unknownThread`, `unknownMessage`, `unsupportedCapability`.
    public func replies(
        to message: String, in thread: String, _ request: ReplyRequest
    ) async throws(ChatError) -> PageBytes {
        try ThreadRules.check(.replies, on: channel)
        let account = account
        return try await store.read { try $0.replyPage(of: message, in: $0.find(thread, of: account), request) }
    }

    /// Messages whose text has all the words, newest first: of all the account's threads, or of one. Throws
    /// `unknownThread`.
    public func search(
        for text: String, where filter: SearchFilter, in thread: String?, page: PageRequest
    ) async throws(ChatError) -> SearchPage {
        try await store.search(
            thread.map { .thread($0, of: account) } ?? .account(account), for: text, where: filter, page: page)
    }

    /// One message; also one of the account's own that is pending or failed. Throws `unknownThread`, `unknownMessage`.
    public func message(_ id: String, in thread: String) async throws(ChatError) -> Versioned {
        let account = account
        return try await store.readNow { try $0.versioned(message: id, in: thread, of: account) }
    }

    /// The session's customer, and the customer's custom fields.
    public func customer() async throws(ChatError) -> (customer: Customer, customFields: [String: String]) {
        let account = account
        let record = try await store.readNow { (transaction) throws -> AccountRecord in
            try transaction.account(account)
        }
        return (record.customer, record.customFields)
    }

    /// Throws `unknownThread`.
    public func customFields(of thread: String) async throws(ChatError) -> [String: String] {
        let account = account
        return try await store.readNow { try $0.find(thread, of: account).thread.customFields }
    }

    /// The session as it is now.
    public func snapshot() async -> SessionSnapshot {
        snapshot(of: try? await customer().customer)
    }

    /// Throws `unknownThread` unless the account has the thread.
    func checkThread(_ id: String) async throws(ChatError) {
        let account = account
        guard try await store.readNow({ try $0.hasThread(id, of: account) }) else { throw .unknownThread(id) }
    }
}

extension ReadTransaction {
    fileprivate func find(_ thread: String, of account: Int64) throws -> ThreadRecord {
        guard let record = try self.thread(thread, of: account) else { throw ChatError.unknownThread(thread) }
        return record
    }

    fileprivate func versioned(thread id: String, of account: Int64) throws -> Versioned {
        let record = try find(id, of: account)
        return Versioned(body: record.json(for: account), version: record.version, offset: try headOffset())
    }

    fileprivate func versioned(message id: String, in thread: String, of account: Int64) throws -> Versioned {
        let record = try find(thread, of: account)
        guard let message = try message(id, in: record) else {
            // Not confirmed yet, or not sent at all.
            guard let own = try outgoing(id, in: record) else { throw ChatError.unknownMessage(id) }
            return Versioned(body: own.message.canonicalJSON, version: own.version, offset: try headOffset())
        }
        return Versioned(body: message.message.canonicalJSON, version: message.version, offset: try headOffset())
    }
}
