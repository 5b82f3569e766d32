import ChatModel
import ChatStore
import Formats

/// One session's chat, with the operations of the SDK. It passes what its client asks for to the service.
///
/// Reading is allowed in any state (`ChatClient+Reading.swift`). Acting needs a connection, and answers after the
/// commit. Most actions are requests of the service as they are: ``perform(needing:in:_:)`` makes them. The others have
/// functions here. Changes are reported by the event log only.
///
/// A client keeps no state of its own: rows are in the store, and the connection is an actor (``SessionConnection``).
/// So every call may come from any task, and runs there.
public final class ChatClient: Sendable {
    public let id: String
    /// The number of the session's account in the store.
    public let account: Int64
    /// A number from which the session's token is derived, together with other things. A new number makes the old token
    /// invalid.
    public let generation: Int64
    public let createdAt: Timestamp
    /// What is done with messages that could not be sent.
    public let resendPolicy: ResendPolicy
    public let key: AccountKey
    public let term: SessionTerm
    let use: SessionUse
    let store: ChatStore
    let service: any ChatService
    let clock: any Clock<Duration>
    let remote: RemoteAccounts
    /// The account's cache; nil for the embedded service, which needs none.
    let cache: RemoteAccount?
    let connection: SessionConnection
    let notifications: Notifications
    /// Given when the session is back from the store; nil for one that nobody waits for.
    let restoration: Answer<Void>?

    /// - Parameter isRestored: the session was stored before the gateway started.
    init(
        record: SessionRecord, key: AccountKey, channel: Channel, service: any ChatService, store: ChatStore,
        clock: any Clock<Duration>, remote: RemoteAccounts, notifications: Notifications, use: SessionUse,
        isRestored: Bool
    ) {
        id = record.id
        account = record.account
        generation = record.generation
        createdAt = record.createdAt
        resendPolicy = record.resendPolicy
        term = SessionTerm(record)
        self.key = key
        self.use = use
        self.store = store
        self.service = service
        self.clock = clock
        self.remote = remote
        self.notifications = notifications
        cache = service.isRemote ? remote.account(record.account) : nil
        connection = SessionConnection(
            record: record, channel: channel, service: service, cache: cache, remote: remote, store: store,
            clock: clock, isRestored: isRestored)
        // A platform may take long. What its session can do meanwhile, it does.
        restoration = isRestored && !service.isRemote ? Answer() : nil
    }

    // MARK: Restoring

    /// Whether a stored session is still on its way from the store: its state is that of a moment, and soon another.
    public var isReturning: Bool { restoration?.isGiven == false }

    /// Returns when the session is back from the store: at once, but for an embedded service's session that is used for
    /// the first time since the start.
    public func returned() async { await restoration?.value() }

    // MARK: State

    public var state: ChatState { connection.status.state }
    public var channel: Channel { connection.status.channel }

    /// Why the session is not connected; nil unless an attempt has failed or the connection was lost.
    public var connectionError: ChatError? { connection.status.error }

    /// Whether its service is the embedded one: its requests wait for the store alone.
    public var isEmbedded: Bool { cache == nil }

    /// Notes that the session is in use now, so that it does not expire, and its platform is asked for news. Cheap:
    /// called with each request.
    public func noteUse() {
        use.recordUse()
        if cache != nil { connection.openPlatform?.platform.noteFollower() }
    }

    /// - Parameter customer: as the store has it; nil if it cannot be read.
    func snapshot(of customer: Customer?) -> SessionSnapshot {
        let now = connection.status
        var snapshot = SessionSnapshot(
            id: id, service: key.service, channel: now.channel, customer: customer ?? Customer(id: key.customer),
            state: now.state,
            mode: now.channel.mode, createdAt: createdAt, lastUsedAt: use.time, resendPolicy: resendPolicy,
            isPaused: cache?.isPaused(session: id), connectionError: now.error, nextAttemptAt: now.nextAttemptAt)
        snapshot.channel.opening = connection.service.opening(of: now.channel)
        (snapshot.kind, snapshot.verifiedUntil) = (term.kind, term.verifiedUntil)
        snapshot.endsAt = term.life.map { use.time.advanced(byMilliseconds: $0) }
        return snapshot
    }

