import Chat
import ChatModel
import ChatStore
import SendbirdWire

/// A session's connection to the platform. There is no socket: it is open as long as the polls of the application reach
/// the platform.
///
/// Its methods may be called from any task.
final class SendbirdConnection: ServiceConnection {
    let account: ConnectedUser
    private let runtime: ApplicationRuntime
    private let history: HistoryPages
    private let sender: MessageSender
    private let actions: ThreadActions
    private let list: ThreadList
    private let onLoss: @Sendable () -> Void
    /// For the application's polls.
    let refresh: ThreadRefresh

    init(_ account: ConnectedUser, runtime: ApplicationRuntime, onLoss: @escaping @Sendable () -> Void) {
        (self.account, self.runtime, self.onLoss) = (account, runtime, onLoss)
        history = HistoryPages(account: account, progress: runtime.progress)
        sender = MessageSender(account, history: history, attempts: runtime.attempts)
        list = ThreadList(account)
        let ofPolls = account.ofPolls
        refresh = ThreadRefresh(
            ofPolls, history: HistoryPages(account: ofPolls, progress: runtime.progress), list: list)
        actions = ThreadActions(
            account: account, refresh: ThreadRefresh(account, history: history, list: list), runtime: runtime)
    }

    /// The platform cannot be reached, or too much was missed: the core connects anew, and catches up.
    func lose() {
        guard shut() else { return }
        onLoss()
    }

    func close() async { _ = shut() }

    private func shut() -> Bool {
        let wasOpen = account.life.end()
        if wasOpen { runtime.remove(self) }
        return wasOpen
    }

    /// The customer does something in one of their threads: it is looked at more often for a while. Throws
    /// `unknownThread`.
    private func acting(in thread: String) async throws(ChatError) {
        _ = try await account.thread(thread)
        runtime.acted(in: thread, of: account.number)
    }

    // MARK: Threads

    func recoverThread() async throws(ChatError) -> Int {
        let count = try await list.load(isFirst: true)
        guard count > 0 else { throw ChatError(.recoveringThreadFailed, "The customer has no thread yet.") }
        return count
    }
    func loadThreads() async throws(ChatError) -> Int { try await list.load(isFirst: true) }
    func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await acting(in: thread)
        let outcome = try await actions.load(thread, receipt: receipt)
        try await actions.look(at: thread, isFocus: true)
        return outcome
    }
    func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let outcome = try await actions.createThread(draft, receipt: receipt)
        runtime.acted(in: outcome.id, of: account.number)
        return outcome
    }
    func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await acting(in: thread)
        return try await actions.rename(thread, to: name, ifMatch: version)
    }
    func archive(_ thread: String, ifMatch version: Int64?, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.archive(thread, ifMatch: version, receipt: receipt)
    }
    func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await acting(in: thread)
        return try await actions.markRead(thread, receipt: receipt)
    }
    func reportTyping(_ isTyping: Bool, text: String?, in thread: String) async throws(ChatError) {
        try await acting(in: thread)
        try await actions.reportTyping(isTyping, in: thread)
    }
    func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        try await acting(in: thread)
        return try await actions.edit(message, in: thread, text: text, ifMatch: version)
    }
    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        try await acting(in: thread)
        try await actions.remove(message, in: thread, ifMatch: version)
    }
    func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.join(thread, receipt: receipt)
    }
    func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.leave(thread, receipt: receipt)
    }
    func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.setHidden(isHidden, thread, receipt: receipt)
    }
    func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await actions.resetHistory(thread, receipt: receipt)
    }

    /// The platform has no upload apart from the message: the file is kept here until its message is out.
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await upload.store(in: account.store, of: .account(account.number), receipt: receipt)
    }

    // MARK: The customer

    func setCustomFields(
        _ fields: [String: String], of thread: String, ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        try await actions.setCustomFields(fields, of: thread, ifMatch: version)
    }

    func setCustomer(_ draft: CustomerDraft, ifMatch version: Int64?) async throws(ChatError) -> Customer {
        try await CustomerData(account: account).setCustomer(draft, ifMatch: version)
    }

    func setCustomerCustomFields(
        _ fields: [String: String], ifMatch version: Int64?
    ) async throws(ChatError) -> [String: String] {
        try await CustomerData(account: account).setCustomFields(fields, ifMatch: version)
    }
}

/// What the account's synchronization and its outbox ask for.
extension SendbirdConnection: RemotePlatform {
    var platform: (any RemotePlatform)? { self }

    func noteFollower() { runtime.followed() }

    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        try await history.messages(of: thread, query)
    }
    func messageChanges(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges {
        try await history.changes(of: thread, since: position)
    }
    func threads(after token: String?) async throws(ChatError) -> ThreadPage { try await list.page() }
    func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges { try await list.changes() }
    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage? {
        try await sender.message(sentAs: requestID, in: thread)
    }
    func send(_ outgoing: OutgoingMessage, _ progress: SendProgress) async throws(ChatError) -> SentMessage {
        let thread = outgoing.thread.thread.id
        runtime.acted(in: thread, of: account.number)
        if outgoing.thread.thread.state == .pending { try await actions.beginThread(thread) }
        let sent = try await sender.send(outgoing, progress)
        // The parent counts its replies.
        if let parent = outgoing.message.parentID, let id = await actions.readParent(parent, in: thread) {
            runtime.name(id, in: thread)
        }
        return sent
    }
}
