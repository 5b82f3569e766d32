import Bounds
import ChatModel
import ChatStore
import Formats

/// How collections are made, restored and removed.
extension Collections {
    /// Makes a collection. Until its first fetch it is empty, at version 0; with `hasFirstPage` it is fetched at once.
    ///
    /// When the owner has as many collections as it may, the one that was abandoned first is removed for it
    /// (``CollectionLease``).
    ///
    /// The outcome is `created`. Throws `unknownThread`, `ambiguousThread`, `unknownMessage` for a parent that does not
    /// exist and has no replies left, `tooManyCollections`, `unknownSession`, `invalidParameter` for a definition above
    /// ``ByteBound/definition``.
    ///
    /// - Parameters:
    ///   - thread: at the desk, the thread of a message collection. Its owner becomes part of the definition.
    ///   - hasFirstPage: whether the outcome shows the first page: of messages those before the viewpoint, and with one
    ///     those after it. A page that cannot be read is left out; an explicit fetch tells why. The receipt keeps the
    ///     empty collection.
    ///   - limit: how many the owner may have, where that is fewer than usual.
    public func create(
        _ definition: CollectionDefinition, owner: CollectionOwner, thread: DeskThread? = nil,
        hasFirstPage: Bool = false, limit: Int? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let (byteCount, most) = (definition.canonicalJSON.count, ByteBound.definition.bytes)
        guard byteCount <= most else {
            throw ChatError(
                .invalidParameter,
                "A collection's definition has at most \(most) bytes as JSON; this one has \(byteCount).")
        }
        try await reserve(owner, of: min(limit ?? owner.limit, owner.limit))
        var hasPlace = false
        defer { if !hasPlace { directory.withLock { $0.unreserve(owner) } } }
        let definition = try await store.read { try $0.check(definition, owner, thread) }
        let environment = store.environment
        let record = CollectionRecord(
            session: owner.key, id: environment.makeID(), createdAt: environment.now(),
            definition: definition.canonicalJSON)
        let collection = LiveCollection(
            record: record, definition: definition, owner: owner, incarnation: environment.makeIncarnation(),
            memory: memory.counter(of: owner.holder), now: environment.now)
        let outcome = Outcome(.created, id: record.id, body: collection.snapshot())
        try await store.write { transaction in
            if case .session(let session, _) = owner, try !transaction.hasSession(session) {
                throw ChatError(.unknownSession, "There is no session \(session).")
            }
            try transaction.save(record)
            try transaction.record(receipt, outcome)
        }
        add(collection, isReserved: true)
        hasPlace = true
        // The session may have been removed since, before the collection was there to be removed with it.
        if case .session(let session, _) = owner, try await !store.read({ try $0.hasSession(session) }) {
            forget(collection)
            throw ChatError(.unknownSession, "There is no session \(session).")
        }
        await open(collection)
        guard hasFirstPage else { return outcome }
        for direction in definition.firstDirections { _ = try? await fetch(collection.id, of: owner, direction) }
        return Outcome(.created, id: record.id, body: collection.snapshot())
    }

    /// Reserves a place for a collection that is being made, so that two requests cannot both take the last one.
    private func reserve(_ owner: CollectionOwner, of limit: Int) async throws(ChatError) {
        while !directory.withLock({ $0.reserve(owner, of: limit) }) {
            guard let abandoned = longestAbandoned(of: owner) else {
                throw ChatError(
                    .tooManyCollections, "\(owner.name) has \(limit) collections; remove one that is not needed.")
            }
            // If it is in use again, look for another one.
            guard abandoned.endIfAbandoned() else { continue }
            forget(abandoned)
            try await store.write { try $0.deleteCollection(abandoned.id, of: owner.key) }
        }
    }

    /// The owner's collection that was abandoned first, if any is.
    private func longestAbandoned(of owner: CollectionOwner) -> LiveCollection? {
        all(of: owner).compactMap { one in one.abandonedSince.map { (one, $0) } }.min { $0.1 < $1.1 }?.0
    }

    /// Removes a collection. No further event comes, also none of a fetch that is running. Throws `unknownCollection`.
    public func remove(_ id: String, of owner: CollectionOwner) async throws(ChatError) {
        let collection = try collection(id, of: owner)
        try await store.write { try $0.deleteCollection(id, of: owner.key) }
        forget(collection)
    }

