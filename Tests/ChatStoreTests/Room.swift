import ChatModel
import ChatStore
import Formats
import TestSupport

/// A thread of one account, and what a service does with it.
struct Room: Sendable {
    let store: ChatStore
    let account: AccountRecord
    let thread: String

    var audience: Audience { .account(account.number) }

    /// - Parameter withDesk: whether the desk knows the thread.
    static func make(
        in store: ChatStore, thread: String = "t1", customer: String = "c1", withDesk: Bool = true
    ) async throws -> Room {
        let account = try await store.write { transaction in
            let account = try transaction.openAccount(
                AccountKey(service: "local", channel: "multi", customer: customer))
            var record = try transaction.insert(
                ChatThread(id: thread, createdAt: transaction.now, members: [account.customer]), owner: account)
            record.thread.state = .ready
            try transaction.save(&record, logging: .threadCreated, withDesk: true)
            if withDesk { try transaction.announceToDesk(&record) }
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            return account
        }
        return Room(store: store, account: account, thread: thread)
    }

    /// Runs a unit on the thread as it is then.
    @discardableResult
    func unit<T: Sendable>(
        _ work: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> T
    ) async throws -> T {
        try await store.write { [account, thread] transaction in
            guard var record = try transaction.thread(thread, of: account.number) else {
                throw ChatError.unknownThread(thread)
            }
            return try work(transaction, &record)
        }
    }

    @discardableResult
    func send(
        _ id: String, _ text: String = "text", _ direction: MessageDirection = .toAgent, at time: Timestamp? = nil,
        receipt: Receipt? = nil
    ) async throws -> Int64 {
        try await unit { transaction, record in
            try Self.send(id, text, direction, at: time, receipt: receipt, to: &record, in: transaction)
        }
    }

    @discardableResult
    static func send(
        _ id: String, _ text: String = "text", _ direction: MessageDirection = .toAgent, at time: Timestamp? = nil,
        receipt: Receipt? = nil, to record: inout ThreadRecord, in transaction: WriteTransaction
    ) throws -> Int64 {
        let author = direction == .toAgent ? Author(record.owner.customer) : Author(id: "a1", kind: .agent)
        let message = Message(
            id: id, threadID: record.thread.id, createdAt: time ?? transaction.now, direction: direction,
            author: author,
            text: text, status: .delivered)
        guard let sent = try transaction.insert(message, into: &record, withDesk: true) else {
            throw ChatError(.messageIdConflict, "twice")
        }
        if direction == .toAgent { record.thread.deskUnreadCount += 1 } else { record.members[0].unreadCount += 1 }
        transaction.setLastMessage(sent, of: &record)
        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        try transaction.record(receipt, Outcome(.created, id: id, body: message.canonicalJSON), message: sent.number)
        return sent.number
    }

    func edit(_ id: String, to text: String) async throws {
        try await unit { transaction, record in
            guard var message = try transaction.message(id, in: record) else { throw ChatError.unknownMessage(id) }
            message.message.text = text
            try transaction.save(&message, in: &record, withDesk: true)
            if message.number == record.lastMessageNumber { transaction.setLastMessage(message, of: &record) }
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    func remove(_ id: String) async throws {
        try await unit { transaction, record in
            guard let message = try transaction.message(id, in: record) else { throw ChatError.unknownMessage(id) }
            try transaction.remove(message, in: &record, withDesk: true)
            if message.number == record.lastMessageNumber {
                transaction.setLastMessage(try transaction.newestMessage(in: record), of: &record)
            }
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    /// The customer reads what came from the agent. Returns whether anything was unread.
    @discardableResult
    func markRead() async throws -> Bool {
        try await unit { transaction, record in
            var read = record.members[0].read
            guard try transaction.markSeen(.toClient, in: &record, read: &read, withDesk: true) else { return false }
            record.members[0].read = read
            record.members[0].unreadCount = 0
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            return true
        }
    }

    func page(limit: Int = 50, cursor: String? = nil) throws -> Page {
        let request = PageRequest(limit: limit, cursor: cursor)
        return try Page(blocking { try await store.messagePage(of: account.number, thread: thread, request) })
    }

    func record() throws -> ThreadRecord {
        guard let record = try store.readBlocking({ try $0.thread(thread, of: account.number) }) else {
            throw ChatError.unknownThread(thread)
        }
        return record
    }

    func message(_ id: String) throws -> MessageRecord? {
        let record = try record()
        return try store.readBlocking { try $0.message(id, in: record) }
    }
}

/// A page as a client reads it.
struct Page {
    var ids: [String]
    var items: [JSONValue]
    var next: String?
    var prev: String?
    var version: Int64
    var offset: Int64

    init(_ bytes: PageBytes) throws {
        let json = try JSONParser.parse(bytes.body + Array("}".utf8))
        items = json["items"]?.array ?? []
        ids = items.compactMap { $0["id"]?.string }
        next = json["next"]?.string
        prev = json["prev"]?.string
        (version, offset) = (bytes.version, bytes.offset)
    }
}
