import Bounds
import ChatModel
import ChatStore
import Formats
import Synchronization

/// All sessions of the gateway. Every call may come from any task.
///
/// Sessions survive a restart of the gateway, in three steps: ``load()`` before the gateway answers, then
/// ``finishLoading()``, then ``reconnect()``. Those that do nothing by themselves come back when somebody uses them.
public final class Sessions: Sendable {
    public let store: ChatStore
    /// The services that sessions can be made on, in the order in which they are listed.
    public let services: [any ChatService]
    /// Services that a program can ask for and that are not here, by id: a sentence that says why.
    private let missing: [String: String]
    /// The sessions' collections.
    public let collections: Collections
    /// The accounts of remote services.
    public let remote: RemoteAccounts
    /// Tells sessions of messages in threads that they do not show.
    public let notifications: Notifications
    /// What the process holds in memory for its clients.
    public let memory: ByteCounter
    let timers: any Clock<Duration>
    /// The clock by which sessions note their use.
    public let clock: CoarseClock

    struct State {
        var clients: [String: ChatClient] = [:]
        /// Counts deletions. Whoever has read a row before one must not take it for present.
        var deletions = 0
        /// The channels of remote services as they were known at the start, by service.
        var channels: [String: [Channel]] = [:]
        var isReady = false
    }
    let state = Mutex(State())
    /// The lock of a session is held while the session is restored from the store, or removed from memory.
    let restoring = SessionLocks()

    /// - Parameters:
    ///   - missing: why a service is not among them, by its id, for whoever asks for it.
    ///   - memory: what the process holds in memory for its clients; the server counts with it as well.
    ///   - pace: the pause between two requests with which the cache of a remote service is filled in the background.
    public init(
        store: ChatStore, services: [any ChatService], missing: [String: String] = [:], clock: any Clock<Duration>,
        pace: Duration = .milliseconds(100), memory: ByteCounter = ByteCounter(limit: ByteBound.memory.bytes)
    ) {
        self.memory = memory
        remote = RemoteAccounts(store: store, services: services, clock: clock, pace: pace)
        notifications = Notifications(store: store)
        self.store = store
        self.services = services
        self.missing = missing
        timers = clock
        self.clock = CoarseClock(store.environment.now())
        collections = Collections(store: store, services: services, remote: remote, clock: clock, memory: memory)
    }

    /// Whether the stored sessions of embedded services can be used again. Those of remote services may take longer.
    public var isReady: Bool { state.withLock { $0.isReady } }

