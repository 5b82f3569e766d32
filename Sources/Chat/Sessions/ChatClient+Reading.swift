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

/// Pages of a thread's messages where the store may have only a part of them.
extension ChatClient {
    /// Whether the store has every message of the account's threads, so that ``messages(of:replies:page:)`` misses
    /// none.
    public var isComplete: Bool { cache == nil }

    /// A page of a thread's messages, newest first. Where the store's rows end, the service is asked for more, for up
    /// to 10 s.
    ///
    /// The first page also has the account's own messages that are pending or failed (``UnsentMessages``).
    ///
    /// A page never shows rows from the other side of a hole. When the service did not deliver in time, the page is
    /// shorter than its limit and has a `next`. Throws `unknownThread`. Throws `notConnected`, `eventTimeout` when the
    /// page would be empty although the history goes on.
    public func history(
        of thread: String, replies: ReplyFilter, page request: PageRequest
    ) async throws(ChatError) -> PageBytes {
        guard let cache else { return try await messages(of: thread, replies: replies, page: request) }
        let history = ChunkedHistory(store: store, account: cache)
        var read = try await read(thread, replies, request, history)
        if !read.page.isFull, read.bound != nil {
            let begun = read
            let extended = try await Deadline(clock: clock).first { [self] () throws(ChatError) in
                try await extend(begun, of: thread, replies, request, history)
            }
            if let extended { read = extended } else { read = try await self.read(thread, replies, request, history) }
        }
        guard read.page.count == 0, read.bound != nil else { return read.page }
        throw cache.source == nil
            ? ChatError(.notConnected, "The service has more of the history, but the session is not connected to it.")
            : ChatError(.eventTimeout, "The service has more of the history, but did not deliver it in time.")
    }

    /// Asks the service for more until the page is full or nothing more comes.
    private func extend(
        _ begun: HistoryRead, of thread: String, _ replies: ReplyFilter, _ request: PageRequest,
        _ history: ChunkedHistory
    ) async throws(ChatError) -> HistoryRead {
        var read = begun
        // Each turn must bring something; otherwise it ends.
        while !read.page.isFull, let edge = read.bound {
            await history.extend(thread: read.thread, read.direction, beyond: edge)
            let again = try await self.read(thread, replies, request, history)
            let isStuck = again.bound == edge && again.page.count == read.page.count
            read = again
            if isStuck { break }
        }
        return read
    }

    private struct HistoryRead: Sendable {
        var page: PageBytes
        var thread: Int64
        var direction: FetchDirection
        /// Where a hole begins; nil if nothing is missing of the times that are asked for.
        var bound: MessagePosition?
    }

    private func read(
        _ thread: String, _ replies: ReplyFilter, _ request: PageRequest, _ history: ChunkedHistory
    ) async throws(ChatError) -> HistoryRead {
        let account = account
        return try await store.read { transaction in
            guard let record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            let place = try request.place(in: record, replies: replies)
            let extent = history.extent(try transaction.chunks(of: record.number), around: place.position)
            let hole = place.isOlder ? extent.low : extent.high
            let bound = request.times.hole(hole, isOlder: place.isOlder)
            var page = try transaction.messagePage(of: record, replies: replies, within: bound, request)
            if request.cursor == nil {
                let own = try transaction.outgoingMessages(of: account, thread: thread)
                page.body += UnsentMessages(own.map(\.message), replies).members
            }
            return HistoryRead(
                page: page, thread: record.number, direction: place.isOlder ? .previous : .next, bound: bound)
        }
    }
}

/// A customer's own messages that the platform has not confirmed. They have no place in the thread yet, so the first
/// page of a list shows them beside its items.
private struct UnsentMessages {
    /// Oldest first.
    private let messages: [Message]

    /// - Parameters:
    ///   - messages: oldest first.
    ///   - replies: which replies the list shows; the others are left out.
    init(_ messages: [Message], _ replies: ReplyFilter) {
        self.messages =
            switch replies {
            case .none: messages.filter { $0.parentID == nil }
            case .alsoInThread: messages.filter(\.isInConversation)
            case .all: messages
            }
    }

    /// The JSON members to append to a page: `,"pending":[...],"failed":[...]`, each newest first as the items are. A
    /// list without messages is left out.
    var members: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for (name, isFailed) in [("pending", false), ("failed", true)] as [(StaticString, Bool)] {
            let listed = messages.filter { ($0.status == .failed) == isFailed }
            if !listed.isEmpty { json.member(name, listed.reversed() as [Message]) }
        }
        json.endObject()
        let members = json.bytes.dropFirst().dropLast()
        return members.isEmpty ? [] : [UInt8(ascii: ",")] + members
    }
}
