import ChatModel
import ChatStore
import Formats

/// Many sessions at a time: lists of sessions, and the removal of those that are not used any more.
extension Sessions {
    /// A page of the sessions that match, oldest first.
    ///
    /// A page may be shorter than its limit and still have a `next`, because sessions of a service that is not
    /// configured any more are left out. Throws `invalidParameter` for a cursor of another list.
    public func page(
        _ filter: SessionFilter, _ request: PageRequest
    ) async throws(ChatError) -> (items: [SessionSnapshot], next: String?, offset: Int64) {
        let page = try await store.read { try $0.sessionPage(filter, request) }
        // Sessions of a service that is not configured any more stay stored, and nothing can be said of them.
        var clients: [(client: ChatClient, customer: Customer)] = []
        for (session, customer) in page.items {
            if let client = try await begun(session.id) { clients.append((client, customer)) }
        }
        for (client, _) in clients { await client.returned() }
        return (clients.map { $0.client.snapshot(of: $0.customer) }, page.next, page.offset)
    }

    /// Signs out and deletes the sessions on one page of those that match. Returns their ids. Callers repeat it with
    /// `next` until that is nil.
    public func delete(
        _ filter: SessionFilter, _ request: PageRequest
    ) async throws(ChatError) -> (deleted: [String], next: String?) {
        let page = try await store.read { try $0.sessionPage(filter, request) }
        let unused = page.items.map(\.session.id).filter { isUnused($0, since: filter.unusedSince) }
        return (try await remove(unused), page.next)
    }

    /// Deletes all sessions whose last use was before a time. Returns their ids.
    public func expire(unusedSince time: Timestamp) async throws(ChatError) -> [String] {
        var expired: [String] = []
        while true {
            let stored = try await store.read { try $0.sessions(unusedSince: time, limit: Self.batch) }
            let unused = stored.filter { isUnused($0, since: time) }
            if unused.isEmpty { return expired }
            expired += try await remove(unused)
        }
    }

    /// Deletes the sessions that have ended because nobody used them. Returns their ids.
    public func removeEnded() async throws(ChatError) -> [String] {
        var ended: [String] = []
        while true {
            let now = store.environment.now()
            let stored = try await store.read { try $0.sessions(endedBefore: now, limit: Self.batch) }
            let over = stored.filter { client($0)?.hasEnded(at: now) ?? true }
            if over.isEmpty { return ended }
            ended += try await remove(over)
        }
    }

    /// Deletes the sessions that a link has made. Returns their ids.
    public func removeSessions(ofLink link: String) async throws(ChatError) -> [String] {
        try await remove(try await store.read { try $0.sessions(ofLink: link) })
    }

    /// Stores when sessions were used, for those whose stored time is more than an hour old.
    public func storeUse() async throws(ChatError) {
        let used = all.compactMap { client in client.use.takeUnstored().map { (id: client.id, time: $0) } }
        for start in stride(from: 0, to: used.count, by: Self.batch) {
            let batch = Array(used[start..<min(start + Self.batch, used.count)])
            try await store.write(inBackground: true) { try $0.noteUse(of: batch) }
        }
    }

    /// Whether the session was not used since. The stored time may be an hour old, so the time in memory is asked.
    private func isUnused(_ id: String, since time: Timestamp?) -> Bool {
        guard let time, let client = client(id) else { return true }
        return client.use.time < time
    }

    /// How many sessions one unit of work changes.
    private static let batch = 200
}
