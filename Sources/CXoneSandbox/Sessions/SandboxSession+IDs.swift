import ChatModel
import ChatStore
import CXoneWire

/// Between the ids that the client knows and those of the store: see ``ClientIDs``.
extension SandboxSession {
    /// Ids that are read at a time, and at most, to find the one for which a UUID stands. Only UUIDs that look like
    /// the sandbox's own are looked for, so other clients' requests never read that much.
    private static let step = 1000, most = 100_000

    /// How the client knows these messages and their thread. The store is asked only if one of the ids is no UUID.
    func clientIDs(of thread: String, messages: [String] = []) async throws(ChatError) -> ClientIDs {
        var ids = ClientIDs(sandbox.ids)
        let account = try known().account
        let odd = messages.filter { !StableIDs.isUUID($0) }
        let oddThread = StableIDs.isUUID(thread) ? [] : [thread]
        guard !odd.isEmpty || !oddThread.isEmpty else { return ids }
        (ids.foreignThreads, ids.foreignMessages) = try await sandbox.store.read { transaction in
            (
                try transaction.foreignIDs(among: oddThread, of: account),
                try transaction.foreignIDs(among: odd, in: thread, of: account)
            )
        }
        return ids
    }

    /// How the client knows these threads.
    func clientIDs(of threads: [String]) async throws(ChatError) -> ClientIDs {
        var ids = ClientIDs(sandbox.ids)
        let account = try known().account
        let odd = threads.filter { !StableIDs.isUUID($0) }
        guard !odd.isEmpty else { return ids }
        ids.foreignThreads = try await sandbox.store.read { transaction in
            try stride(from: 0, to: odd.count, by: 200).reduce(into: []) { found, start in
                found.formUnion(
                    try transaction.foreignIDs(among: Array(odd[start..<min(start + 200, odd.count)]), of: account))
            }
        }
        return ids
    }

    /// The event with the store's ids, in place of UUIDs that stand for them.
    func withStoreIDs(_ event: ClientEvent) async throws(ChatError) -> ClientEvent {
        guard identity != nil, let named = event.thread?.id else { return event }
        var event = event
        let thread = try await storeID(ofThread: named)
        event.changeThread { $0.id = thread }
        switch event {
        case .sendMessage(var message):
            message.id = try await storeID(ofMessage: message.id, in: thread)
            return .sendMessage(message)
        case .sendOutbound(var message):
            message.id = try await storeID(ofMessage: message.id, in: thread)
            return .sendOutbound(message)
        default: return event
        }
    }

    /// The id itself, unless it is a UUID that stands for the id of one of the customer's threads.
    private func storeID(ofThread id: String) async throws(ChatError) -> String {
        guard sandbox.ids.mayBeOwn(id), try await thread(id) == nil else { return id }
        let account = try known().account, ids = sandbox.ids
        return try await first {
            ids.thread($0) == id
        } among: { transaction, last in
            try transaction.threadIDs(of: account, after: last, limit: Self.step)
        } ?? id
    }

    /// The id itself, unless it is a UUID that stands for the id of a message of the thread.
    private func storeID(ofMessage id: String, in thread: String) async throws(ChatError) -> String {
        guard sandbox.ids.mayBeOwn(id) else { return id }
        let account = try known().account, ids = sandbox.ids
        return try await first {
            ids.message($0, in: thread) == id
        } among: { transaction, last in
            guard let record = try transaction.thread(thread, of: account) else { return [] }
            return try transaction.messageIDs(of: record, after: last, limit: Self.step)
        } ?? id
    }

    /// The first id that fits, among those that are read in steps; nil if there is none among the first 100,000.
    private func first(
        where fits: (String) -> Bool,
        among read: @escaping @Sendable (ReadTransaction, String) throws -> [String]
    ) async throws(ChatError) -> String? {
        var (last, count) = ("", 0)
        while count < Self.most {
            let from = last
            let step = try await sandbox.store.read { try read($0, from) }
            if let found = step.first(where: { !StableIDs.isUUID($0) && fits($0) }) { return found }
            guard let end = step.last, step.count == Self.step else { return nil }
            (last, count) = (end, count + step.count)
        }
        return nil
    }

    /// Notes an id that the client has made for a thread or, in it, for a message. UUIDs are the same for all.
    func rememberIDs(thread: String, messages: [String]) async throws(ChatError) {
        let account = try known().account
        let odd = messages.filter { !StableIDs.isUUID($0) }
        guard !odd.isEmpty || !StableIDs.isUUID(thread) else { return }
        try await sandbox.store.write { transaction in
            if !StableIDs.isUUID(thread) { try transaction.noteForeignID(ofThread: thread, of: account) }
            for message in odd { try transaction.noteForeignID(ofMessage: message, in: thread, of: account) }
        }
    }

    /// Notes the id of a message that the client is about to send, if it is new.
    func noteNew(message id: String, in thread: String) async throws(ChatError) {
        let account = try known().account
        guard !StableIDs.isUUID(id) else { return }
        try await sandbox.store.write { transaction in
            guard let record = try transaction.thread(thread, of: account),
                try transaction.storedMessage(id, in: record) == nil
            else { return }
            try transaction.noteForeignID(ofMessage: id, in: thread, of: account)
        }
    }
}