    /// Whether the session has ended because nobody has used it.
    public func hasEnded(at now: Timestamp) -> Bool {
        term.life.map { use.time.advanced(byMilliseconds: $0) < now } ?? false
    }

    // MARK: Connection

    /// Reads the channel's configuration, as the SDK's `prepare`, and then connects if asked to.
    ///
    /// Returns when the session has settled. Throws `illegalChatState`, why the first attempt failed, `eventTimeout`
    /// when the limit is over. The session goes on trying, unless the error is final (``ChatError/isFinal``).
    ///
    /// - Parameters:
    ///   - known: the configuration, if the caller has just read it.
    ///   - account: the session's account, if the caller has just read it.
    ///   - limit: how long to wait; nil for 10 s.
    public func prepare(
        with known: Channel? = nil, of account: AccountRecord? = nil, thenConnect connects: Bool = false,
        within limit: Duration? = nil
    ) async throws(ChatError) {
        try await connection.prepare(with: known, of: account, thenConnect: connects, within: limit ?? Deadline.limit)
    }

    /// Connects. Returns when the session is ready or offline. A session that waits for its next attempt tries at once.
    ///
    /// Throws why the attempt failed, `eventTimeout` after 10 s. Unless the error is final, the session goes on trying
    /// until ``disconnect()``, also after a restart of the gateway.
    public func connect() async throws(ChatError) { try await connection.connect() }

    /// Ends the connection, and all attempts to connect. Requests that wait throw `notConnected`. Throws
    /// `storageFailed` when the store cannot save it; the session is disconnected also then.
    public func disconnect() async throws(ChatError) { try await connection.disconnect() }

    // MARK: Requests

    /// Makes a request of the service over the session's connection, and returns its result: the SDK's
    /// `ChatThreadProvider` and `CustomerProvider`.
    ///
    /// Throws `unknownThread`, `unsupportedCapability`, `notConnected` without a connection, `eventTimeout` after 10 s,
    /// and what the request throws (``ServiceConnection``, ``ThreadRules``).
    ///
    /// - Parameters:
    ///   - capability: what the channel must be able to do; nil for what every channel can.
    ///   - thread: looked up before the capability: who asks for a thread that is not there is told so first.
    public func perform<T: Sendable>(
        needing capability: Capability? = nil, in thread: String? = nil,
        _ request: @escaping @Sendable (any ServiceConnection) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        if let capability {
            if let thread { try await checkThread(thread) }
            try ThreadRules.check(capability, on: channel)
        }
        return try await connection.perform(request)
    }

    /// Ends the connection for good, because the session was deleted. Its streams get `chat.updated` with the state
    /// `initial`.
    func signOut() async {
        await connection.signOut()
        notifications.forget(session: id, account: account)
        cache?.forget(session: id)
    }
}

/// What the session itself does for threads besides asking the service, because it changes the session's own state.
extension ChatClient {
    /// Makes a thread in the state `pending`: the desk sees it from its first message on. A live chat is seen at once,
    /// and waits in its queue.
    ///
    /// Throws `unsupportedChannelConfig`, `threadIdConflict`; `illegalChatState` for a live chat while the channel is
    /// offline.
    public func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let outcome = try await connection.perform { (connection) throws(ChatError) in
            try await connection.createThread(draft, receipt: receipt)
        }
        if channel.mode == .liveChat { await connection.conversationBegan() }
        return outcome
    }

    /// Ends a live chat's contact. The thread takes no more messages, and the session is `closed` until a new
    /// conversation begins.
    ///
    /// Throws `illegalChatState` on a channel that is no live chat, and `preconditionFailed`.
    public func endContact(
        _ thread: String, ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.checkEnd(on: channel)
        let outcome = try await perform(needing: .liveChat) { (connection) throws(ChatError) in
            try await connection.endContact(thread, ifMatch: version, receipt: receipt)
        }
        await connection.contactEnded()
        return outcome
    }
}

