import ChatModel
import ChatStore
import Formats

/// One session's chat: the SDK. It carries what its client asks for to the service.
///
/// Reading is legal in any state (`ChatClient+Reading.swift`). Acting needs a connection, and answers after the commit
/// (`ChatClient+Threads.swift`, `ChatClient+Messages.swift`). The event log alone tells what changes.
///
/// A client has no state of its own: rows are in the store, and the connection is an actor (``SessionConnection``). So every
/// call runs where its caller runs.
public final class ChatClient: Sendable {
    public let id: String
    /// The number of the session's account in the store.
    public let account: Int64
    /// Part of what its token is derived from.
    public let generation: Int64
    public let createdAt: Timestamp
    /// What becomes of messages that could not be sent.
    public let resendPolicy: ResendPolicy
    let key: AccountKey
    let use: SessionUse
    let store: ChatStore
    let service: any ChatService
    let clock: any Clock<Duration>
    let remote: RemoteAccounts
    /// The account's cache; nil for the embedded service, which needs none.
    let cache: RemoteAccount?
    let connection: SessionConnection
    let notifications: Notifications

    init(
        record: SessionRecord, key: AccountKey, channel: Channel, service: any ChatService, store: ChatStore,
        clock: any Clock<Duration>, remote: RemoteAccounts, notifications: Notifications, use: SessionUse
    ) {
        id = record.id
        account = record.account
        generation = record.generation
        createdAt = record.createdAt
        resendPolicy = record.resendPolicy
        self.key = key
        self.use = use
        self.store = store
        self.service = service
        self.clock = clock
        self.remote = remote
        self.notifications = notifications
        cache = service.isRemote ? remote.account(record.account) : nil
        connection = SessionConnection(record: record, channel: channel, service: service, cache: cache, store: store, clock: clock)
    }

    // MARK: State

    public var state: ChatState { connection.status.state }
    public var channel: Channel { connection.status.channel }

    /// Why the session is not connected, if an attempt has failed or the connection was lost.
    public var connectionError: ChatError? { connection.status.error }

    /// Somebody uses the session now.
    public func noteUse() { use.note() }

    /// - Parameter customer: as the store has it; nil if it cannot be read.
    func snapshot(of customer: Customer?) -> SessionSnapshot {
        let now = connection.status
        return SessionSnapshot(
            id: id, service: key.service, channel: now.channel, customer: customer ?? Customer(id: key.customer), state: now.state,
            mode: now.channel.mode, createdAt: createdAt, lastUsedAt: use.time, resendPolicy: resendPolicy,
            isPaused: cache?.isPaused(session: id), connectionError: now.error, nextAttemptAt: now.nextAttemptAt)
    }

    // MARK: Connection

    /// Reads the channel's configuration, as the SDK's `prepare`, and connects then if that is wanted.
    ///
    /// Returns when the session has settled. Throws `illegalChatState`, why the first attempt failed, `eventTimeout` after
    /// 10 s; the session goes on trying, unless the error is final.
    /// - Parameters:
    ///   - known: the configuration, if it was read just now.
    ///   - limit: instead of 10 s.
    public func prepare(
        with known: Channel? = nil, thenConnect connects: Bool = false, within limit: Duration? = nil
    ) async throws(ChatError) {
        try await connection.prepare(with: known, thenConnect: connects, within: limit ?? Deadline.limit)
    }

    /// Connects, and returns when the session is ready, or offline. A session that is waiting for its next attempt tries at once.
    ///
    /// Throws why the attempt failed, `eventTimeout` after 10 s. Unless the error is final, the session goes on trying until
    /// ``disconnect()``.
    public func connect() async throws(ChatError) { try await connection.connect() }

    /// Ends the connection; whoever waits for an answer gets `notConnected`.
    public func disconnect() async throws(ChatError) { try await connection.disconnect() }

    /// Ends the connection for good; streams of the session hear `chat.updated` with `initial`.
    func signOut() async {
        await connection.signOut()
        notifications.forget(session: id, account: account)
        cache?.forget(session: id)
    }
}
