import ChatModel
import ChatStore
import Formats
import Synchronization

/// Tells sessions of messages in threads that they do not show, by the live event `notification`, and of how much is
/// unread, by `unread.updated`.
///
/// A session is told while it has a screen, and while it is connected or is to be. Screens have to be named anew after
/// a restart of the gateway. This is one more reader of the log, which begins with the first session that names one.
public final class Notifications: Sendable {
    let store: ChatStore
    private let screens = Mutex(Screens())
    private let reader = Mutex<LogReader?>(nil)
    private let leaving = Callback<String, Void>()
    private let others = Callback<(holder: String, account: Int64), Bool>()
    /// What was named before this time is forgotten: the gateway has started since.
    public let knownSince: Timestamp

    init(store: ChatStore) {
        self.store = store
        knownSince = store.environment.now()
    }

    /// Throws `tooManyScreens`.
    ///
    /// - Parameter isTold: whether the session is to be told of messages now.
    func show(
        _ thread: String?, holder: String?, session: String, account: Int64, isTold: @escaping @Sendable () -> Bool
    ) throws(ChatError) {
        let now = store.environment.now()
        try screens.withLock { (screens) throws(ChatError) in
            try screens.show(thread, holder: holder, session: session, account: account, at: now, isTold: isTold)
        }
        reader.withLock { reader in
            if reader != nil { return }
            reader = LogReader(store.feed) { [weak self] event in
                (event.type == .messageCreated || event.type.changesTotals)
                    && self?.accounts(of: event).isEmpty == false
            } handler: { [weak self] events in
                for event in events ?? [] where event.type == .messageCreated { await self?.tell(event) }
                await self?.tellTotals(after: events)
            }
        }
    }

    /// What a session shows; the screen that was named last is the last. Empty where it has none, and is not told.
    func screens(of session: String, account: Int64) -> [Screen] {
        let now = store.environment.now()
        return screens.withLock { $0.screens(of: session, account: account, at: now) }
    }

    /// - Parameter holders: nil: all screens of the session.
    func forget(_ holders: [String]? = nil, session: String, account: Int64) {
        screens.withLock { $0.forget(holders, session: session, account: account) }
    }

    /// A stream that carries the session has begun, and names these holders, if any: their screens are kept until
    /// ``streamClosed(by:session:account:)``.
    public func streamOpened(by holders: Set<String>, session: String) {
        screens.withLock { screens in
            screens.openStream(of: session)
            for holder in holders { screens.open(holder, session: session) }
        }
    }

    public func streamClosed(by holders: Set<String>, session: String, account: Int64) {
        let now = store.environment.now()
        screens.withLock { screens in
            screens.closeStream(of: session)
            for holder in holders { screens.close(holder, session: session, account: account, at: now) }
        }
        left(session)
    }

    /// A stream that carries the desk has begun, and names these holders, if any.
    public func deskStreamOpened(by holders: Set<String>) {
        screens.withLock { screens in
            for holder in holders { screens.open(holder, session: Screens.desk) }
        }
    }

    public func deskStreamClosed(by holders: Set<String>) {
        let now = store.environment.now()
        screens.withLock { screens in
            for holder in holders { screens.close(holder, session: Screens.desk, account: 0, at: now) }
        }
        for holder in holders { left(holder) }
    }

    /// Whether somebody follows the desk in the browser of this device: a stream of the desk names the device as holder.
    public func presence(ofDeskDevice id: String) -> Presence {
        Presence(isPresent: screens.withLock { $0.hasDeskStream(of: id) })
    }

    /// Whether somebody follows the session now, or whoever else holds a device.
    public func presence(of session: String, account: Int64) -> Presence {
        if others((session, account)) == true { return Presence(isPresent: true) }
        return screens.withLock { $0.presence(of: session, account: account) }
    }

