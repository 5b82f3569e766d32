import Bounds
import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import LocalService

/// Whom the client acts for.
extension SandboxSession {
    /// Sets the customer: opens the account, connects it to the embedded service, and pushes events from now on.
    /// The same customer again changes nothing. Returns the account if it is another one now. Throws
    /// `invalidParameter` for a bad id or name, and what the store throws.
    @discardableResult
    func identify(_ customer: WireCustomer) async throws(ChatError) -> AccountRecord? {
        guard Identifier.isValid(customer.id) else {
            throw ChatError(.invalidParameter, "The customer's id must be \(Identifier.rule).")
        }
        if identity?.key.customer == customer.id { return nil }
        try CustomerDraft(firstName: customer.firstName, lastName: customer.lastName, imageURL: customer.shownImage)
            .check()
        let key = AccountKey(service: LocalService.serviceID, channel: face.channel, customer: customer.id)
        let apps = sandbox.apps
        let account = try await sandbox.store.write(isRepeatable: true) { transaction in
            let known = try transaction.account(key)
            let before = try known ?? transaction.openAccount(key)
            var account = before
            account.customer.firstName = customer.firstName ?? before.customer.firstName
            account.customer.lastName = customer.lastName ?? before.customer.lastName
            account.customer.imageURL = customer.shownImage ?? before.customer.imageURL
            transaction.actor = Author(account.customer)
            try transaction.save(account, since: before, isNew: known == nil)
            try apps.note(key, in: transaction)
            return account
        }
        sandbox.listen(self, account: account.number, customer: customer.id)
        let embedded = face.channel
        let (head, threads, found) = try await sandbox.store.read { transaction in
            (
                try transaction.headOffset(),
                try transaction.openThreads(of: account.number, limit: 200).map(\.thread),
                try transaction.channel(embedded, of: LocalService.serviceID)
            )
        }
        guard let channel = found else { throw ChatError(.unknownChannel, "The channel is gone.") }
        let connection = try await sandbox.service.connect(account, channel: channel) {}
        identity = Identity(account: account.number, key: key, connection: connection)
        offset = head
        told.removeAll()
        // The last that is set is the last to be dropped: the thread with the latest activity.
        for thread in threads.reversed() { told[thread.id] = ThreadNews(thread) }
        countTold()
        sandbox.log(.debug, "customer known", self, [:])
        if let visitor { try await sandbox.takeDevice(of: visitor, account: account.number, on: face) }
        if let template = channel.welcomeMessage { greeting = template }
        return account
    }

    /// Takes the names and the picture that each request carries. One that is absent does not remove the known one.
    /// What the gateway's own side has vouched for stays.
    func rename(_ customer: WireCustomer?) async throws(ChatError) {
        guard let customer, let identity, customer.id == identity.key.customer else { return }
        guard customer.firstName != nil || customer.lastName != nil || customer.shownImage != nil else { return }
        let account = identity.account
        let record = try await sandbox.store.read { try $0.account(account) }
        guard !record.isNameVouched else { return }
        let known = record.customer
        let draft = CustomerDraft(
            firstName: customer.firstName ?? known.firstName, lastName: customer.lastName ?? known.lastName,
            imageURL: customer.shownImage ?? known.imageURL)
        guard (draft.firstName, draft.lastName, draft.imageURL) != (known.firstName, known.lastName, known.imageURL)
        else { return }
        _ = try await identity.connection.setCustomer(draft)
    }

    /// Throws `customerAssociationFailure` for a client that has not said who it acts for.
    func known() throws(ChatError) -> Identity {
        guard let identity else { throw ChatError(.customerAssociationFailure, "The customer is not authorized.") }
        return identity
    }

    /// The embedded channel as the desk has it now.
    func channel() async throws(ChatError) -> Channel { try await sandbox.service.channel(face.channel) }

    /// What is needed to write these messages of a thread for this client. The customer's names are read from the store
    /// each time.
    func context(of thread: String, messages: [String]) async throws(ChatError) -> WireContext {
        let account = try known().account
        let customer = try await sandbox.store.read { try $0.account(account).customer }
        return WireContext(
            ids: try await clientIDs(of: thread, messages: messages), base: base, customer: customer)
    }
}

extension WireCustomer {
    /// `image`, if pages may show it. Another one is no reason to refuse the customer.
    fileprivate var shownImage: String? { image.flatMap { CustomerDraft.isImage($0) ? $0 : nil } }
}

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
