import ChatModel
import ChatStore
import Synchronization

/// All sessions of the gateway. They survive its restart: see ``load()`` and ``reconnect()``.
public final class Sessions: Sendable {
    public let store: ChatStore
    /// The services that sessions can be made on, in the order in which they are listed.
    public let services: [any ChatService]
    /// The sessions' collections.
    public let collections: Collections
    /// The accounts of remote services.
    public let remote: RemoteAccounts
    private let notifications: Notifications
    private let clock: any Clock<Duration>

    private struct State {
        var clients: [String: ChatClient] = [:]
        var order: [String] = []
        var isReady = false
        /// Stored sessions that have not been taken up yet, and whether they were connected.
        var restored: [(ChatClient, Bool)] = []
    }
    private let state = Mutex(State())

    /// - Parameter pace: between two requests with which the cache of a remote service is filled in the background.
    public init(
        store: ChatStore, services: [any ChatService], clock: any Clock<Duration>, pace: Duration = .milliseconds(100)
    ) {
        remote = RemoteAccounts(store: store, services: services, clock: clock, pace: pace)
        notifications = Notifications(store: store)
        self.store = store
        self.services = services
        self.clock = clock
        collections = Collections(store: store, services: services, remote: remote)
    }

    /// Whether stored sessions are usable again.
    public var isReady: Bool { state.withLock { $0.isReady } }

    /// The sessions, oldest first.
    public var all: [ChatClient] {
        state.withLock { state in state.order.compactMap { state.clients[$0] } }
    }

    public func client(_ id: String) -> ChatClient? { state.withLock { $0.clients[id] } }

    /// Throws `unknownService`.
    public func service(_ id: String) throws(ChatError) -> any ChatService {
        guard let service = services.first(where: { $0.id == id }) else {
            throw ChatError(.unknownService, "There is no service \(id).", pointer: "/service")
        }
        return service
    }

    /// Makes a session, and connects it. Returns when it is ready, or when it cannot be; its state tells.
    ///
    /// - Parameters:
    ///   - connect: false to prepare only.
    ///   - authorization: for a channel whose customers log in.
    /// Throws `unknownService`, `unknownChannel`, what the service's configuration throws.
    public func create(
        service serviceID: String, channel channelID: String, customer draft: CustomerDraft?, connect: Bool,
        resendPolicy: ResendPolicy = .manual, authorization: Authorization? = nil, receipt: Receipt?
    ) async throws(ChatError) -> ChatClient {
        let service = try service(serviceID)
        let channel = try await service.channel(channelID)
        let environment = store.environment
        let key = AccountKey(service: serviceID, channel: channelID, customer: draft?.id ?? environment.makeID())
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
        if let authorization {
            let account = try await store.read { try $0.account(record.account) }
            try await service.authorize(account, by: authorization)
        }
        let client = add(record, key: key, channel: channel, service: service)
        // Not to be connected is no failure to make a session: its state and an event say so.
        try? await client.prepare(with: channel, thenConnect: connect)
        return client
    }

    /// Signs a session out and forgets it. Throws `unknownSession`.
    public func delete(_ id: String) async throws(ChatError) {
        guard let client = client(id) else { throw ChatError(.unknownSession, "There is no session \(id).") }
        try await store.write { try $0.deleteSession(id) }
        state.withLock { state in
            state.clients[id] = nil
            state.order.removeAll { $0 == id }
        }
        collections.removeAll(of: client.collectionOwner)
        await client.signOut()
    }

    /// Brings back the stored sessions, so that they are known before the gateway answers.
    public func load() async throws(ChatError) {
        let records = try await store.read { transaction in
            try transaction.sessions().map { ($0, try transaction.account($0.account).key) }
        }
        for (record, key) in records {
            // A service that is not configured any more: the session stays stored.
            guard let service = services.first(where: { $0.id == key.service }) else { continue }
            let channel = (try? await service.channels().first { $0.id == key.channel })
                ?? Channel(id: key.channel, name: key.channel, mode: .singlethread, capabilities: [])
            let client = add(record, key: key, channel: channel, service: service, isExpected: record.isConnected)
            state.withLock { $0.restored.append((client, record.isConnected)) }
        }
        for record in try await store.read({ try $0.collections() }) {
            if record.session == CollectionRecord.desk {
                collections.restore(record, owner: .desk)
            } else if let client = client(record.session) {
                collections.restore(record, owner: client.collectionOwner)
            }
        }
    }

    /// Connects the sessions that were connected when the gateway stopped. Returns when all have settled; those whose service
    /// cannot be reached go on trying.
    public func reconnect() async {
        let clients = state.withLock { state in
            defer { state.restored = [] }
            return state.restored
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, (client, connects)) in clients.enumerated() {
                if index >= 64 { await group.next() }
                group.addTask { await client.restore(connects: connects) }
            }
        }
        await collections.openRestored()
        state.withLock { $0.isReady = true }
    }

    private func add(
        _ record: SessionRecord, key: AccountKey, channel: Channel, service: any ChatService, isExpected: Bool = false
    ) -> ChatClient {
        let client = ChatClient(
            record: record, key: key, channel: channel, service: service, store: store, clock: clock, remote: remote,
            notifications: notifications, isExpected: isExpected)
        state.withLock { state in
            state.clients[record.id] = client
            state.order.append(record.id)
        }
        return client
    }
}
