import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import Synchronization

/// Reads threads that a push named and that the store lacks.
final class ThreadDiscovery: Sendable {
    private let account: ConnectedAccount
    private let recovery: ThreadRecovery
    /// Threads that are being read now. Prevents a second read of the same thread.
    private let discoveries = Mutex<Set<String>>([])

    init(_ account: ConnectedAccount, recovery: ThreadRecovery) {
        self.account = account
        self.recovery = recovery
    }

    /// A push names a thread that the store lacks: another device of the customer may have made it. It is read
    /// from the platform, in the background. On a channel with a single thread that happens only if there is none
    /// here, or an empty one, which it then replaces. Live chats ignore such pushes.
    func discover(_ thread: String, by push: String) async {
        guard Identifier.isValid(thread) else { return }
        switch account.mode {
        case .multithread: break
        case .singlethread: guard await canGiveWay else { return }
        case .liveChat: return
        }
        let isNew = discoveries.withLock { discoveries in
            // At most 16 reads at a time, so that a faulty platform cannot cause any number of requests.
            guard discoveries.count < 16 else { return false }
            return discoveries.insert(thread).inserted
        }
        guard isNew else { return }
        // The worker that handles this push also handles the answer: to wait here would be a deadlock.
        Task { [self] in
            do throws(ChatError) {
                try await recovery.recover(thread)
                try await giveWay(to: thread)
            } catch {
                account.service.notice("A thread that a push \(push) named could not be read: \(error.code.rawValue)")
            }
            discoveries.withLock { _ = $0.remove(thread) }
        }
    }

    /// Whether the account has no open thread, or an empty one.
    private var canGiveWay: Bool {
        get async {
            let number = account.number
            let found = try? await account.store.read { transaction in
                try transaction.openThreads(of: number, limit: 1).first.map {
                    try Self.isEmpty($0, of: number, in: transaction)
                } ?? true
            }
            return found ?? false
        }
    }

    /// Whether a thread was not sent to the platform yet, and has no unsent messages and no custom fields.
    private static func isEmpty(
        _ record: ThreadRecord, of account: Int64, in transaction: ReadTransaction
    ) throws -> Bool {
        try record.thread.state == .pending && record.thread.customFields.isEmpty
            && !transaction.hasUnsent(of: account, thread: record.thread.id)
    }

    /// Removes the account's empty threads, now that the platform's thread is ready. Only on channels with a
    /// single thread.
    private func giveWay(to thread: String) async throws(ChatError) {
        guard account.mode == .singlethread else { return }
        let number = account.number
        let removed = try await account.store.write { transaction in
            var removed: Set<String> = []
            guard try transaction.thread(thread, of: number)?.thread.state == .ready else { return removed }
            for record in try transaction.openThreads(of: number, limit: 100)
            where record.thread.id != thread {
                guard try Self.isEmpty(record, of: number, in: transaction) else { continue }
                try transaction.removeRemoteThread(record.thread.id, of: number)
                removed.insert(record.thread.id)
            }
            return removed
        }
        account.service.forget(removed, account: number)
    }
}

/// Messages whose text is generated while it is read. The message itself has only the address of the text.
final class StreamedTexts: Sendable {
    private let account: ConnectedAccount
    /// Messages whose text is being read.
    private let streams = Mutex<Set<String>>([])

    init(_ account: ConnectedAccount) { self.account = account }

    /// Reads the text in the background, to its end, and then shows it in place of the fallback. A text that cannot be
    /// read leaves the fallback, and a line in the log.
    func readText(of message: String, in thread: String, at url: String) {
        let isFree = streams.withLock { streams in
            // Each of them may hold a connection for a minute.
            guard streams.count < 16 else { return false }
            return streams.insert(message).inserted
        }
        guard isFree else { return }
        Task { [self] in
            do throws(ChatError) {
                let text = try await account.service.http.streamedText(at: url, of: account.address)
                if !text.isEmpty { try await show(text, of: message, in: thread) }
            } catch {
                account.service.notice(
                    "The text of a message of the platform could not be read: \(error.code.rawValue)")
            }
            streams.withLock { _ = $0.remove(message) }
        }
    }

    /// The copy with the text is the newer one: history may bring the one without it again.
    private func show(_ text: String, of message: String, in thread: String) async throws(ChatError) {
        let _: Void? = try await account.change(thread, isRepeatable: true) { transaction, record in
            guard var shown = try transaction.message(message, in: record)?.message, shown.type == .unknown else {
                return
            }
            (shown.type, shown.text) = (.text, text)
            shown.updatedAt = max(transaction.now, shown.updatedAt.advanced(byMilliseconds: 1))
            try transaction.merge([RemoteMessage(shown)], by: .change, into: &record)
        }
    }
}

/// What the platform does by itself in a customer's chat: it welcomes, and shows popups.
struct ProactiveActions: Sendable {
    let account: ConnectedAccount

    /// `FireProactiveAction`. A welcome message is stored for threads that are made later; the custom fields that
    /// come with it become the customer's. Actions of any other type are ignored, except a `customPopupBox`.
    func handle(_ action: FireProactiveAction) async throws(ChatError) {
        if action.actionType == .customPopupBox { return show(action) }
        guard action.actionType == .welcomeMessage, let text = action.content.bodyText, !text.isEmpty else { return }
        try await account.service.vault.update(account.record) { $0.welcomeMessage = text }
        guard !action.handoverFields.isEmpty else { return }
        let number = account.number
        try await account.offeringTimes { [self] offer throws(ChatError) in
            try await account.store.write { [self] transaction in
                var times = FieldTimes.Times()
                try account.mergeCustomerFields(action.handoverFields, noting: &times, in: transaction)
                account.service.fieldTimes.offer(times, account: number, as: offer)
            }
        }
    }

    /// Tells the sessions live about a popup (the SDK's `customPopupBox`). It belongs to no thread and is not
    /// stored: a session that is away misses it.
    private func show(_ action: FireProactiveAction) {
        let texts = action.content.variables
        let box = CustomPopupBox(
            actionID: action.actionID, actionName: action.actionName,
            heading: texts?.headingText ?? action.content.headlineText,
            text: texts?.bodyText ?? action.content.bodyText,
            buttonText: texts?.actionText, buttonURL: texts?.actionURL)
        account.store.feed.publish(ProactiveEvent(.customPopupBox(box)), to: [.account(account.number)])
    }
}
