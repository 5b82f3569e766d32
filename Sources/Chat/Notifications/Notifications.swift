import ChatModel
import ChatStore
import Formats
import Synchronization

/// Tells sessions of messages in threads that they do not show, by the live event `notification`, and of how much is
/// unread, by `unread.updated`.
///
/// A session is told while it has a screen, and while it is connected or is to be. Screens are kept in memory only:
/// after a restart of the gateway clients must name them again. The log is read from the first screen on, so a gateway
/// without screens does no work here. Every call may come from any thread.
public final class Notifications: Sendable {
    let store: ChatStore
    private let screens = Mutex(Screens())
    private let reader = Mutex<LogReader?>(nil)
    private let leaving = Callback<String, Void>()
    private let others = Callback<(holder: String, account: Int64), Bool>()
    /// When the gateway started. Screens that were named before this time are forgotten, and clients name them again.
    public let knownSince: Timestamp

    init(store: ChatStore) {
        self.store = store
        knownSince = store.environment.now()
    }

    /// Sets what a screen shows, and starts to read the log with the first one. Throws `tooManyScreens`.
    ///
    /// - Parameter isTold: whether the session is to be told of messages now. It is asked under a lock, with each
    ///   message.
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
                for event in events ?? [] where event.type == .messageCreated { await self?.notify(event) }
                await self?.tellTotals(after: events)
            }
        }
    }

    /// What a session shows, in the order in which the screens were named. Empty where it has no screen, and is not
    /// told.
    func screens(of session: String, account: Int64) -> [Screen] {
        let now = store.environment.now()
        return screens.withLock { $0.screens(of: session, account: account, at: now) }
    }

    /// Removes screens of a session.
    ///
    /// - Parameter holders: whose screens are removed; nil removes all of the session's.
    func forget(_ holders: [String]? = nil, session: String, account: Int64) {
        screens.withLock { $0.forget(holders, session: session, account: account) }
    }

    /// A stream that carries the session has begun, and names these holders, if any. Their screens are kept until
    /// ``streamClosed(by:session:account:)``, which must follow exactly once.
    public func streamOpened(by holders: Set<String>, session: String) {
        screens.withLock { screens in
            screens.openStream(of: session)
            for holder in holders { screens.open(holder, session: session) }
        }
    }

    /// The end of a stream that ``streamOpened(by:session:)`` announced, with the same holders. Their screens are kept
    /// for ``Screens/graceTime`` more.
    public func streamClosed(by holders: Set<String>, session: String, account: Int64) {
        let now = store.environment.now()
        screens.withLock { screens in
            screens.closeStream(of: session)
            for holder in holders { screens.close(holder, session: session, account: account, at: now) }
        }
        left(session)
    }

    /// A stream that carries the desk has begun, and names these holders, if any. Exactly one ``deskStreamClosed(by:)``
    /// must follow.
    public func deskStreamOpened(by holders: Set<String>) {
        screens.withLock { screens in
            for holder in holders { screens.open(holder, session: Screens.desk) }
        }
    }

    /// The end of a stream of the desk, with the holders that it named.
    public func deskStreamClosed(by holders: Set<String>) {
        let now = store.environment.now()
        screens.withLock { screens in
            for holder in holders { screens.close(holder, session: Screens.desk, account: 0, at: now) }
        }
        for holder in holders { left(holder) }
    }

    /// Whether somebody follows the desk in the browser of this device: an open stream of the desk names the device as
    /// its holder.
    public func presence(ofDeskDevice id: String) -> Presence {
        Presence(isPresent: screens.withLock { $0.hasDeskStream(of: id) })
    }

    /// Whether somebody follows the session now. The id may also be a holder of ``AppDevices``: then
    /// ``onPresence(of:)`` decides.
    public func presence(of session: String, account: Int64) -> Presence {
        if others((session, account)) == true { return Presence(isPresent: true) }
        return screens.withLock { $0.presence(of: session, account: account) }
    }

    /// Sets who is asked about holders of devices that are no sessions (``AppDevices``). What such a holder looks at is
    /// not known. Each end of a presence must be reported by ``left(_:)``.
    ///
    /// - Parameter isPresent: whether the holder is connected now, for this account; called on any thread.
    public func onPresence(of isPresent: @escaping @Sendable (_ holder: String, _ account: Int64) -> Bool) {
        others.set { isPresent($0.holder, $0.account) }
    }

    /// The holder of a device is no longer connected: pushes to it need not wait any more.
    public func left(_ holder: String) { leaving(holder) }

    /// Sets who is told that somebody may have gone away. There is one receiver.
    ///
    /// - Parameter tell: called with a session when one of its streams has ended, with each holder that an ended stream
    ///   of the desk had named, and with whoever has left (``left(_:)``). It runs on the caller's thread, so it must be
    ///   quick.
    public func onStreamEnd(_ tell: @escaping @Sendable (String) -> Void) { leaving.set(tell) }

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

    private func notify(_ event: LogEvent) async {
        // An event that cannot be decoded is skipped: there is nothing to show.
        guard let change = try? event.messageChange(), case .message(let fact, _) = change.kind else { return }
        let (message, now) = (fact.message, store.environment.now())
        for account in accounts(of: event) {
            let away = screens.withLock { $0.sessions(of: account, notShowing: message.threadID, at: now) }
            guard !away.isEmpty, let event = try? await notification(of: message, to: account) else { continue }
            store.feed.publish(event, to: away.map { .session($0) })
        }
    }

    /// The notification for one account; nil where the account is not to be told.
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
    /// `notification` of messages in threads that none of them shows.
    ///
    /// Throws `unknownThread`, `tooManyScreens`, `unknownSession` when the session was deleted meanwhile.
    ///
    /// - Parameter holder: whose screen it is, as one tab of a browser; nil for the session's own, which stays until it
    ///   is hidden.
    public func show(_ thread: String?, holder: String? = nil) async throws(ChatError) {
        if let thread { try await checkThread(thread) }
        try notifications.show(thread, holder: holder, session: id, account: account) { [weak self] in
            // A session that was told to disconnect is not told of messages.
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

    /// Removes the session's screens. Without a screen it is not notified.
    ///
    /// - Parameter holders: whose screens are removed; nil removes all.
    public func hideScreens(of holders: [String]? = nil) {
        notifications.forget(holders, session: id, account: account)
    }
}

/// Tells sessions that have screens how much their account has not read, by the live event `unread.updated`. A live
/// event is not stored in the log: who is away reads the total with the next GET.
extension Notifications {
    /// Reads the totals that the events may have changed, and tells those that did change. Called by the log's reader,
    /// one batch after the other.
    ///
    /// - Parameter events: nil says that some events were lost, so any total may have changed.
    func tellTotals(after events: [LogEvent]?) async {
        let accounts = events.map(accountsWithOtherTotals) ?? accountsWithScreens
        for account in accounts {
            // A total that cannot be read now is told with the next change.
            guard let total = try? await store.read({ try $0.unreadTotal(of: account) }) else { continue }
            let sessions = sessionsToTell(total, of: account)
            if sessions.isEmpty { continue }
            store.feed.publish(UnreadUpdatedEvent(total), to: sessions.map { .session($0) })
        }
    }

    /// The accounts with screens whose totals these events may have changed, each once. Most events change a thread
    /// that was read and stays read; those cost no read of the store.
    private func accountsWithOtherTotals(_ events: [LogEvent]) -> [Int64] {
        var found: [Int64] = []
        for event in events where event.type.changesTotals {
            for member in event.members {
                guard case .account(let account) = member.audience, !found.contains(account) else { continue }
                if mayChange(account, by: member.unreadCount) { found.append(account) }
            }
        }
        return found
    }
}

extension EventType {
    /// Whether what an account has not read may be another number after an event of this type.
    var changesTotals: Bool {
        switch self {
        case .threadCreated, .threadUpdated, .threadRemoved: true
        default: false
        }
    }
}

extension ReadTransaction {
    /// The thread of a message, if an account is to be told of the message by a notification or a push; otherwise nil.
    ///
    /// An account is not told of its own messages, of messages in a thread to which it is only invited, and of replies
    /// in a reply thread in which it takes no part.
    package func thread(telling account: Int64, of message: Message) throws -> ThreadRecord? {
        let own = try self.account(account)
        guard !own.wrote(message),
            let record = try thread(message.threadID, of: account),
            record.members.contains(where: { $0.account == account && $0.state == .joined })
        else { return nil }
        if let parent = message.parentID {
            let authors = own.authorIDs.map { Author(id: $0, kind: .customer) }
            guard try authors.contains(where: { try hasPart(in: parent, of: record, $0) }) else { return nil }
        }
        return record
    }
}

extension ReadTransaction {
    /// The thread of a message, if the desk is to be told of the message; otherwise nil. The desk is told of what
    /// customers write.
    ///
    /// A new thread is not announced by itself: the desk learns of it by its first message.
    ///
    /// - Parameter number: the message's row; nil where the event names none, and then the result is nil.
    package func thread(tellingDeskOf message: Message, number: Int64?) throws -> ThreadRecord? {
        guard message.direction == .toAgent, let record = try number.flatMap({ try thread(ofMessage: $0) }),
            record.isKnownToDesk
        else { return nil }
        return record
    }
}

extension LogEvent {
    /// The message of a `message.created` event. Nil for other events, and for a message that was removed since.
    package func createdMessage() throws -> Message? {
        guard type == .messageCreated, let change = try messageChange(), case .message(let fact, _) = change.kind else {
            return nil
        }
        return fact.message
    }
}
