import ChatModel
import ChatStore
import Formats
import Synchronization

/// The connection of one session to its service. It is kept until the session is told to disconnect.
///
/// Attempts, answers and losses come from several tasks. The actor makes each of them see the state that the one before
/// has left. ``ConnectionMachine`` decides what follows from an input; this carries it out. ``status`` may be read on
/// any thread at any time.
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
    let remote: RemoteAccounts
    /// The attempt whose connection the cache was given; nil if it has none.
    private var cachedAttempt: Int?

    private(set) var machine: ConnectionMachine
    var open: (any ServiceConnection)?
    /// Counts attempts. Answers to an older one are ignored.
    var attempt = 0
    /// The attempt whose connection was reported as lost before `connect` had returned it.
    var lostAttempt: Int?
    /// Counts preparations. Answers to an older one are ignored.
    var preparation = 0
    /// Counts the questions whether the channel is online. Answers to an older one are ignored.
    var question = 0
    /// The channel's configuration, if the caller has just read it; used by the next preparation.
    var knownChannel: Channel?
    /// The account, if the caller has just read it; used until the session has settled.
    var knownAccount: AccountRecord?
    /// The last part of the preparation, while it runs beside the opening of the connection, or has failed there.
    var preparing: Task<ChatError?, Never>?
    /// What the store was told last: whether the session is to be connected after a restart. Nil after a write that
    /// failed.
    private var isStoredAsConnected: Bool?
    /// The last of these writes. Each waits for the one before.
    private var storing: Task<ChatError?, Never>?
    /// The session was deleted. Calls throw `unknownSession` from then on.
    private var isSignedOut = false
    /// Counts calls of `connect` and `disconnect`. One that still waits for the store does nothing when a later one has
    /// come.
    private var calls = 0
    var retry: Task<Void, Never>?
    private(set) var nextAttemptAt: Timestamp?
    /// Given when the session has settled: nil if it got where it was to go, otherwise why not. Then a new one waits
    /// for the next time.
    private var settlement = Answer<ChatError?>()

    /// What may be read of the connection on any thread.
    struct Status: Sendable {
        var state: ChatState
        var channel: Channel
        /// Why the last attempt failed, or why the connection was lost.
        var error: ChatError?
        var nextAttemptAt: Timestamp?
        /// The connection that requests use; nil unless the chat is available.
        var open: (any ServiceConnection)?
        /// The ``PendingRequests/round`` of that connection.
        var round = 0
    }
    private let shared: Mutex<Status>

    /// - Parameter isRestored: the session was stored before the gateway started. It is `preparing` until its turn comes
    ///   (``beginRestored()``), and requests wait for it.
    init(
        record: SessionRecord, channel: Channel, service: any ChatService, cache: RemoteAccount?,
        remote: RemoteAccounts, store: ChatStore, clock: any Clock<Duration>, isRestored: Bool
    ) {
        var machine = ConnectionMachine()
        if isRestored { _ = try? machine.handle(.restore(connects: record.isConnected)) }
        self.machine = machine
        id = record.id
        account = record.account
        isStoredAsConnected = record.isConnected
        self.service = service
        self.cache = cache
        self.remote = remote
        self.store = store
        self.clock = clock
        environment = store.environment
        shared = Mutex(Status(state: machine.state, channel: channel))
    }

    nonisolated var status: Status { shared.withLock { $0 } }

    /// The embedded service's connection, while the chat is available. It cannot be lost, so a request runs on it at
    /// once, without waiting for this actor.
    nonisolated var embedded: (any ServiceConnection)? { service.isRemote ? nil : shared.withLock { $0.open } }

    func replaceChannel(_ channel: Channel) { shared.withLock { $0.channel = channel } }

    // MARK: Calls

    /// See ``ChatClient/prepare(with:of:thenConnect:within:)``.
    func prepare(
        with known: Channel?, of account: AccountRecord?, thenConnect connects: Bool, within limit: Duration
    ) async throws(ChatError) {
        try checkSession()
        let effects = try machine.handle(.prepare(connects: connects))
        // It is being prepared already, by an earlier call, which goes on.
        guard !effects.isEmpty else { return }
        (knownChannel, knownAccount) = (known, account)
        share()
        try await settle(beginning: effects, storing: connects, within: limit)
    }

    /// The turn of a restored session has come: its first attempt begins. Returns when that has settled, or after 10 s.
    func beginRestored() async {
        guard machine.isWaiting, machine.error == nil else { return }
        _ = await settled(after: { [self] in await handle(.retryDue) })
    }

    /// See ``ChatClient/connect()``.
    func connect() async throws(ChatError) {
        try checkSession()
        let effects = try machine.handle(.connect)
        if machine.state >= .connected { return await apply(effects) }
        share()
        try await settle(beginning: effects, storing: true)
    }

    /// Throws `unknownSession` once the session was deleted.
    func checkSession() throws(ChatError) {
        if isSignedOut { throw ChatError(.unknownSession, "There is no session \(id).") }
    }

    /// Begins the effects of a call, and waits until the session has settled. Throws why it did not get where it was to
    /// go, `eventTimeout`.
    private func settle(
        beginning effects: [ConnectionMachine.Effect], storing connects: Bool, within limit: Duration = Deadline.limit
    ) async throws(ChatError) {
        // A call without effects joins what an earlier call has begun, and does not replace it.
        if !effects.isEmpty { calls += 1 }
        let call = calls
        let error = await settled(within: limit, after: { [self] in await begin(effects, storing: connects, call) })
        if let error { throw error }
    }

    /// Stores that the session is to be connected, and then begins; does nothing if a later call came meanwhile.
    private func begin(_ effects: [ConnectionMachine.Effect], storing connects: Bool, _ call: Int) async {
        if connects, call == calls {
            do throws(ChatError) {
                try await remember(isConnected: true)
            } catch {
                if call == calls { await handle(.connectNotStored(error)) }
                return
            }
        }
        if call == calls { await apply(effects) }
    }

    /// See ``ChatClient/disconnect()``.
    func disconnect() async throws(ChatError) {
        calls += 1
        let call = calls
        await handle(.disconnect)
        // A call of `connect` may have come meanwhile. The later call counts.
        if call == calls { try await remember(isConnected: false) }
    }

    func signOut() async {
        calls += 1
        isSignedOut = true
        await handle(.signOut)
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

    /// This session has ended its live chat's contact: the state becomes `closed`, as in the SDK.
    func contactEnded() async { await handle(.contactEnded) }

    /// A live chat was begun: a session that was `closed` is `ready` again. In other states this changes nothing.
    func conversationBegan() async {
        if machine.state == .closed { await handle(.threadCreated) }
    }

    // MARK: What follows

    /// Gives an input to the machine, and does what follows.
    func handle(_ input: ConnectionMachine.Input) async {
        // Only the calls `prepare` and `connect` are refused; both are handled where they are made.
        guard let effects = try? machine.handle(input, random: environment.random()) else { return }
        share()
        await apply(effects)
    }

    /// Publishes ``status``, and attaches the connection to the account's cache or detaches it.
    func share() {
        if !machine.isWaiting { nextAttemptAt = nil }
        shared.withLock { shared in
            (shared.state, shared.error, shared.nextAttemptAt) = (machine.state, machine.error, nextAttemptAt)
            shared.open = machine.state.isChatAvailable ? open : nil
            shared.round = pending.round
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

    /// Does what follows from an input. No other input comes between the effects. Closing may take time, so it is
    /// awaited after all others.
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
                    // The channel was given a survey meanwhile. The thread is made once its answers are there.
                    if error.code == .missingPreChatCustomFields { return 0 }
                    // Another session of the account has made its thread first. It is this session's thread too.
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
            knownAccount = nil
            settlement.resolve(error)
            settlement = Answer()
        }
    }

    private func schedule(_ delay: Duration) {
        let clock = clock
        nextAttemptAt = environment.now().advanced(byMilliseconds: delay.milliseconds)
        share()
        retry = Task {
            try? await clock.sleep(for: delay)
            // Otherwise ``resume()`` begins it.
            if !Task.isCancelled, !isSuspended { await handle(.retryDue) }
        }
    }

    /// Waits until the session has settled. Returns nil if it got where it was to go, otherwise why not; `eventTimeout`
    /// when the limit is over.
    ///
    /// - Parameter work: what makes the session settle. Its result cannot be missed.
    func settled(
        within limit: Duration = Deadline.limit, after work: (@Sendable () async -> Void)? = nil
    ) async -> ChatError? {
        // Taken before the work begins.
        let settlement = settlement
        if let work { Task { await work() } }
        return await settlement.value(within: limit, on: clock) ?? late
    }

    private var late: ChatError {
        ChatError(
            .eventTimeout,
            "The platform has not answered within 10 s. The session is \(machine.state.rawValue), and goes on trying.")
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
