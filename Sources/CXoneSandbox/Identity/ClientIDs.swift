import ChatModel
import ChatStore
import CXoneWire
import Formats
import SandboxKit

/// How the platform's clients know the ids of the embedded service's threads and messages.
///
/// The platform's ids are UUIDs, and SDKs drop a frame with any other. The embedded service takes any text. So an id
/// that is no UUID is told as the UUID that stands for the thread or the message as the server's own id. It depends on
/// the data folder and the id alone, so it is the same after a restart. Ids that a client of the platform has made
/// itself stay as they are.
struct ClientIDs: Sendable {
    let stable: StableIDs
    /// Threads and messages whose ids are no UUIDs and were made by a client of the platform.
    fileprivate var foreignThreads: Set<String> = []
    fileprivate var foreignMessages: Set<String> = []

    init(_ stable: StableIDs) { self.stable = stable }

    /// The id under which clients know the thread.
    func thread(_ id: String) -> String {
        StableIDs.isUUID(id) || foreignThreads.contains(id) ? id : stable.thread(id)
    }

    /// The id under which clients know the message.
    func message(_ id: String, in thread: String) -> String {
        StableIDs.isUUID(id) || foreignMessages.contains(id) ? id : stable.message(id, in: thread)
    }
}

extension Sandbox {
    /// The id under which the platform's clients know a message of a thread.
    ///
    /// - Parameter isForeign: whether one of them has made it.
    package func clientID(ofMessage id: String, in thread: String, isForeign: Bool) -> String {
        var known = ClientIDs(ids)
        if isForeign { known.foreignMessages = [id] }
        return known.message(id, in: thread)
    }
}

extension StableIDs {
    /// 100000 to 999999: like a tenant's number.
    var brand: Int { 100_000 + Int(number(of: "brand") % 900_000) }

    /// The server's own id of a thread.
    func thread(_ id: String) -> String { uuid("thread\n\(id)") }

    /// The server's own id of a message.
    func message(_ id: String, in thread: String) -> String { uuid("message\n\(thread)\n\(id)") }

    /// Whether the text may be one of these ids: a UUID of version 8 in lower case. Apps make ids of version 4.
    fileprivate func mayBeOwn(_ text: String) -> Bool { Self.isUUID(text) && Array(text.utf8)[14] == UInt8(ascii: "8") }

    /// An agent's id, which clients need as a number: itself if it is one.
    func agent(_ id: String) -> String {
        if let number = Int32(id), number >= 0, String(number) == id { return id }
        return String(1_000_000 + number(of: "agent\n\(id)") % 1_000_000_000)
    }
}

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

extension ClientEvent {
    /// The thread that the event is about; nil for an event of no thread.
    var thread: ThreadReference? {
        var (copy, found) = (self, ThreadReference?.none)
        copy.changeThread { found = $0 }
        return found
    }

    /// Changes the thread that the event is about. An event of no thread stays as it is.
    fileprivate mutating func changeThread(_ change: (inout ThreadReference) -> Void) {
        func changed(_ thread: ThreadReference) -> ThreadReference {
            var thread = thread
            change(&thread)
            return thread
        }
        switch self {
        case .loadThreadMetadata(let thread): self = .loadThreadMetadata(changed(thread))
        case .recoverThread(let thread?): self = .recoverThread(changed(thread))
        case .recoverLivechat(let thread?): self = .recoverLivechat(changed(thread))
        case .loadMoreMessages(var data):
            change(&data.thread)
            self = .loadMoreMessages(data)
        case .sendMessage(var message):
            change(&message.thread)
            self = .sendMessage(message)
        case .sendOutbound(var message):
            change(&message.thread)
            self = .sendOutbound(message)
        case .senderTypingStarted(let thread): self = .senderTypingStarted(changed(thread))
        case .senderTypingEnded(let thread): self = .senderTypingEnded(changed(thread))
        case .messageSeenByCustomer(let thread): self = .messageSeenByCustomer(changed(thread))
        case .updateThread(let thread): self = .updateThread(changed(thread))
        case .archiveThread(let thread): self = .archiveThread(changed(thread))
        case .endContact(let thread, let contact): self = .endContact(changed(thread), contactID: contact)
        case .setContactCustomFields(var data):
            change(&data.thread)
            self = .setContactCustomFields(data)
        case .sendMessagePreview(let thread, let content): self = .sendMessagePreview(changed(thread), content)
        case .generateAuthorizationToken(let thread, let url):
            self = .generateAuthorizationToken(changed(thread), url: url)
        case .authorizeCustomer, .reconnectCustomer, .refreshToken, .fetchThreadList, .recoverThread(nil),
            .recoverLivechat(nil), .setCustomerCustomFields, .sendTranscript, .executeTrigger, .storeVisitorEvents,
            .sendOfflineMessage, .createInvitationToGroupChat, .sendEmailInvitationToGroupChat, .joinGroupChat,
            .leaveGroupChat, .unknown:
            break
        }
    }
}
