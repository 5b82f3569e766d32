import ChatModel
import ChatStore
import Formats
import Synchronization

/// The connection of one session to its service: kept until the session is told to disconnect.
///
/// An actor, because attempts, answers and losses come from several tasks, and each must find what the one before has left.
/// ``ConnectionMachine`` decides what follows from an input; this does it. ``status`` can be read from anywhere at any time.
actor SessionConnection {
    let id: String
    let account: Int64
    let service: any ChatService
    let store: ChatStore
    let clock: any Clock<Duration>
    let environment: ModelEnvironment
    let pending = PendingRequests()
    /// The account's cache; nil for the embedded service, which needs none.
    let cache: RemoteAccount?
    /// The attempt whose connection the cache is kept over.
    private var cachedAttempt: Int?

    private(set) var machine = ConnectionMachine()
    var open: (any ServiceConnection)?
    /// Counts attempts: what an older one still has to say is ignored.
    var attempt = 0
    /// The attempt whose connection was lost before it was known here.
    var lostAttempt: Int?
    /// Counts preparations, likewise.
    var preparation = 0
    /// Counts questions whether the service is online, likewise.
    var question = 0
    /// The channel's configuration, if it was read just now.
    var knownChannel: Channel?
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
    private var waiters: [Int: CheckedContinuation<ChatError?, Never>] = [:]
    private var nextWaiter = 0

    /// What everybody may know of the connection.
    struct Status: Sendable {
        var state: ChatState
        var channel: Channel
        /// Why the last attempt failed, or the connection was lost.
        var error: ChatError?
        var nextAttemptAt: Timestamp?
        /// What requests go over, while the chat is available.
        var open: (any ServiceConnection)?
    }
    private let shared: Mutex<Status>

    init(
        record: SessionRecord, channel: Channel, service: any ChatService, cache: RemoteAccount?, store: ChatStore,
        clock: any Clock<Duration>
    ) {
        id = record.id
        account = record.account
        isStoredAsConnected = record.isConnected
        self.service = service
        self.cache = cache
        self.store = store
        self.clock = clock
        environment = store.environment
        shared = Mutex(Status(state: .initial, channel: channel))
    }

    nonisolated var status: Status { shared.withLock { $0 } }

    /// The embedded service's connection, while the chat is available. It cannot be lost, so a request runs on it at once.
    nonisolated var embedded: (any ServiceConnection)? { service.isRemote ? nil : shared.withLock { $0.open } }

    func note(_ channel: Channel) { shared.withLock { $0.channel = channel } }

    // MARK: Calls

    /// See ``ChatClient/prepare(with:thenConnect:within:)``.
    func prepare(with known: Channel?, thenConnect connects: Bool, within limit: Duration) async throws(ChatError) {
        try checkSession()
        let effects = try machine.handle(.prepare(connects: connects))
        // Being prepared already: the call that began it goes on.
        guard !effects.isEmpty else { return }
        knownChannel = known
        share()
        try await settle(beginning: effects, storing: connects, within: limit)
    }

    /// Takes a stored session up when its turn comes. Until then it is `preparing`, and requests wait for it.
    func restore(connects: Bool) async { await take(.restore(connects: connects)) }

    /// The turn of a restored session has come. Returns when its first attempt has settled, or after 10 s.
    func beginRestored() async {
        guard machine.isWaiting, machine.error == nil else { return }
        _ = await settled(after: { [self] in await take(.retryDue) })
    }

    /// See ``ChatClient/connect()``.
    func connect() async throws(ChatError) {
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

    /// See ``ChatClient/disconnect()``.
    func disconnect() async throws(ChatError) {
        calls += 1
        let call = calls
        await take(.disconnect)
        // A call of `connect` that came meanwhile decides.
        if call == calls { try await remember(isConnected: false) }
    }

    func signOut() async {
        calls += 1
        isSignedOut = true
        await take(.signOut)
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

    /// A contact was ended by this session: SDK's `closed`.
    func contactEnded() async { await take(.contactEnded) }

    /// A new conversation after that. A thread that is made while the session is still loading says nothing of its state.
    func conversationBegan() async {
        if machine.state == .closed { await take(.threadCreated) }
    }

    // MARK: What follows

    func take(_ input: ConnectionMachine.Input) async {
        // Only the calls `prepare` and `connect` are refused; both are handled where they are made.
        guard let effects = try? machine.handle(input, random: environment.random()) else { return }
        share()
        await apply(effects)
    }

    /// Says what everybody may know, and joins the account's cache with the connection.
    func share() {
        if !machine.isWaiting { nextAttemptAt = nil }
        shared.withLock { shared in
            (shared.state, shared.error, shared.nextAttemptAt) = (machine.state, machine.error, nextAttemptAt)
            shared.open = machine.state.isChatAvailable ? open : nil
        }
        guard let cache else { return }
        if machine.state == .ready, cachedAttempt != attempt, let platform = open?.platform {
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
                closing = open
                open = nil
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
        case .open: openConnection()
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

    private func schedule(_ delay: Duration) {
        let clock = clock
        nextAttemptAt = environment.now().advanced(byMilliseconds: delay.milliseconds)
        share()
        retry = Task {
            try? await clock.sleep(for: delay)
            if !Task.isCancelled { await take(.retryDue) }
        }
    }

    /// Waits until the session has settled. Returns nil if it got where it was to go, otherwise the reason why it did not;
    /// `eventTimeout` after 10 s.
    ///
    /// - Parameter work: what is begun once this waits: another call may settle the session at any time.
    func settled(within limit: Duration = Deadline.limit, after work: (@Sendable () async -> Void)? = nil) async -> ChatError? {
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