    /// - Parameter isPresent: whether somebody is there who holds a device of an account, and is no session. What
    ///   they look at is not known. Each end is told by ``left(_:)``.
    public func onPresence(of isPresent: @escaping @Sendable (_ holder: String, _ account: Int64) -> Bool) {
        others.set { isPresent($0.holder, $0.account) }
    }

    /// Who holds a device is there no more.
    public func left(_ holder: String) { leaving(holder) }

    /// - Parameter tell: called with a session whenever one of its streams has ended, with the holders that a stream of
    ///   the desk had named, and with whoever has left (``left(_:)``); it must be quick.
    public func onStreamEnd(_ tell: @escaping @Sendable (String) -> Void) { leaving.set(tell) }

    /// Those whom the event concerns and who have screens.
    private func accounts(of event: LogEvent) -> [Int64] {
        screens.withLock { screens in
            event.members.compactMap { member in
                if case .account(let account) = member.audience, screens.hasScreens(account) { account } else { nil }
            }
        }
    }

    // MARK: Totals

    var accountsWithScreens: [Int64] { screens.withLock { $0.accountsWithScreens } }

    /// See ``Screens/mayChange(_:by:)``.
    func mayChange(_ account: Int64, by unreadCount: Int?) -> Bool {
        screens.withLock { $0.mayChange(account, by: unreadCount) }
    }

    /// See ``Screens/sessionsToTell(_:of:at:)``.
    func sessionsToTell(_ total: UnreadTotal, of account: Int64) -> [String] {
        let now = store.environment.now()
        return screens.withLock { $0.sessionsToTell(total, of: account, at: now) }
    }

    // MARK: Messages

    private func tell(_ event: LogEvent) async {
        // What cannot be read is nothing that could be shown.
        guard let change = try? event.messageChange(), case .message(let fact, _) = change.kind else { return }
        let (message, now) = (fact.message, store.environment.now())
        for account in accounts(of: event) {
            let away = screens.withLock { $0.sessions(of: account, notShowing: message.threadID, at: now) }
            guard !away.isEmpty, let event = try? await notification(of: message, to: account) else { continue }
            store.feed.publish(event, to: away.map { .session($0) })
        }
    }

    /// Nil where the account is not to be told.
    private func notification(of message: Message, to account: Int64) async throws -> NotificationEvent? {
        try await store.read { transaction in
            guard let record = try transaction.thread(telling: account, of: message) else { return nil }
            return NotificationEvent(
                message, threadName: record.thread.name, channel: try transaction.account(account).key.channel,
                unreadCount: try transaction.unreadTotal(of: account).unreadCount)
        }
    }
}

extension ChatClient {
    /// Says which thread a screen of the session shows, or none. While the session has screens, it is told by
    /// `notification` of messages in threads that none of them shows. Throws `unknownThread`, `tooManyScreens`.
    ///
    /// - Parameter holder: whose screen it is; nil for that of the session itself, which stays until it is hidden.
    public func show(_ thread: String?, holder: String? = nil) async throws(ChatError) {
        if let thread { try await checkThread(thread) }
        try notifications.show(thread, holder: holder, session: id, account: account) { [weak self] in
            // Who has disconnected does not want to be told.
            self.map { $0.state != .initial && $0.state != .prepared } ?? false
        }
        do throws(ChatError) {
            // The session may have been deleted meanwhile, before this screen was there to be forgotten.
            try await connection.checkSession()
        } catch {
            hideScreens()
            throw error
        }
    }

    /// What the session shows; the screen that was named last is the last. Empty where it has none.
    public var screens: [Screen] { notifications.screens(of: id, account: account) }

    /// Since when screens are remembered: what was named before the gateway's start is forgotten.
    public var screensKnownSince: Timestamp { notifications.knownSince }

    /// The session shows nothing any more, and is not notified.
    ///
    /// - Parameter holders: ends their screens alone; nil for all.
    public func hideScreens(of holders: [String]? = nil) {
        notifications.forget(holders, session: id, account: account)
    }
}
