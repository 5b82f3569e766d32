import ChatModel
import ChatStore
import Synchronization

/// One session's chat: the SDK. It connects, keeps connected, and carries what its client asks for to the service.
///
/// Reading is legal in any state (see `ChatClient+Reading.swift`); acting needs a connection,
/// and answers after the commit (`ChatClient+Threads.swift`, `ChatClient+Messages.swift`). What changes is told by the event log alone; only the
/// connection's own state is published from here, to this session's streams.
public actor ChatClient {
    public nonisolated let id: String
    /// The number of the session's account in the store.
    public nonisolated let account: Int64
    nonisolated let use: SessionUse
    /// Part of what its token is derived from.
    public nonisolated let generation: Int64
    public nonisolated let createdAt: Timestamp
    nonisolated let key: AccountKey
    nonisolated let store: ChatStore
    nonisolated let service: any ChatService
    nonisolated let clock: any Clock<Duration>
    private nonisolated let environment: ModelEnvironment
    /// What becomes of messages that could not be sent.
    public nonisolated let resendPolicy: ResendPolicy
    nonisolated let remote: RemoteAccounts
    nonisolated let notifications: Notifications
    /// The account's cache; nil for the embedded service, which needs none.
    nonisolated let cache: RemoteAccount?
    /// The attempt whose connection the cache is kept over.
    private var cachedAttempt: Int?

    private(set) var machine = ConnectionMachine()
    private var connection: (any ServiceConnection)?
    /// Counts attempts: what an older one still has to say is ignored.
    private var attempt = 0
    /// The attempt whose connection was lost before it was known here.
    private var lostAttempt: Int?
    /// Counts preparations, likewise.
    private var preparation = 0
    /// Counts questions whether the service is online, likewise.
    private var question = 0
    /// The channel's configuration, if it was read just now.
    private var knownChannel: Channel?
    /// What the store was told last: whether the session is to be connected after a restart. Nil: not known.
    private var isStoredAsConnected: Bool?
    /// The last of its writes, which go one after the other.
    private var storing: Task<ChatError?, Never>?
    /// The session is gone: nothing begins any more.
    private var isSignedOut = false
    /// Counts calls of `connect` and `disconnect`: an older one that is still being stored is ignored.
    private var calls = 0
    private var retry: Task<Void, Never>?
    private(set) var nextAttemptAt: Timestamp?
    nonisolated let pending = PendingRequests()
    private var waiters: [Int: CheckedContinuation<ChatError?, Never>] = [:]
    private var nextWaiter = 0

    private struct Visible {
        var state: ChatState
        var mode: ChatMode
        var channel: Channel
        var error: ChatError?
        var nextAttemptAt: Timestamp?
    }
    private nonisolated let visible: Mutex<Visible>

    init(
        record: SessionRecord, key: AccountKey, channel: Channel, service: any ChatService, store: ChatStore,
        clock: any Clock<Duration>, remote: RemoteAccounts, notifications: Notifications, use: SessionUse
    ) {
        self.use = use
        id = record.id
        isStoredAsConnected = record.isConnected
        account = record.account
        generation = record.generation
        createdAt = record.createdAt
        resendPolicy = record.resendPolicy
        self.remote = remote
        self.notifications = notifications
        cache = service.isRemote ? remote.account(record.account) : nil
        self.key = key
        self.service = service
        self.store = store
        self.clock = clock
        environment = store.environment
        visible = Mutex(Visible(state: .initial, mode: channel.mode, channel: channel))
    }

    // MARK: State

    public nonisolated var state: ChatState { visible.withLock { $0.state } }
    public nonisolated var channel: Channel { visible.withLock { $0.channel } }

    /// Why the session is not connected, if an attempt has failed or the connection was lost.
    public nonisolated var connectionError: ChatError? { visible.withLock { $0.error } }

    /// Somebody uses the session now.
    public nonisolated func noteUse() { use.note() }

    /// - Parameter customer: as the store has it; nil if it cannot be read.
    nonisolated func snapshot(of customer: Customer?) -> SessionSnapshot {
        let now = visible.withLock { $0 }
        return SessionSnapshot(
            id: id, service: key.service, channel: now.channel, customer: customer ?? Customer(id: key.customer), state: now.state,
            mode: now.mode, createdAt: createdAt, lastUsedAt: use.time, resendPolicy: resendPolicy,
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
        try checkSession()
        let effects = try machine.handle(.prepare(connects: connects))
        // Being prepared already: the call that began it goes on.
        guard !effects.isEmpty else { return }
        knownChannel = known
        share()
        try await settle(beginning: effects, storing: connects, within: limit ?? Deadline.limit)
    }

    /// Takes a stored session up when its turn comes. Until then it is `preparing`, and requests wait for it.
    func restore(connects: Bool) async { await take(.restore(connects: connects)) }

    /// The turn of a restored session has come. Returns when its first attempt has settled, or after 10 s.
    func beginRestored() async {
        guard machine.isWaiting, machine.error == nil else { return }
        _ = await settled(after: { [self] in await take(.retryDue) })
    }

    /// Connects, and returns when the session is ready, or offline. A session that is waiting for its next attempt tries at once.
    ///
    /// Throws why the attempt failed, `eventTimeout` after 10 s. Unless the error is final, the session goes on trying until
    /// ``disconnect()``.
    public func connect() async throws(ChatError) {
        try checkSession()
        let effects = try machine.handle(.connect)
        if machine.state >= .connected { return await apply(effects) }
        share()
        try await settle(beginning: effects, storing: true)
    }

    func checkSession() throws(ChatError) {
        if isSignedOut { throw ChatError(.unknownSession, "There is no session \(id).") }
    }

    private func settle(
        beginning effects: [ConnectionMachine.Effect], storing connects: Bool, within limit: Duration = Deadline.limit
    ) async throws(ChatError) {
        // A call that only joins what an earlier one has begun leaves that one in charge.
        if !effects.isEmpty { calls += 1 }
        let call = calls
        let error = await settled(within: limit, after: { [self] in await begin(effects, storing: connects, call) })
        if let error { throw error }
    }

    /// Stores that the session is to be connected, and begins; unless a later call has decided otherwise meanwhile.
    private func begin(_ effects: [ConnectionMachine.Effect], storing connects: Bool, _ call: Int) async {
        if connects, call == calls {
            do throws(ChatError) {
                try await remember(isConnected: true)
            } catch {
                if call == calls { await take(.connectNotStored(error)) }
                return
            }
        }
        if call == calls { await apply(effects) }
    }

    /// Ends the connection; whoever waits for an answer gets `notConnected`.
    public func disconnect() async throws(ChatError) {
        calls += 1
        let call = calls
        await take(.disconnect)
        // A call of `connect` that came meanwhile decides.
        if call == calls { try await remember(isConnected: false) }
    }

    /// Ends the connection for good; streams of the session hear `chat.updated` with `initial`.
    func signOut() async {
        calls += 1
        isSignedOut = true
        await take(.signOut)
        notifications.forget(session: id, account: account)
        cache?.forget(session: id)
    }

    private func remember(isConnected: Bool) async throws(ChatError) {
        guard isStoredAsConnected != isConnected else { return }
        isStoredAsConnected = isConnected
        let (id, store, earlier) = (id, store, storing)
        let writing = Task { () -> ChatError? in
            _ = await earlier?.value
            do throws(ChatError) {
                try await store.write { try $0.setConnected(isConnected, session: id) }
                return nil
            } catch {
                return error
            }
        }
        storing = writing
        guard let error = await writing.value else { return }
        isStoredAsConnected = nil
        throw error
    }

    private func take(_ input: ConnectionMachine.Input) async {
        // Only the calls `prepare` and `connect` are refused; both are handled where they are made.
        guard let effects = try? machine.handle(input, random: environment.random()) else { return }
        share()
        await apply(effects)
    }

    private func share() {
        if !machine.isWaiting { nextAttemptAt = nil }
        visible.withLock { visible in
            (visible.state, visible.mode) = (machine.state, visible.channel.mode)
            (visible.error, visible.nextAttemptAt) = (machine.error, nextAttemptAt)
        }
        guard let cache else { return }
        if machine.state == .ready, cachedAttempt != attempt, let platform = connection?.platform {
            cachedAttempt = attempt
            cache.attach(BoundPlatform(platform: platform, pending: pending, round: pending.round), session: id)
        } else if !machine.state.isChatAvailable, cachedAttempt != nil {
            cachedAttempt = nil
            cache.detach(session: id)
        }
    }

    /// Does what follows from an input, in one go: no other input comes between. Closing, which may take time, is awaited last.
    private func apply(_ effects: [ConnectionMachine.Effect]) async {
        share()
        var closing: (any ServiceConnection)?
        for effect in effects {
            if effect == .close {
                attempt += 1
                closing = connection
                connection = nil
            } else {
                apply(effect)
            }
        }
        await closing?.close()
    }

    private func apply(_ effect: ConnectionMachine.Effect) {
        switch effect {
        case .fetchConfiguration: fetchConfiguration()
        case .checkAvailability: ask()
        case .open: open()
        case .close:
            break  // Done by the caller, which can wait.
        case .recoverThread: load { (connection) throws(ChatError) in try await connection.recoverThread() }
        case .loadThreads: load { (connection) throws(ChatError) in try await connection.loadThreads() }
        case .createThread:
            load(then: .threadCreated) { (connection) throws(ChatError) in
                do throws(ChatError) {
                    _ = try await connection.createThread(ThreadDraft(), receipt: nil)
                } catch {
                    // The channel has got a survey since: the thread waits for its answers.
                    if error.code == .missingPreChatCustomFields { return 0 }
                    // Another session of the account was quicker: its thread is the one.
                    guard error.code == .unsupportedChannelConfig else { throw error }
                    return try await connection.recoverThread()
                }
                return 1
            }
        case .scheduleRetry(let delay): schedule(delay)
        case .cancelRetry:
            retry?.cancel()
            retry = nil
            nextAttemptAt = nil
        case .publishState: publishState()
        case .publishError(let error): publish(error)
        case .failPending:
            pending.fail(ChatError(.notConnected, "The connection to the service was lost before it answered."))
        case .settled(let error):
            let settled = waiters.values
            waiters = [:]
            for waiter in settled { waiter.resume(returning: error) }
        }
    }

    private func fetchConfiguration() {
        preparation += 1
        let current = preparation
        let service = service, store = store, account = account, id = key.channel
        let known = knownChannel
        knownChannel = nil
        Task {
            do throws(ChatError) {
                let channel: Channel
                if let known { channel = known } else { channel = try await service.channel(id) }
                let record = try await store.read { try $0.account(account) }
                try await service.prepare(record, channel: channel)
                await prepared(channel, current)
            } catch {
                // Disconnected meanwhile, and perhaps prepared anew: this answer is too late.
                if current == preparation { await take(.prepareFailed(error)) }
            }
        }
    }

    private func prepared(_ channel: Channel, _ current: Int) async {
        guard current == preparation, machine.state == .preparing else { return }
        visible.withLock { $0.channel = channel }
        await take(.prepared(channel.mode))
    }

    private func ask() {
        question += 1
        let current = question
        let service = service, store = store, account = account
        Task {
            let input: ConnectionMachine.Input
            do throws(ChatError) {
                let record = try await store.read { try $0.account(account) }
                input = try await service.isOnline(record) ? .online : .offline
            } catch {
                input = .availabilityFailed(error)
            }
            if current == question { await take(input) }
        }
    }

    private func open() {
        attempt += 1
        let current = attempt
        let service = service, store = store, account = account, channel = channel, cache = cache
        Task {
            do throws(ChatError) {
                let record = try await store.read { try $0.account(account) }
                try await cache?.willConnect()
                let opened = try await service.connect(record, channel: channel) { [weak self] in
                    Task { await self?.lost(attempt: current) }
                }
                await self.opened(opened, attempt: current)
            } catch {
                if current == attempt { await take(.openFailed(error)) }
            }
        }
    }

    private func opened(_ opened: any ServiceConnection, attempt current: Int) async {
        // Disconnected meanwhile: the connection is nobody's.
        guard current == attempt, machine.state == .connecting else { return await opened.close() }
        guard lostAttempt != current else {
            return await take(.openFailed(ChatError(.notConnected, "The connection to the service was lost at once.")))
        }
        connection = opened
        await take(.opened)
    }

    private func lost(attempt lost: Int) async {
        guard lost == attempt else { return }
        guard connection != nil else {
            lostAttempt = lost
            return
        }
        attempt += 1
        connection = nil
        await take(.lost)
    }

    /// Runs what follows an opened connection, and feeds its result to the machine.
    private func load(
        then success: ConnectionMachine.Input = .loaded,
        _ work: @escaping @Sendable (any ServiceConnection) async throws(ChatError) -> Int
    ) {
        guard let connection else { return }
        let current = attempt
        Task {
            let input: ConnectionMachine.Input
            do throws(ChatError) {
                let count = try await work(connection)
                if current == attempt { publishThreadsLoaded(count) }
                input = success
            } catch {
                input = error.code == .recoveringThreadFailed ? .nothingToRecover(hasSurvey: hasSurvey) : .loadFailed(error)
            }
            if current == attempt { await take(input) }
        }
    }

    /// Whether a new thread waits for the answers of a pre-chat survey.
    private var hasSurvey: Bool { channel.preChatSurvey != nil }

    private func schedule(_ delay: Duration) {
        let clock = clock
        nextAttemptAt = environment.now().advanced(byMilliseconds: delay.milliseconds)
        share()
        retry = Task {
            try? await clock.sleep(for: delay)
            if !Task.isCancelled { await take(.retryDue) }
        }
    }

    // MARK: Live chats

    /// A contact was ended by this session: SDK's `closed`.
    func contactEnded() async { await take(.contactEnded) }

    /// A new conversation after that. A thread that is made while the session is still loading says nothing of its state.
    func conversationBegan() async {
        if machine.state == .closed { await take(.threadCreated) }
    }

    // MARK: Requests

    /// Runs a request on the connection. Answers within 10 s, or ``Deadline/limit``, where a remote service is asked.
    ///
    /// Throws `notConnected` when there is no connection, or when it goes before the answer came; `eventTimeout`.
    nonisolated func perform<T: Sendable>(
        within limit: Duration = Deadline.limit,
        _ request: @escaping @Sendable (any ServiceConnection) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        guard service.isRemote else { return try await answer(to: request) }
        return try await Deadline(clock: clock).run(within: limit) { [self] () async throws(ChatError) -> T in
            try await answer(to: request)
        }
    }

    private nonisolated func answer<T: Sendable>(
        to request: @escaping @Sendable (any ServiceConnection) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        let (connection, round) = try await available()
        return try await pending.run(in: round) { () throws(ChatError) in try await request(connection) }
    }

    /// The platform behind the connection. Throws `notConnected` when there is no connection, also none soon.
    nonisolated func currentPlatform() async throws(ChatError) -> any RemotePlatform {
        let (connection, round) = try await available()
        guard let platform = connection.platform else {
            throw ChatError(.notConnected, "The connection leads to no platform.")
        }
        return BoundPlatform(platform: platform, pending: pending, round: round)
    }

    /// The connection, waited for up to 10 s while it is expected. Once an attempt has failed nobody waits: it is not known
    /// when the platform is back, and the answer tells why it is away.
    private func available() async throws(ChatError) -> (connection: any ServiceConnection, round: Int) {
        if machine.isConnectionExpected {
            // A stored session whose turn has not come after a restart is taken up now.
            if machine.isWaiting, machine.state == .preparing {
                _ = await settled(after: { [self] in await take(.retryDue) })
            } else {
                _ = await settled()
            }
        }
        guard machine.state.isChatAvailable, let connection else {
            let cause = machine.error.map { " \($0.detail)" } ?? ""
            throw ChatError(.notConnected, "The session is \(machine.state.rawValue), not connected.\(cause)")
        }
        return (connection, pending.round)
    }

    /// Returns when the session has settled: why it is not where it was to go, or nil. `eventTimeout` after 10 s.
    ///
    /// - Parameter work: what is begun once this waits: another call may settle the session at any time.
    private func settled(within limit: Duration = Deadline.limit, after work: (@Sendable () async -> Void)? = nil) async -> ChatError? {
        nextWaiter += 1
        let waiter = nextWaiter
        let clock = clock
        let deadline = Task {
            try? await clock.sleep(for: limit)
            // Whoever was told in time is not there any more.
            waiters.removeValue(forKey: waiter)?.resume(returning: late)
        }
        defer { deadline.cancel() }
        return await withCheckedContinuation { continuation in
            waiters[waiter] = continuation
            if let work { Task { await work() } }
        }
    }

    private var late: ChatError {
        ChatError(.eventTimeout, "The platform has not answered within 10 s. The session is \(machine.state.rawValue), and goes on trying.")
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
