import ChatModel
import ChatStore
import Synchronization

/// Tells sessions of messages in threads that they do not show, by the live event `notification`.
///
/// A session is told once it has said what it shows, while it is connected or is to be. A screen has to be named anew after a
/// restart of the gateway. This is one more reader of the log, which begins with the first session that says so.
public final class Notifications: Sendable {
    private let store: ChatStore
    private struct Screen {
        /// In view; nil where none is.
        var thread: String?
        var isTold: @Sendable () -> Bool
    }

    /// By account and session.
    private let screens = Mutex<[Int64: [String: Screen]]>([:])
    private let reader = Mutex<LogReader?>(nil)

    init(store: ChatStore) { self.store = store }

    /// - Parameter isTold: whether the session is to be told of messages now.
    func show(_ thread: String?, session: String, account: Int64, isTold: @escaping @Sendable () -> Bool) {
        screens.withLock { $0[account, default: [:]][session] = Screen(thread: thread, isTold: isTold) }
        reader.withLock { reader in
            if reader != nil { return }
            reader = LogReader(store.feed) { [weak self] event in
                event.type == .messageCreated && self?.accounts(of: event).isEmpty == false
            } handler: { [weak self] events in
                for event in events ?? [] { await self?.tell(event) }
            }
        }
    }

    /// What a session has said that it shows: nil if nothing, else the thread in view, if one is.
    func screen(of session: String, account: Int64) -> String?? {
        screens.withLock { $0[account]?[session].map(\.thread) }
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
            let away = screens.withLock { $0[account] ?? [:] }.filter { $0.value.thread != message.threadID && $0.value.isTold() }.keys
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
    public func show(_ thread: String?) async throws(ChatError) {
        if let thread { try await checkThread(thread) }
        // Its end may have come meanwhile.
        try checkSession()
        notifications.show(thread, session: id, account: account) { [weak self] in
            // Who has disconnected does not want to be told.
            self.map { $0.state != .initial && $0.state != .prepared } ?? false
        }
    }

    /// What the session has said that it shows: nil if nothing yet, else the thread in view, if one is.
    public nonisolated var screen: String?? { notifications.screen(of: id, account: account) }

    /// The session shows nothing any more, and is not notified.
    public nonisolated func hideScreen() { notifications.forget(session: id, account: account) }
}