/// Messages: the SDK's `ChatThreadProvider.send`, and what Parley adds.
extension ChatClient {
    /// Sends a message. The outcome is `created`, or `ok` when a message of this id and content was sent before. On a
    /// remote service its message may still be pending after 10 s, or failed, as ``resendPolicy`` says.
    ///
    /// Throws `invalidParameter`, `textTooLong`, `illegalThreadState` for a closed thread, `messageIdConflict`,
    /// `notConnected`; for a reply `unknownParent`, `replyDepthExceeded`, `replyNotAllowed`.
    public func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try draft.check()
        if draft.parentID != nil { try ThreadRules.check(.replies, on: channel) }
        if draft.postback != nil { try ThreadRules.check(.richMessages, on: channel) }
        if let cache {
            let way = Outbox.Connection(now: { [connection] in connection.openPlatform }) {
                [connection] () throws(ChatError) in try await connection.currentPlatform()
            }
            return try await cache.outbox.send(draft, to: thread, policy: resendPolicy, receipt: receipt, over: way)
        }
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.send(draft, to: thread, receipt: receipt)
        }
    }

    /// Changes the text of an own message. Throws `notAuthor`, `preconditionFailed`, `textTooLong`.
    public func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        try MessageDraft(text: text).check()
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.edit(message, in: thread, text: text, ifMatch: version)
        }
    }

    /// Sends a failed message again, and answers within 10 s. Throws `messageNotFailed`, `unknownMessage`,
    /// `notConnected`, why it failed again, `eventTimeout`.
    public func resend(_ message: String, in thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        guard let cache else {
            _ = try await self.message(message, in: thread)
            throw ChatError(.messageNotFailed, "The message \(message) was sent.")
        }
        let outcome = try await Deadline(clock: clock).run { [self] () throws(ChatError) in
            try await cache.outbox.resend(message, in: thread, over: try await connection.currentPlatform())
        }
        if let receipt { try await store.record(receipt, outcome: outcome) }
        return outcome
    }

    /// Removes an own message, also one that could not be sent. Its text is removed from the log's events too.
    ///
    /// Throws `notAuthor`, `preconditionFailed`, `messageNotFailed` for one that is being sent.
    public func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        if let cache, try await cache.outbox.remove(message, in: thread) { return }
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.remove(message, in: thread, ifMatch: version)
        }
    }
}

/// The cache of a remote service, as a session sees it (SyncManager's `resumeSynchronize`, `pauseSynchronize`,
/// `clearCache`).
extension ChatClient {
    /// Tells where the store's messages may be incomplete.
    public var messageHistory: any MessageHistory { history ?? CompleteHistory() }

    /// Tells whether the service may have more of the account's threads than the store.
    public var threadHistory: any ThreadHistory { history ?? CompleteHistory() }

    private var history: (any MessageHistory & ThreadHistory)? {
        cache.map { ChunkedHistory(store: store, account: $0) }
    }

    /// Stops the background's work over this session's connection, or lets it go on. Live events of the connection are
    /// written in both cases.
    ///
    /// Does nothing on the embedded service, where nothing is synchronized.
    public func setSynchronization(isPaused: Bool) { cache?.setPaused(isPaused, session: id) }

    /// Empties the account's views, and on a remote service also removes the cached rows behind them. Unsent messages
    /// stay. Then the synchronization begins anew. On the embedded service the rows are no cache, and stay.
    ///
    /// Throws `storageFailed`. The synchronization begins anew also then.
    public func clearCache() async throws(ChatError) {
        let result: Result<Void, ChatError>
        do throws(ChatError) { result = .success(try await cache?.clear() ?? ()) } catch { result = .failure(error) }
        // Also when only a part was cleared: the synchronization was stopped, and must begin again.
        remote.notices.post(.cleared(account: account))
        cache?.beginAnew()
        try result.get()
    }
}
