import ChatModel
import ChatStore

/// How collections come and go.
extension Collections {
    /// Makes a collection for a session. It is empty, at version 0, until its first fetch.
    ///
    /// The outcome is `created`. Throws `unknownThread`, `unknownMessage` for a parent that is not there and
    /// has left no replies, `tooManyCollections`.
    public func create(
        _ definition: CollectionDefinition, session: String, account: Int64, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try reserve(session)
        defer { directory.withLock { $0.reserved[session, default: 0] -= 1 } }
        if case .messages(let id, let filter, _) = definition.kind {
            try store.read { transaction in
                guard let thread = try transaction.thread(id, of: account) else { throw ChatError.unknownThread(id) }
                guard let parent = filter.parentID, try transaction.message(parent, in: thread) == nil else { return }
                // Of a parent that is gone the replies stay readable.
                let replies = MessageFilter(parentID: parent)
                guard try !transaction.messages(of: thread, replies, after: .start, bound: nil, limit: 1).isEmpty else {
                    throw ChatError.unknownMessage(parent)
                }
            }
        }
        let environment = store.environment
        let record = CollectionRecord(
            session: session, id: environment.makeID(), createdAt: environment.now(), definition: definition.canonicalJSON)
        let collection = LiveCollection(
            record: record, definition: definition, account: account, incarnation: environment.makeIncarnation())
        let outcome = Outcome(.created, id: record.id, body: collection.snapshot())
        try await store.write { transaction in
            guard try transaction.hasSession(session) else { throw ChatError(.unknownSession, "There is no session \(session).") }
            try transaction.save(record)
            try transaction.record(receipt, outcome)
        }
        add(collection)
        await open(collection)
        return outcome
    }

    private func reserve(_ session: String) throws(ChatError) {
        let isFull = directory.withLock { directory in
            let count = (directory.sessions[session]?.count ?? 0) + (directory.reserved[session] ?? 0)
            if count < Self.limit { directory.reserved[session, default: 0] += 1 }
            return count >= Self.limit
        }
        if isFull { throw ChatError(.tooManyCollections, "The session has \(Self.limit) collections; remove one that is not needed.") }
    }

    /// Removes a collection: its events end for good, also those of a fetch in flight. Throws `unknownCollection`.
    public func remove(_ id: String, of session: String) async throws(ChatError) {
        let collection = try collection(id, of: session)
        try await store.write { try $0.deleteCollection(id, of: session) }
        forget(collection)
    }

    /// The session is gone, with its stored collections.
    func removeAll(of session: String) {
        for collection in all(of: session) { forget(collection) }
    }

    /// Brings back a session's collections; their views begin anew.
    func restore(_ record: CollectionRecord, account: Int64) {
        guard let definition = try? CollectionDefinition(canonicalJSON: record.definition) else { return }
        add(LiveCollection(
            record: record, definition: definition, account: account, incarnation: store.environment.makeIncarnation()))
    }

    /// Sees whether the lists of restored collections are empty, so that these take what comes (1.2).
    func openRestored() async {
        for collection in directory.withLock({ $0.sessions.values.flatMap { $0 } }) { await open(collection) }
    }

    /// Moves the viewpoint of a message collection: everything leaves, and the next fetch begins there (3.7).
    ///
    /// - Parameter viewpoint: nil is the newest. Throws `unknownCollection`, `invalidParameter` for a thread collection.
    public func resetViewpoint(_ id: String, of session: String, to viewpoint: Timestamp?) async throws(ChatError) {
        let collection = try collection(id, of: session)
        guard collection.definition.thread != nil else {
            throw ChatError(.invalidParameter, "A thread collection has no viewpoint.")
        }
        // What waits happened before.
        let isCleared = collection.change { state, changes in
            state.definition.viewpoint = viewpoint
            state.generation += 1
            state.messages?.reset(viewpoint: viewpoint, into: &changes)
        }
        guard isCleared else { throw ChatError(.unknownCollection, "The session has no collection \(id).") }
        tellChanged([collection])
        let record = CollectionRecord(
            session: session, id: id, createdAt: collection.createdAt, definition: collection.definition.canonicalJSON)
        try await store.write { transaction in
            // Removed meanwhile: it stays removed.
            if try transaction.hasCollection(id, of: session) { try transaction.save(record) }
        }
        await open(collection)
    }
}

extension ModelEnvironment {
    /// 8 hexadecimal digits: names one life of a view.
    fileprivate func makeIncarnation() -> String {
        let digits = Array("0123456789abcdef")
        return String((0..<8).map { _ in digits[min(15, Int(random() * 16))] })
    }
}
