import ChatModel
import ChatStore
import Formats

/// Many sessions at a time: lists of sessions, and the deletion of a page of them.
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

    /// Deletes the sessions that a link has made. Returns their ids.
    public func removeSessions(ofLink link: String) async throws(ChatError) -> [String] {
        try await remove(try await store.read { try $0.sessions(ofLink: link) })
    }

    /// How many sessions one unit of work changes.
    static let batch = 200
}

/// A session as it was at one moment, for the API.
public struct SessionSnapshot: Sendable {
    public var id: String
    public var service: String
    public var channel: Channel
    public var customer: Customer
    public var state: ChatState
    public var mode: ChatMode
    public var createdAt: Timestamp
    /// When somebody used it last, to the minute.
    public var lastUsedAt: Timestamp
    public var resendPolicy: ResendPolicy
    /// Whether the synchronization is paused for this session; nil on the embedded service, which has none.
    public var isPaused: Bool?
    /// Who has begun it.
    public var kind = SessionKind.plain
    /// When it ends unless somebody uses it; nil for never.
    public var endsAt: Timestamp?
    /// Until when a JWT has confirmed who its customer is; nil without a JWT.
    public var verifiedUntil: Timestamp?
    /// Why the last attempt to connect failed, or why the connection was lost; nil otherwise.
    public var connectionError: ChatError?
    /// When the next attempt to connect begins by itself; nil where none is planned.
    public var nextAttemptAt: Timestamp?

    /// The session's JSON. Members without a value are left out.
    ///
    /// - Parameters:
    ///   - cursor: the log's position from which to follow the session.
    ///   - token: the session's token. Only the answer that makes the session has it.
    public func json(cursor: Cursor, token: String? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("id", id)
        json.member("service", service)
        json.member("channel", channel.forCustomers)
        json.member("customer", customer)
        json.member("state", state.rawValue)
        json.member("mode", mode.rawValue)
        if let connectionError { json.member("connectionError", Failure(connectionError)) }
        if let nextAttemptAt { json.member("nextAttemptAt", nextAttemptAt) }
        json.member("createdAt", createdAt)
        json.member("lastUsedAt", lastUsedAt)
        json.member("resend", resendPolicy)
        if kind != .plain { json.member("kind", kind.rawValue) }
        if let endsAt { json.member("expiresAt", endsAt) }
        if let verifiedUntil { json.member("verifiedUntil", verifiedUntil) }
        if let isPaused { json.member("sync", isPaused ? "paused" : "running") }
        json.member("cursor", cursor.description)
        json.member("token", token)
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    /// `{"policy","attempts"?}`
    fileprivate mutating func member(_ name: StaticString, _ policy: ResendPolicy) {
        self.name(name)
        beginObject()
        member("policy", policy.name)
        if case .automatic(let attempts) = policy { member("attempts", attempts) }
        endObject()
    }
}
