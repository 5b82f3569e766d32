import ChatModel
import ChatStore
import Synchronization

/// All sessions of the gateway. Every call may come from any task.
///
/// Sessions survive a restart of the gateway, in three steps: ``load()`` before the gateway answers, then
/// ``connectEmbedded()``, then ``reconnect()``.
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
    private let timers: any Clock<Duration>
    /// The clock by which sessions note their use.
    public let clock: CoarseClock

    private struct State {
        var clients: [String: ChatClient] = [:]
        var isReady = false
    }
    private let state = Mutex(State())

    /// - Parameters:
    ///   - missing: why a service is not among them, by its id, for whoever asks for it.
    ///   - pace: the pause between two requests with which the cache of a remote service is filled in the background.
    public init(
        store: ChatStore, services: [any ChatService], missing: [String: String] = [:], clock: any Clock<Duration>,
        pace: Duration = .milliseconds(100)
    ) {
        remote = RemoteAccounts(store: store, services: services, clock: clock, pace: pace)
        notifications = Notifications(store: store)
        self.store = store
        self.services = services
        self.missing = missing
        timers = clock
        self.clock = CoarseClock(store.environment.now())
        collections = Collections(store: store, services: services, remote: remote, clock: clock)
    }

    /// Whether the stored sessions of embedded services can be used again. Those of remote services may take longer.
    public var isReady: Bool { state.withLock { $0.isReady } }

    /// The sessions, oldest first.
    public var all: [ChatClient] {
        state.withLock { Array($0.clients.values) }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    public var count: Int { state.withLock { $0.clients.count } }

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
    /// The channel's configuration is read before anything is stored. Once the session is stored, this does not throw,
    /// and the session goes on trying to connect, also after a restart.
    ///
    /// Throws `unknownService`, `unknownChannel`, `invalidParameter`, and what the service's configuration and its
    /// login throw.
    ///
    /// - Parameters:
    ///   - connect: false to prepare the session only.
    ///   - authorization: the login's result, for a channel whose customers log in.
    public func create(
        service serviceID: String, channel channelID: String, customer draft: CustomerDraft?, connect: Bool,
        resendPolicy: ResendPolicy = .manual, authorization: Authorization? = nil, receipt: Receipt?
    ) async throws(ChatError) -> ChatClient {
        try draft?.check()
        let service = try service(serviceID)
        if authorization != nil, !service.takesAuthorization {
            throw ChatError(
                .invalidParameter, "The service \(serviceID) takes no authorization.", pointer: "/authorization")
        }
        let environment = store.environment
        let begun = environment.now()
        // All that a platform is asked for here shares these ten seconds.
        func timeLeft() -> Duration {
            max(.zero, Deadline.limit - .milliseconds(max(0, environment.now().milliseconds - begun.milliseconds)))
        }
        let deadline = Deadline(clock: timers)
        let channel =
            service.isRemote
            ? try await deadline.run { () throws(ChatError) in try await service.channel(channelID) }
            : try await service.channel(channelID)
        let key = AccountKey(service: serviceID, channel: channelID, customer: draft?.id ?? environment.makeID())
        // A login that is refused must leave no session behind, so it comes before the session is stored.
        if let authorization {
            let account = try await store.write { try $0.openAccount(key) }
            try await deadline.run(within: timeLeft()) { () throws(ChatError) in
                try await service.authorize(account, by: authorization)
            }
        }
        let id = environment.makeID()
        let record = try await store.write { transaction in
            var account = try transaction.openAccount(key)
            if draft?.firstName != nil || draft?.lastName != nil {
                account.customer.firstName = draft?.firstName ?? account.customer.firstName
                account.customer.lastName = draft?.lastName ?? account.customer.lastName
                try transaction.save(account)
            }
            let record = SessionRecord(
                id: id, account: account.number, generation: 1, isConnected: connect, createdAt: transaction.now,
                resendPolicy: resendPolicy)
            try transaction.save(record)
            // The session is answered as it is at the time; the receipt only names it.
            try transaction.record(receipt, Outcome(.created, id: id))
            return record
        }
        let client = add(record, key: key, channel: channel, service: service)
        // Not to be connected is no failure to make a session: its state and an event say so.
        try? await client.prepare(with: channel, thenConnect: connect, within: timeLeft())
        return client
    }

    /// Signs a session out, and deletes it with its collections and screens. Throws `unknownSession`.
    public func delete(_ id: String) async throws(ChatError) {
        guard client(id) != nil else { throw ChatError(.unknownSession, "There is no session \(id).") }
        try await remove([id])
    }

    /// Removes sessions with all that belongs to them: stored rows, collections, connections, screens.
    ///
    /// Returns the ids that were there. Others may be missing because another call removes them at the same time.
    @discardableResult
    func remove(_ ids: [String]) async throws(ChatError) -> [String] {
        if ids.isEmpty { return [] }
        let deleted = try await store.write { transaction in try ids.filter { try transaction.deleteSession($0) } }
        let removed = state.withLock { state in ids.compactMap { state.clients.removeValue(forKey: $0) } }
        for client in removed {
            collections.removeAll(of: client.collectionOwner)
            await client.signOut()
        }
        // The sessions' devices are removed too. The caller does not wait until the platforms are told: they may be
        // away.
        Task {
            for client in removed { await tellDevice(of: client.account) }
            // This keeps the clients until then. The account's cache is released with its last client.
            withExtendedLifetime(removed) {}
        }
        return deleted
    }

    /// Restores the stored sessions and their collections in memory. To be called before the gateway answers requests.
    /// A session whose service is not configured any more stays stored and is not restored.
    public func load() async throws(ChatError) {
        let records = try await store.read { transaction in
            try transaction.sessions().map { ($0, try transaction.account($0.account).key) }
        }
        var channels: [String: [Channel]] = [:]
        for service in services { channels[service.id] = try? await service.channels() }
        for (record, key) in records {
            // The service is not configured any more. The session stays stored.
            guard let service = services.first(where: { $0.id == key.service }) else { continue }
            let channel =
                channels[service.id]?.first { $0.id == key.channel }
                ?? Channel(id: key.channel, name: key.channel, mode: .singlethread, capabilities: [])
            await add(record, key: key, channel: channel, service: service).connection.restore(
                connects: record.isConnected)
        }
        for record in try await store.read({ try $0.collections() }) {
            if record.session == CollectionRecord.desk {
                collections.restore(record, owner: .desk)
            } else if let client = client(record.session) {
                collections.restore(record, owner: client.collectionOwner)
            }
        }
    }

    /// Connects the stored sessions of embedded services, which takes no network, and opens the collections.
    /// ``isReady`` is true after it.
    public func connectEmbedded() async {
        await takeUp(isRemote: false)
        await collections.openRestored()
        state.withLock { $0.isReady = true }
    }

    /// Connects the stored sessions of remote services, at most 64 at a time. Returns when each has settled, or was
    /// waited for 10 s. The others go on trying by themselves.
    public func reconnect() async { await takeUp(isRemote: true) }

    private func takeUp(isRemote: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, client) in all.filter({ $0.service.isRemote == isRemote }).enumerated() {
                if index >= Self.maximumAttempts { await group.next() }
                if Task.isCancelled { return }
                group.addTask { await client.connection.beginRestored() }
            }
        }
    }

    /// How many stored sessions are connected at a time.
    private static let maximumAttempts = 64

    private func add(
        _ record: SessionRecord, key: AccountKey, channel: Channel, service: any ChatService
    ) -> ChatClient {
        let client = ChatClient(
            record: record, key: key, channel: channel, service: service, store: store, clock: timers, remote: remote,
            notifications: notifications, use: SessionUse(record, clock: clock))
        state.withLock { $0.clients[record.id] = client }
        return client
    }
}
