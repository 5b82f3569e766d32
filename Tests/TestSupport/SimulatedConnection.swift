import Chat
import ChatModel
import ChatStore
import Synchronization

/// One device's connection to a ``SimulatedPlatform``: it writes what it is told into the store, in order.
public final class SimulatedConnection: ServiceConnection, RemotePlatform {
    private let service: SimulatedService
    private let account: AccountRecord
    private let onLoss: @Sendable () -> Void
    private let news: AsyncStream<SimulatedPlatform.News>
    private let feed: AsyncStream<SimulatedPlatform.News>.Continuation

    private struct State {
        var device = 0
        var isOpen = true
        var told = 0
        var written = 0
        var heldBack: SimulatedPlatform.News?
    }
    private let state = Mutex(State())

    init(service: SimulatedService, account: AccountRecord, onLoss: @escaping @Sendable () -> Void) {
        self.service = service
        self.account = account
        self.onLoss = onLoss
        (news, feed) = AsyncStream.makeStream()
    }

    var device: Int { state.withLock { $0.device } }

    func open() {
        let device = service.platform.add { [weak self] in self?.hear($0) }
        state.withLock { $0.device = device }
        Task {
            for await one in news {
                try? await write(one)
                state.withLock { $0.written += 1 }
            }
        }
    }

    private func hear(_ one: SimulatedPlatform.News) {
        let (duplicates, reorders) = service.disorder
        state.withLock { state in
            guard state.isOpen else { return }
            var queue = [one]
            if let heldBack = state.heldBack {
                queue.append(heldBack)
                state.heldBack = nil
            } else if reorders {
                state.heldBack = one
                return
            }
            if duplicates { queue += queue }
            state.told += queue.count
            for one in queue { feed.yield(one) }
        }
    }

    /// Waits until what was told is written.
    func drained() async {
        state.withLock { state in
            guard let heldBack = state.heldBack else { return }
            state.heldBack = nil
            state.told += 1
            feed.yield(heldBack)
        }
        _ = await eventually { self.state.withLock { $0.written == $0.told || !$0.isOpen } }
    }

    private func write(_ one: SimulatedPlatform.News) async throws {
        guard state.withLock({ $0.isOpen }) else { return }
        let account = account.number
        try await service.store.write { transaction in
            switch one {
            case .message(let message, let thread):
                var record = try transaction.merge(RemoteThread(thread), of: account)
                try transaction.merge([message], by: .live, into: &record)
            case .edited(let message, let thread):
                var record = try transaction.merge(RemoteThread(thread), of: account)
                try transaction.merge([message], by: .change, into: &record)
            case .removed(let id, let thread):
                var record = try transaction.merge(RemoteThread(thread), of: account)
                try transaction.removeRemote([id], from: &record)
            case .thread(let thread, let isNew):
                try transaction.merge(RemoteThread(thread), of: account, isNew: isNew)
            }
        }
    }

    func lose() {
        shut()
        onLoss()
    }

    private func shut() {
        state.withLock { $0.isOpen = false }
        service.platform.remove(device: device)
        feed.finish()
    }

    // MARK: RemotePlatform

    public var platform: (any RemotePlatform)? { self }

    public func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        try await service.step("messages")
        let page = service.platform.page(of: thread, query)
        try await service.step("messages.answer")
        return page
    }

    public func messageChanges(
        of thread: String, since position: ChangePosition
    ) async throws(ChatError) -> MessageChanges {
        try await service.step("messageChanges")
        return service.platform.changes(of: thread, since: position)
    }

    public func threads(after token: String?) async throws(ChatError) -> ThreadPage {
        try await service.step("threads")
        return service.platform.threads(after: token)
    }

    public func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges {
        try await service.step("threadChanges")
        return service.platform.threadChanges(since: token)
    }

    public func send(
        _ outgoing: OutgoingMessage, _ progress: SendProgress
    ) async throws(ChatError) -> SentMessage {
        guard progress.mayWrite(nil) else { throw ChatError(.notConnected, "Nobody waits for it.") }
        try await service.step("send")
        let message = outgoing.message
        let sent = service.platform.add(
            message.text ?? "", in: message.threadID, direction: .toAgent, author: message.author,
            requestID: message.id,
            // The platform has ids of its own for files, too.
            attachments: message.attachments.map {
                Attachment(id: "remote-\($0.id)", name: $0.name, mimeType: $0.mimeType, size: $0.size)
            })
        try await service.step("send.answer")
        return .told(sent)
    }

    public func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        try await service.step("lookup")
        return service.platform.message(sentAs: requestID, in: thread)
    }

    // MARK: ServiceConnection

    public func recoverThread() async throws(ChatError) -> Int { 1 }
    public func loadThreads() async throws(ChatError) -> Int { service.platform.threadIDs.count }

    public func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let thread = service.platform.makeThread(draft.id ?? service.store.environment.makeID())
        let account = account.number
        return try await service.store.write { transaction in
            let record = try transaction.merge(RemoteThread(thread), of: account, isNew: true)
            return Outcome(.created, id: thread.id, body: record.json(for: account))
        }
    }

    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await upload.store(in: service.store, of: .account(account.number), receipt: receipt)
    }

    public func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        service.platform.edit(try remoteID(message, in: thread), in: thread, to: text)
        return Outcome(.ok, id: message)
    }

    public func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        service.platform.remove(try remoteID(message, in: thread), in: thread)
    }

    private func remoteID(_ id: String, in thread: String) throws(ChatError) -> String {
        let account = account.number
        return try service.store.readBlocking { transaction in
            guard let record = try transaction.thread(thread, of: account) else {
                throw ChatError.unknownThread(thread)
            }
            return try transaction.remoteID(id, in: record) ?? id
        }
    }

    public func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome { throw Self.unsupported }
    public func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        throw Self.unsupported
    }
    public func archive(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome
    {
        throw Self.unsupported
    }
    public func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        throw Self.unsupported
    }
    public func reportTyping(_ isTyping: Bool, text: String?, in thread: String) async throws(ChatError) {
        throw Self.unsupported
    }
    public func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] { throw Self.unsupported }
    public func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer {
        throw Self.unsupported
    }
    public func setCustomerCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        throw Self.unsupported
    }

    private static var unsupported: ChatError {
        ChatError(.unsupportedCapability, "The simulated service does not do this.")
    }

    public func close() async {
        shut()
        service.closed(device)
    }
}