    /// The sessions in memory, oldest first: those that were made or used since the start, and those that connect by
    /// themselves.
    public var all: [ChatClient] {
        state.withLock { Array($0.clients.values) }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    /// How many sessions are stored. Throws `storageFailed`.
    public func count() async throws(ChatError) -> Int { try await store.read { try $0.sessionCount() } }

    /// The session, if it is in memory. See ``session(_:)`` for all others.
    public func client(_ id: String) -> ChatClient? { state.withLock { $0.clients[id] } }

    /// A sentence that says that there is no service of this id, and why if that is known.
    public func absence(of id: String) -> String { missing[id] ?? "There is no service \(id)." }

    /// The service of this id. Throws `unknownService`.
    public func service(_ id: String) throws(ChatError) -> any ChatService {
        guard let service = services.first(where: { $0.id == id }) else {
            throw ChatError(.unknownService, absence(of: id), pointer: "/service")
        }
        return service
    }

    /// Makes a session, and connects it. Returns when it has settled, or after 10 s: its state says which.
    ///
    /// The channel's configuration is read before anything is stored, unless it was read just before
    /// (``ChatService/recentChannel(_:)``). Once the session is stored, this does not throw,
    /// and the session goes on trying to connect, also after a restart.
    ///
    /// Throws `unknownService`, `unknownChannel`, `invalidParameter`, and what the service's configuration and its
    /// login throw.
    ///
    /// - Parameters:
    ///   - connect: false to prepare the session only.
    ///   - authorization: the login's result, for a channel whose customers log in.
    ///   - origin: how a customer has begun it by themselves.
    public func create(
        service serviceID: String, channel channelID: String, customer draft: CustomerDraft?, connect: Bool,
        resendPolicy: ResendPolicy = .manual, authorization: Authorization? = nil, receipt: Receipt?,
        origin: SessionOrigin = SessionOrigin()
    ) async throws(ChatError) -> ChatClient {
        try await begin(
            service: serviceID, channel: channelID, customer: draft, connect: connect, resendPolicy: resendPolicy,
            authorization: authorization, receipt: receipt, origin: origin
        ).client
    }

    /// The same, with what came along from an anonymous session (``SessionOrigin/former``).
    public func begin(
        service serviceID: String, channel channelID: String, customer draft: CustomerDraft?, connect: Bool,
        resendPolicy: ResendPolicy = .manual, authorization: Authorization? = nil, receipt: Receipt?,
        origin: SessionOrigin
    ) async throws(ChatError) -> (client: ChatClient, joining: Joining?) {
        try draft?.check()
        let service = try service(serviceID)
        if authorization != nil, !service.takesAuthorization {
            throw ChatError(
                .invalidParameter, "The service \(serviceID) takes no authorization.", pointer: "/authorization")
        }
        let environment = store.environment
        // All that a platform is asked for here shares these ten seconds.
        let elapsed = timers.stopwatch()
        func timeLeft() -> Duration { max(.zero, Deadline.limit - elapsed()) }
        let deadline = Deadline(clock: timers)
        let channel: Channel
        if let recent = service.recentChannel(channelID) {
            channel = recent
        } else if service.isRemote {
            channel = try await deadline.run { () throws(ChatError) in try await service.channel(channelID) }
        } else {
            channel = try await service.channel(channelID)
        }
        let key = AccountKey(service: serviceID, channel: channelID, customer: draft?.id ?? environment.makeID())
        // A login that is refused must leave no session behind, so it comes before the session is stored.
        if let authorization {
            let account = try await store.write { try $0.openAccount(key) }
            try await deadline.run(within: timeLeft()) { () throws(ChatError) in
                try await service.authorize(account, by: authorization)
            }
        }
        let id = environment.makeID()
        let known = deletions
        // A link must not count twice.
        let isRepeatable = origin.kind == .plain
        let (record, account, isNew, joining) = try await store.write(isRepeatable: isRepeatable) { transaction in
            let known = try transaction.account(key)
            var account = try known ?? transaction.openAccount(key)
            let before = account
            account.setVouchedNames(draft?.firstName, draft?.lastName, imageURL: draft?.imageURL)
            let link = try origin.begin(transaction, &account)
            let joining = try origin.former.flatMap { try transaction.join($0, to: &account, of: service) }
            if service.isRemote {
                if account != before { try transaction.save(account) }
            } else {
                try transaction.save(account, since: before, isNew: known == nil)
            }
            var record = SessionRecord(
                id: id, account: account.number, generation: 1, isConnected: connect, createdAt: transaction.now,
                resendPolicy: resendPolicy)
            (record.kind, record.life, record.link) = (origin.kind, origin.life, link)
            (record.verifiedUntil, record.visit) = (origin.verifiedUntil, origin.visit)
            try transaction.save(record)
            // The session is answered as it is at the time; the receipt only names it.
            try transaction.record(receipt, Outcome(.created, id: id))
            return (record, account, service.isRemote && known == nil, joining)
        }
        if let joining {
            joining.finish()
            await forget(deleted: joining.ended.map { ($0, account.number) })
        }
        let client = make(record, key: key, channel: channel, service: service, isRestored: false)
        let hasDeletions = state.withLock { state in
            state.clients[record.id] = client
            return state.deletions != known
        }
        // The account may have been erased between the commit and now.
        if hasDeletions, try await store.read({ try $0.session(id) }) == nil {
            state.withLock { _ = $0.clients.removeValue(forKey: id) }
            throw ChatError(.unknownSession, "The session was deleted while it was made.")
        }
        if isNew { client.cache?.beginsEmpty() }
        // Not to be connected is no failure to make a session: its state and an event say so.
        try? await client.prepare(with: channel, of: account, thenConnect: connect, within: timeLeft())
        return (client, joining)
    }

    /// Notes until when somebody vouches for a session's customer.
    public func verify(_ client: ChatClient, until time: Timestamp) async throws(ChatError) {
        try await store.write { try $0.setVerified(until: time, session: client.id) }
        client.term.verifiedUntil = time
    }

    /// Signs a session out, and deletes it with its collections and screens. Throws `unknownSession`.
    public func delete(_ id: String) async throws(ChatError) {
        guard try await session(id) != nil else { throw ChatError(.unknownSession, "There is no session \(id).") }
        try await remove([id])
    }

    /// Removes sessions with all that belongs to them: stored rows, collections, connections, screens.
    ///
    /// Returns the ids that were there. Others may be missing because another call removes them at the same time.
    @discardableResult
    func remove(_ ids: [String]) async throws(ChatError) -> [String] {
        if ids.isEmpty { return [] }
        let deleted = try await store.write { transaction in
            try ids.compactMap { id in try transaction.deleteSession(id).map { (id: id, account: $0) } }
        }
        await forget(deleted: deleted)
        return deleted.map(\.id)
    }

    /// Ends in memory what the store has no more.
    private func forget(deleted: [(id: String, account: Int64)]) async {
        let removed = state.withLock { state in
            state.deletions += 1
            return deleted.compactMap { state.clients.removeValue(forKey: $0.id) }
        }
        for client in removed {
            collections.removeAll(of: client.collectionOwner)
            await client.signOut()
        }
        // The sessions' devices are removed too. The caller does not wait until the platforms are told: they may be
        // away.
        Task {
            for account in Set(deleted.map(\.account)) { await tellDevice(of: account) }
            // This keeps the clients until then. The account's cache is released with its last client.
            withExtendedLifetime(removed) {}
        }
    }

    func make(
        _ record: SessionRecord, key: AccountKey, channel: Channel, service: any ChatService, isRestored: Bool
    ) -> ChatClient {
        ChatClient(
            record: record, key: key, channel: channel, service: service, store: store, clock: timers, remote: remote,
            notifications: notifications, use: SessionUse(record, clock: clock), isRestored: isRestored)
    }
}

/// Erasing a customer: sessions, threads, and every row, file and token that belongs to an account.
///
/// The first step takes the account from its key. From then on a new session of the same customer gets a new account,
/// and the erasure goes on after a kill (``resumeErasures(ended:)``), or when it is asked for again.
extension Sessions {
    /// Erases a customer's account on one channel, or on all channels of a service. Returns when all is gone; does
    /// nothing where nothing is.
    ///
    /// Throws `unknownService`, and what a write throws: then the rest is done later.
    ///
    /// - Parameter ended: called with the id of each session that was deleted.
    public func erase(
        customer: String, of serviceID: String, on channel: String?, ended: @escaping @Sendable (String) -> Void
    ) async throws(ChatError) {
        _ = try service(serviceID)
        try await store.write { transaction in
            for channel in try channel.map({ [$0] }) ?? transaction.channelsWithAccounts(of: serviceID) {
                _ = try transaction.beginErasure(
                    of: AccountKey(service: serviceID, channel: channel, customer: customer))
            }
        }
        let erasing = try await store.read { try $0.erasingAccounts() }.filter { account in
            account.key.service == serviceID && channel.map { $0 == account.key.channel } != false
        }
        let own = erasing.filter { $0.key.customer == customer }
        // Also where they wrote before somebody vouched for them. Those go first: the others name them.
        let former = Set(own.flatMap(\.former).map(\.id))
        for account in erasing.filter({ former.contains($0.key.customer) }) + own {
            try await erase(account, ended: ended)
        }
    }

    /// Goes on with the erasures that were cut off. To be called at the start, when the services are there, and at
    /// intervals.
    public func resumeErasures(ended: @escaping @Sendable (String) -> Void) async throws(ChatError) {
        for account in try await store.read({ try $0.erasingAccounts() }) { try await erase(account, ended: ended) }
    }

    private func erase(_ account: AccountRecord, ended: @Sendable (String) -> Void) async throws(ChatError) {
        repeat {
            var cursor: String?
            repeat {
                let page = try await delete(
                    SessionFilter(account: account.number), PageRequest(limit: 200, cursor: cursor))
                page.deleted.forEach(ended)
                cursor = page.next
            } while cursor != nil
            // A service that is not configured any more has nothing but rows.
            if let service = services.first(where: { $0.id == account.key.service }) {
                try await service.erase(account)
            } else {
                try await store.eraseThreads(ownedBy: account.number)
            }
        } while try await !store.eraseRows(of: account)
    }
}