    /// The owner was removed, with its stored collections: forgets them in memory too.
    func removeAll(of owner: CollectionOwner) {
        for collection in all(of: owner) { forget(collection) }
    }

    /// Restores a stored collection after a restart, with an empty view and a new incarnation.
    func restore(_ record: CollectionRecord, owner: CollectionOwner) {
        guard let definition = try? CollectionDefinition(canonicalJSON: record.definition) else { return }
        let environment = store.environment
        add(
            LiveCollection(
                record: record, definition: definition, owner: owner, incarnation: environment.makeIncarnation(),
                memory: memory.counter(of: owner.holder), now: environment.now))
    }

    /// Finds out which restored collections are empty lists: those may take live inserts at once (1.2).
    func openRestored() async {
        for collection in directory.withLock({ $0.owners.values.flatMap { $0 } }) { await open(collection) }
    }

    /// Moves the viewpoint of a message collection. All rows leave, and the next fetch begins there (3.7).
    ///
    /// Throws `unknownCollection`, `invalidParameter` for a thread collection.
    ///
    /// - Parameter viewpoint: nil is the newest message.
    public func resetViewpoint(
        _ id: String, of owner: CollectionOwner, to viewpoint: Timestamp?
    ) async throws(ChatError) {
        let collection = try collection(id, of: owner)
        guard collection.thread != nil else {
            throw ChatError(.invalidParameter, "A thread collection has no viewpoint.")
        }
        // What waits happened before.
        let isCleared = collection.change { state, changes in
            state.definition.viewpoint = viewpoint
            state.generation += 1
            state.messages?.reset(viewpoint: viewpoint, into: &changes)
        }
        guard isCleared else { throw ChatError(.unknownCollection, "\(owner.name) has no collection \(id).") }
        tellChanged([collection])
        let record = CollectionRecord(
            session: owner.key, id: id, createdAt: collection.createdAt, definition: collection.definition.canonicalJSON
        )
        try await store.write { transaction in
            // Removed meanwhile: it stays removed.
            if try transaction.hasCollection(id, of: owner.key) { try transaction.save(record) }
        }
        await open(collection)
    }
}

extension Collections.Directory {
    /// Reserves a place. Returns false when the owner has no place left.
    fileprivate mutating func reserve(_ owner: CollectionOwner, of limit: Int) -> Bool {
        guard (owners[owner]?.count ?? 0) + (reserved[owner] ?? 0) < limit else { return false }
        reserved[owner, default: 0] += 1
        return true
    }

    mutating func unreserve(_ owner: CollectionOwner) {
        let count = reserved[owner, default: 0] - 1
        reserved[owner] = count > 0 ? count : nil
    }
}

extension ReadTransaction {
    /// Checks that what is to be shown exists. Returns the definition; at the desk with the thread's owner.
    fileprivate func check(
        _ definition: CollectionDefinition, _ owner: CollectionOwner, _ named: DeskThread?
    ) throws -> CollectionDefinition {
        guard case .messages(let id, let filter, _) = definition.kind else { return definition }
        var definition = definition
        let thread: ThreadRecord
        switch owner {
        case .session(_, let account):
            guard let found = try self.thread(id, of: account) else { throw ChatError.unknownThread(id) }
            thread = found
        case .desk:
            thread = try find(named ?? DeskThread(id: id))
            definition.owner = thread.owner.key.owner
        }
        guard let parent = filter.parentID, try message(parent, in: thread) == nil else { return definition }
        // The parent is gone. Its replies can be read as long as there are any.
        guard
            try !messages(of: thread, MessageFilter(parentID: parent), after: .start, bound: nil, limit: 1).rows.isEmpty
        else {
            throw ChatError.unknownMessage(parent)
        }
        return definition
    }
}

extension ModelEnvironment {
    /// 8 random hexadecimal digits. Cursors carry them, so that a cursor from before a restart is recognised.
    fileprivate func makeIncarnation() -> String {
        let digits = Array("0123456789abcdef")
        return String((0..<8).map { _ in digits[min(15, Int(random() * 16))] })
    }
}
