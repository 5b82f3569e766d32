import ChatModel
import ChatStore
import Synchronization

/// Tells sessions of messages in threads that they do not show, by the live event `notification`.
///
/// A session is told once it has said what it shows, and until it is signed out or the gateway stops: a screen has to be
/// named anew then. It is one more reader of the log, which begins with the first session that says so.
public final class Notifications: Sendable {
    private let store: ChatStore
    /// By account and session: the thread in view; nil where none is.
    private let screens = Mutex<[Int64: [String: String?]]>([:])
    private let reader = Mutex<LogReader?>(nil)

    init(store: ChatStore) { self.store = store }

    func show(_ thread: String?, session: String, account: Int64) {
        screens.withLock { $0[account, default: [:]][session] = .some(thread) }
        reader.withLock { reader in
            if reader != nil { return }
            reader = LogReader(store.feed) { [weak self] event in
                event.type == .messageCreated && self?.accounts(of: event).isEmpty == false
            } handler: { [weak self] events in
                for event in events ?? [] { await self?.tell(event) }
            }
        }
    }

    func forget(session: String, account: Int64) {
        screens.withLock { screens in
            screens[account]?[session] = nil
            if screens[account]?.isEmpty == true { screens[account] = nil }
        }
    }

    /// Those whom the event concerns and who have said what they show.
    private func accounts(of event: LogEvent) -> [Int64] {
        screens.withLock { screens in
            event.members.compactMap { member in
                if case .account(let account) = member.audience, screens[account] != nil { account } else { nil }
            }
        }
    }

    private func tell(_ event: LogEvent) async {
        // What cannot be read is nothing that could be shown.
        guard let change = try? event.messageChange(), case .message(let fact, _) = change.kind else { return }
        let message = fact.message
        for account in accounts(of: event) {
            let away = screens.withLock { $0[account] ?? [:] }.filter { $0.value != message.threadID }.keys
            guard !away.isEmpty, let data = try? await notification(of: message, to: account) else { continue }
            store.feed.publish(.notification, data: data, to: away.map { .session($0) })
        }
    }

    /// Nil where the account is not to be told: of its own messages, as somebody who is only invited, and of replies in a
    /// reply thread in which it has no part.
    private func notification(of message: Message, to account: Int64) async throws -> [UInt8]? {
        try await store.read { transaction in
            let customer = try transaction.account(account).customer
            guard message.author.kind != .customer || message.author.id != customer.id,
                  let record = try transaction.thread(message.threadID, of: account),
                  record.members.contains(where: { $0.account == account && $0.state == .joined }) else { return nil }
            if let parent = message.parentID {
                guard try transaction.hasPart(in: parent, of: record, Author(customer)) else { return nil }
            }
            return Notification(message, threadName: record.thread.name).canonicalJSON
        }
    }
}

extension ChatClient {
    /// Says which thread the session shows, or none: of messages in others it is told by `notification`. Throws `unknownThread`.
    public nonisolated func show(_ thread: String?) async throws(ChatError) {
        if let thread { try await checkThread(thread) }
        notifications.show(thread, session: id, account: account)
    }
}
