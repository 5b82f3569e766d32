import Bounds
import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats

/// What is read of the customer's threads.
extension SandboxSession {
    /// Messages of a page: the platform's documentation speaks of 20.
    private static let pageSize = 20
    /// Threads that a list tells of at most.
    private static let listLimit = 2000

    /// The thread; nil when the customer has none of this id.
    func thread(_ id: String) async throws(ChatError) -> ChatThread? {
        let account = try known().account
        return try await sandbox.store.read { try $0.thread(id, of: account)?.thread }
    }

    /// The threads that have a message, as `ThreadListFetched` tells them. The list ends after about 2000, and after 4 MiB
    /// of them.
    func threadList() async throws(ChatError) -> [WireThread] {
        let threads = try await threads()
        let ids = try await clientIDs(of: threads.map(\.thread.id))
        return threads.map { WireThread($0.thread, channel: face, ids, unreadCount: $0.unreadCount) }
    }

    /// The threads with a message, in the order of the store's list, with the customer's count of unread messages.
    private func threads() async throws(ChatError) -> [(thread: ChatThread, unreadCount: Int?)] {
        let account = try known().account
        var found: [(ChatThread, Int?)] = [], cursor: String?, byteCount = 0
        repeat {
            try checkIsHeard()
            let request = PageRequest(limit: 200, cursor: cursor)
            let page = try await sandbox.store.read { try $0.threadPage(of: account, .all, request) }
            for item in page.values {
                guard let thread = try? ChatThread(json: item), thread.state != .pending, thread.lastMessage != nil
                else {
                    continue
                }
                found.append((thread, item["unreadCount"]?.integer.map(Int.init)))
            }
            cursor = page.next
            byteCount += page.body.count
        } while cursor != nil && found.count < Self.listLimit && byteCount < ByteBound.sandboxThreads.bytes
        return found
    }

    /// The thread's agent and last message. Throws `unknownThread`, also for a thread without messages.
    func metadata(_ id: String) async throws(ChatError) -> ThreadMetadata {
        let page = try await messages(of: id, limit: 1, cursor: nil)
        guard let thread = try await thread(id), let last = page.messages.first else { throw .unknownThread(id) }
        return ThreadMetadata(ownerAssignee: thread.agent.map { WireAgent($0, sandbox.ids) }, lastMessage: last)
    }

    /// A thread with its newest 20 messages. Without an id: the open one, else the first of the list. Nil if there
    /// is none, or none that the platform would know.
    func recovered(_ id: String?) async throws(ChatError) -> RecoveredThread? {
        let me = try known()
        let found: ChatThread?
        if let id {
            found = try await thread(id)
        } else {
            let open = try await sandbox.store.read { try $0.openThreads(of: me.account, limit: 20).map(\.thread) }
            if let first = open.first(where: \.isOnPlatform) {
                found = first
            } else {
                found = try await threads().first?.thread
            }
        }
        guard let thread = found, thread.isOnPlatform else { return nil }
        let ids = try await clientIDs(of: thread.id)
        var page = try await messages(of: thread.id, limit: Self.pageSize, cursor: nil)
        if let popup = thread.inactivityPopup {
            page.messages.insert(WireMessage(popup, in: thread, ids), at: 0)
        }
        let account = try await sandbox.store.read { try $0.account(me.account) }
        let agent = thread.agent.map { WireAgent($0, sandbox.ids) }
        return RecoveredThread(
            thread: WireThread(thread, channel: face, ids), contact: WireContact(thread, ids),
            customerFields: [CustomField](account.customFields, updatedAt: account.createdAt), messages: page.messages,
            scrollToken: page.scrollToken, inboxAssignee: agent,
            previousInboxAssignee: thread.previousAgent.map { WireAgent($0, sandbox.ids) }, ownerAssignee: agent)
    }

    /// The 20 messages before a token, newest first. Throws `unknownThread`, and what the store throws for a bad
    /// token.
    func page(of id: String, token: String) async throws(ChatError) -> MessagePage {
        guard try await thread(id) != nil else { throw .unknownThread(id) }
        return try await messages(of: id, limit: Self.pageSize, cursor: token)
    }

    /// A page of the thread's conversation, newest first. The store's cursor is the scroll token. An unknown thread
    /// gives an empty page.
    private func messages(of id: String, limit: Int, cursor: String?) async throws(ChatError) -> MessagePage {
        let account = try known().account
        let page = try await sandbox.store.read { transaction in
            try transaction.thread(id, of: account).map {
                try transaction.messagePage(of: $0, PageRequest(limit: limit, cursor: cursor))
            }
        }
        let messages = (page?.values ?? []).compactMap { try? Message(json: $0) }
        let context = try await context(of: id, messages: messages.map(\.id))
        return MessagePage(messages: messages.map { WireMessage($0, context) }, scrollToken: page?.next ?? "")
    }

    /// Throws `unknownThread` if no thread of the customer has the contact.
    func checkContact(_ id: String) async throws(ChatError) {
        guard try await threads().contains(where: { $0.thread.contactID == id }) else {
            throw ChatError(.unknownThread, "The customer has no contact \(id.prefix(64)).")
        }
    }
}

extension PageBytes {
    /// The page's items, read again.
    fileprivate var values: [JSONValue] {
        (try? JSONParser.parse(body + [UInt8(ascii: "}")]))?["items"]?.array ?? []
    }
}

extension ChatError {
    static func unknownThread(_ id: String) -> ChatError {
        ChatError(.unknownThread, "There is no thread \(id.prefix(64)).")
    }
}
