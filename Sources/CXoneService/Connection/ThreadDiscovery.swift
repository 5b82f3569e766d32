import ChatModel
import ChatStore
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
