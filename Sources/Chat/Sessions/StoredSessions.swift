import ChatModel
import ChatStore
import Formats
import Synchronization

/// How stored sessions come back after a restart of the gateway.
///
/// Only what acts by itself comes back at the start: the sessions of remote services that were connected, and the
/// desk's collections. Every other session comes back when somebody uses it for the first time, with its collections,
/// so a start takes the same time however many sessions are stored.
extension Sessions {
    /// The session of this id; nil if there is none, or if its service is not configured. At its first use after the
    /// start it is restored. Returns when the session is back from the store. Throws `storageFailed`.
    public func session(_ id: String) async throws(ChatError) -> ChatClient? {
        let client = try await begun(id)
        await client?.returned()
        return client
    }

    /// The same, without waiting until the session is back (``ChatClient/isReturning``).
    public func begun(_ id: String) async throws(ChatError) -> ChatClient? {
        while true {
            if let known = client(id) { return known }
            let deletions = deletions
            let found = try await store.readNow { [self] in try restore(id, from: $0, since: deletions, begins: true) }
            if case .is(let client) = found { return client }
        }
    }

    /// The generation of a session in memory, for which its tokens are valid; nil if it is not there.
    public func generation(of id: String) -> Int64? { client(id)?.generation }

    /// The generation of a session; nil if there is no such session. It is not restored: the token may be wrong.
    ///
    /// Throws `storageFailed`.
    public func storedGeneration(of id: String) async throws(ChatError) -> Int64? {
        if let known = client(id) { return known.generation }
        return try await store.readNow { try $0.session(id)?.session.generation }
    }

    /// Restores what acts by itself: the desk's collections, and the sessions of remote services that were connected,
    /// with their collections. Nothing connects yet. To be called before the gateway answers requests.
    public func load() async throws(ChatError) {
        for service in services where service.isRemote {
            let channels = try? await service.channels()
            state.withLock { $0.channels[service.id] = channels }
        }
        let deletions = deletions
        try await store.read { [self] transaction in
            for record in try transaction.collections(of: CollectionRecord.desk) {
                collections.restore(record, owner: .desk)
            }
            for service in services where service.isRemote {
                for id in try transaction.connectedSessions(of: service.id) {
                    _ = try restore(id, from: transaction, since: deletions, begins: false)
                }
            }
        }
    }

    /// Opens the collections that were loaded. ``isReady`` is true after it.
    public func finishLoading() async {
        await collections.openRestored()
        state.withLock { $0.isReady = true }
    }

    /// Connects the loaded sessions of remote services, at most 64 at a time. Returns when each has settled, or was
    /// waited for 10 s. The others go on trying by themselves.
    public func reconnect() async { await attempt { await $0.beginRestored() } }

    /// Has the loaded sessions of remote services connect, at most 64 at a time.
    func attempt(_ begin: @escaping @Sendable (SessionConnection) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for (index, client) in all.filter(\.service.isRemote).enumerated() {
                if index >= Self.maximumAttempts { await group.next() }
                if Task.isCancelled { return }
                group.addTask { await begin(client.connection) }
            }
        }
    }

    /// How many stored sessions are connected at a time.
    private static let maximumAttempts = 64

    private enum Found: Sendable {
        case `is`(ChatClient?)
        /// A session was deleted while the rows were read. It may be this one, so it must be read again.
        case again
    }

    /// How many deletions there were. To be read before the transaction that ``restore(_:from:since:begins:)`` reads
    /// from: the transaction may not see what was deleted since.
    var deletions: Int { state.withLock { $0.deletions } }

    /// Restores a session from its rows, with its collections, unless it is in memory already.
    ///
    /// - Parameters:
    ///   - deletions: ``deletions`` as they were before the transaction began.
    ///   - begins: its connection and its collections begin at once.
    private func restore(
        _ id: String, from transaction: ReadTransaction, since deletions: Int, begins: Bool
    ) throws -> Found {
        try restoring.withLock(of: id) {
            if let known = client(id) { return .is(known) }
            guard let (record, key) = try transaction.session(id),
                // The service may not be configured any more. The session stays stored.
                let service = services.first(where: { $0.id == key.service })
            else { return .is(nil) }
            let channel =
                service.isRemote
                ? state.withLock { $0.channels[service.id]?.first { $0.id == key.channel } }
                : try transaction.channel(key.channel, of: service.id)
            let client = make(
                record, key: key,
                channel: channel ?? Channel(id: key.channel, name: key.channel, mode: .singlethread, capabilities: []),
                service: service, isRestored: true)
            for stored in try transaction.collections(of: id) {
                collections.restore(stored, owner: client.collectionOwner)
            }
            let isPresent = state.withLock { state in
                guard state.deletions == deletions else { return false }
                state.clients[id] = client
                return true
            }
            guard isPresent else {
                collections.removeAll(of: client.collectionOwner)
                return .again
            }
            if begins { begin(client) }
            return .is(client)
        }
    }

    /// Opens the collections of a restored session, and begins its connection.
    private func begin(_ client: ChatClient) {
        Task { [collections] in
            for collection in collections.all(of: client.collectionOwner) { await collections.open(collection) }
            await client.connection.beginRestored()
            client.restoration?.resolve(())
        }
    }
}
