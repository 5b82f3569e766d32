import ChatModel
import ChatStore
import Synchronization

/// One session's chat: the SDK. It connects, keeps connected, and carries what its client asks for to the service.
///
/// Reading is synchronous and legal in any state (see `ChatClient+Reading.swift`); acting
/// needs a connection, and answers after the commit (`ChatClient+Threads.swift`,
/// `ChatClient+Messages.swift`). What changes is told by the event log alone; only the
/// connection's own state is published from here, to this session's streams.
public actor ChatClient {
    public nonisolated let id: String
    /// The number of the session's account in the store.
    public nonisolated let account: Int64
    /// Part of what its token is derived from.
    public nonisolated let generation: Int64
    public nonisolated let createdAt: Timestamp
    nonisolated let key: AccountKey
    nonisolated let store: ChatStore
    nonisolated let service: any ChatService
    private let clock: any Clock<Duration>
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
    /// What follows once a stored session is prepared at last.
    private var connectsOnceRestored = false
    /// Stored as connected, and about to be taken up again: requests wait for it as if it were connecting.
    private var isExpected: Bool
    private var retry: Task<Void, Never>?
    private nonisolated let pending = PendingRequests()
    private var waiters: [Int: CheckedContinuation<ChatError?, Never>] = [:]
    private var nextWaiter = 0

    private struct Visible {
        var state: ChatState
        var mode: ChatMode
        var channel: Channel
    }
    private nonisolated let visible: Mutex<Visible>

    /// How long a request waits for a session that is connecting.
    static let connectingPatience = Duration.seconds(10)

    init(
        record: SessionRecord, key: AccountKey, channel: Channel, service: any ChatService, store: ChatStore,
        clock: any Clock<Duration>, remote: RemoteAccounts, notifications: Notifications, isExpected: Bool = false
    ) {
        id = record.id
        self.isExpected = isExpected
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

    /// - Parameter customer: as the store has it; nil if it cannot be read.
    nonisolated func snapshot(of customer: Customer?) -> SessionSnapshot {
        let now = visible.withLock { $0 }
        return SessionSnapshot(
            id: id, service: key.service, channel: now.channel, customer: customer ?? Customer(id: key.customer), state: now.state, mode: now.mode,
            createdAt: createdAt, resendPolicy: resendPolicy, isPaused: cache?.isPaused(session: id))
    }

    // MARK: Connection

    /// Reads the channel's configuration, as the SDK's `prepare`. Throws `illegalChatState`, `unknownChannel`, what the service throws.
    ///
    /// - Parameters:
    ///   - known: the configuration, if it was read just now.
    ///   - connects: connects at once, so that a request never finds the session between the two.
    public func prepare(with known: Channel? = nil, thenConnect connects: Bool = false) async throws(ChatError) {
        isExpected = false
        let effects = try machine.handle(.prepare)
        await apply(effects)
        // Being prepared already: the call that began it goes on.
        guard effects.contains(.fetchConfiguration) else { return }
        try await fetchConfiguration(known, thenConnect: connects)
    }

    /// Takes a stored session up again: while its service cannot be reached it is tried again, as after a loss.
    ///
    /// Returns when the first attempt has settled, or after 10 s.
    func restore(connects: Bool) async {
        await waiting(atMost: Self.connectingPatience) { [self] in await takeUp(connects: connects) }
    }

    private func takeUp(connects: Bool) async {
        isExpected = false
        connectsOnceRestored = connects
        guard let effects = try? machine.handle(.restore(connecting: connects)),
              effects.contains(.fetchConfiguration) else { return }
        await apply(effects)
        try? await fetchConfiguration(nil, thenConnect: connects)
    }

    private func fetchConfiguration(_ known: Channel?, thenConnect connects: Bool) async throws(ChatError) {
        preparation += 1
        let current = preparation
        do throws(ChatError) {
            let channel: Channel
            if let known { channel = known } else { channel = try await service.channel(key.channel) }
            let account = account
            let record = try await store.read { try $0.account(account) }
            try await service.prepare(record, channel: channel)
            guard current == preparation, machine.state == .preparing else { return }
            visible.withLock { $0.channel = channel }
            await take(.prepared(channel.mode))
        } catch {
            // Disconnected meanwhile, and perhaps prepared anew: this answer is too late.
            if current == preparation { await take(.prepareFailed(error)) }
            throw error
        }
        if connects { return try await connect() }
        // No connection follows by itself: who waits for one is told.
        apply(.settled(nil))
    }

    /// Connects, and returns when the session is ready, or offline. Throws why not.
    public func connect() async throws(ChatError) {
        let effects = try machine.handle(.connect)
        if machine.state >= .connected { return await apply(effects) }
        // Waiting begins before anything else is awaited: another call may settle it at any time.
        let error = await withCheckedContinuation { continuation in
            nextWaiter += 1
            waiters[nextWaiter] = continuation
            if !effects.isEmpty { Task { await begin(effects) } }
        }
        if let error { throw error }
    }

    /// Keeps in mind that the session is to be connected, and connects.
    private func begin(_ effects: [ConnectionMachine.Effect]) async {
        // Disconnected meanwhile: that is what is remembered.
        guard machine.isAsking else { return }
        do throws(ChatError) {
            try await remember(isConnected: true)
            await apply(effects)
        } catch {
            await take(.availabilityFailed(error))
        }
    }

    /// Ends the connection; whoever waits for an answer gets `notConnected`.
    public func disconnect() async throws(ChatError) {
        await take(.disconnect)
        try await remember(isConnected: false)
    }

    /// Ends the connection for good; streams of the session hear `chat.updated` with `initial`.
    func signOut() async {
        await take(.signOut)
        notifications.forget(session: id, account: account)
        cache?.forget(session: id)
    }

    private func remember(isConnected: Bool) async throws(ChatError) {
        let id = id
        try await store.write { try $0.setConnected(isConnected, session: id) }
    }

    private func take(_ input: ConnectionMachine.Input) async {
        // Only the calls `prepare` and `connect` are refused; both are handled where they are made.
        guard let effects = try? machine.handle(input, random: environment.random()) else { return }
        share()
        await apply(effects)
    }

    private func share() {
        visible.withLock { ($0.state, $0.mode) = (machine.state, $0.channel.mode) }
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
        case .fetchConfiguration:
            break  // `prepare` itself fetches it, so that its caller gets the error.
        case .fetchConfigurationAgain:
            let connects = connectsOnceRestored
            Task { try? await fetchConfiguration(nil, thenConnect: connects) }
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

    private func ask() {
        let service = service, store = store, account = account
        Task {
            do throws(ChatError) {
                let record = try await store.read { try $0.account(account) }
                await take(try await service.isOnline(record) ? .online : .offline)
            } catch {
                await take(.availabilityFailed(error))
            }
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

    /// Runs a request on the connection. Throws `notConnected` when there is none, or when it goes before the answer came.
    nonisolated func perform<T: Sendable>(
        _ request: @escaping @Sendable (any ServiceConnection) async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        let (connection, round) = try await available()
        return try await pending.run(in: round) { () throws(ChatError) in try await request(connection) }
    }

    /// The platform behind the connection; nil when there is no connection, also none soon.
    nonisolated func currentPlatform() async -> (any RemotePlatform)? {
        guard let (connection, round) = try? await available(), let platform = connection.platform else { return nil }
        return BoundPlatform(platform: platform, pending: pending, round: round)
    }

    /// The connection, waited for up to 10 s while the session is connecting.
    private func available() async throws(ChatError) -> (connection: any ServiceConnection, round: Int) {
        if machine.isConnecting || isExpected { await settled(within: Self.connectingPatience) }
        guard machine.state.isChatAvailable, let connection else {
            throw ChatError(.notConnected, "The session is \(machine.state.rawValue), not connected.")
        }
        return (connection, pending.round)
    }

    private func settled(within limit: Duration) async { await waiting(atMost: limit) }

    /// Begins something, and waits until it is done, the connection has settled, or the time is over.
    private func waiting(atMost limit: Duration, for work: (@Sendable () async -> Void)? = nil) async {
        nextWaiter += 1
        let waiter = nextWaiter
        let clock = clock
        let deadline = Task {
            try? await clock.sleep(for: limit)
            waiters.removeValue(forKey: waiter)?.resume(returning: nil)
        }
        _ = await withCheckedContinuation { continuation in
            waiters[waiter] = continuation
            guard let work else { return }
            Task {
                await work()
                waiters.removeValue(forKey: waiter)?.resume(returning: nil)
            }
        }
        deadline.cancel()
    }
}
