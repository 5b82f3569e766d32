import ChatModel
import ChatStore

/// Reading: on the calling thread, bounded, in any state, from what is committed.
extension ChatClient {
    /// The account's threads, latest activity first.
    public nonisolated func threads(_ filter: ThreadFilter, page: PageRequest) throws(ChatError) -> PageBytes {
        try store.read { try $0.threadPage(of: account, filter, page) }
    }

    /// Throws `unknownThread`.
    public nonisolated func thread(_ id: String) throws(ChatError) -> Versioned {
        try store.read { transaction in
            guard let record = try transaction.thread(id, of: account) else { throw ChatError.unknownThread(id) }
            return Versioned(body: record.json(for: account), version: record.version, offset: try transaction.headOffset())
        }
    }

    /// A thread's messages, newest first. Throws `unknownThread`.
    public nonisolated func messages(of thread: String, replies: ReplyFilter, page: PageRequest) throws(ChatError) -> PageBytes {
        try store.messagePage(of: account, thread: thread, replies: replies, page)
    }

    /// A page of a message's replies. Throws `unknownThread`, `unknownMessage`, `unsupportedCapability`.
    public nonisolated func replies(to message: String, in thread: String, _ request: ReplyRequest) throws(ChatError) -> PageBytes {
        try ThreadRules.check(.replies, on: channel)
        return try store.read { transaction in
            guard let record = try transaction.thread(thread, of: account) else { throw ChatError.unknownThread(thread) }
            return try transaction.replyPage(of: message, in: record, request)
        }
    }

    /// Messages of the account's threads, or of one, whose text has all the words; newest first. Throws `unknownThread`.
    public nonisolated func search(for text: String, in thread: String?, page: PageRequest) async throws(ChatError) -> SearchPage {
        try await store.search(thread.map { .thread($0, of: account) } ?? .account(account), for: text, page: page)
    }

    /// Throws `unknownThread`, `unknownMessage`.
    public nonisolated func message(_ id: String, in thread: String) throws(ChatError) -> Versioned {
        try store.read { transaction in
            guard let record = try transaction.thread(thread, of: account) else { throw ChatError.unknownThread(thread) }
            guard let message = try transaction.message(id, in: record) else {
                // Not confirmed yet, or not sent at all.
                guard let own = try transaction.outgoing(id, in: record) else { throw ChatError.unknownMessage(id) }
                return Versioned(body: own.message.canonicalJSON, version: own.version, offset: try transaction.headOffset())
            }
            return Versioned(body: message.message.canonicalJSON, version: message.version, offset: try transaction.headOffset())
        }
    }

    /// The session's customer, and the customer's custom fields.
    public nonisolated func customer() throws(ChatError) -> (customer: Customer, customFields: [String: String]) {
        let record = try store.read { (transaction) throws -> AccountRecord in try transaction.account(account) }
        return (record.customer, record.customFields)
    }

    /// Throws `unknownThread`.
    public nonisolated func customFields(of thread: String) throws(ChatError) -> [String: String] {
        guard let record = try store.read({ try $0.thread(thread, of: account) }) else { throw .unknownThread(thread) }
        return record.thread.customFields
    }
}
