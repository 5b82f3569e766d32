import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// Whom a stream follows.
struct StreamScope: Sendable {
    enum Kind: String, Sendable {
        /// One session's own stream.
        case session
        /// The desk's own stream.
        case desk
        /// Several sessions, and the desk if wanted (`/v1/events`). Its events say whom they concern.
        case combined
    }

    /// A session with its account. Several sessions of one customer share an account.
    struct Session: Sendable, Equatable {
        var id: String
        var account: Int64

        var collectionOwner: CollectionOwner { .session(id, account: account) }
    }

    let kind: Kind
    /// In the order of the request.
    private(set) var sessions: [Session]
    let hasDesk: Bool
    /// The audiences of the log that the stream reads. Without duplicates, because two sessions can have one account.
    private(set) var audiences: [Audience]

    /// - Parameters:
    ///   - sessions: without duplicates.
    ///   - hasDesk: whether the desk's events come too.
    init(kind: Kind, sessions: [Session], hasDesk: Bool) {
        self.kind = kind
        self.sessions = sessions
        self.hasDesk = hasDesk
        audiences = []
        audiences = Self.audiences(sessions, hasDesk)
    }

    /// The owners of the collections that the stream can carry.
    var collectionOwners: [CollectionOwner] {
        sessions.map(\.collectionOwner) + (hasDesk ? [.desk] : [])
    }

    /// The members in front of a collection's event; empty unless the stream is combined.
    func concerns(_ owner: CollectionOwner) -> [UInt8] {
        guard kind == .combined else { return [] }
        switch owner {
        case .session(let id, _): return concerns([id], desk: false)
        case .desk: return concerns([], desk: true)
        }
    }

    /// Whether nobody is left to follow, so that the stream has to end.
    var isEmpty: Bool { sessions.isEmpty && !hasDesk }

    /// Removes a deleted session; the account's audience stays while another session needs it.
    mutating func remove(session id: String) {
        sessions.removeAll { $0.id == id }
        audiences = Self.audiences(sessions, hasDesk)
    }

    private static func audiences(_ sessions: [Session], _ hasDesk: Bool) -> [Audience] {
        var audiences: [Audience] = []
        for session in sessions {
            if !audiences.contains(.account(session.account)) { audiences.append(.account(session.account)) }
            audiences.append(.session(session.id))
        }
        if hasDesk { audiences.append(.desk) }
        return audiences
    }

    /// The event's JSON as this stream shows it, and the members that go in front. The desk and a customer see
    /// different data of one event.
    func data(of event: LogEvent) -> (bytes: [UInt8], concerns: [UInt8]) {
        switch kind {
        case .desk: return (event.data(for: .desk), [])
        case .session: return (event.data(for: sessions.first.map { .account($0.account) } ?? .desk), [])
        case .combined:
            let concerned = sessions.filter { session in
                event.audiences.contains { $0 == .account(session.account) || $0 == .session(session.id) }
            }
            let isDesks = hasDesk && event.audiences.contains(.desk)
            let account = concerned.first.map { Audience.account($0.account) }
            var data = event.data(for: isDesks ? .desk : account ?? .desk)
            // The stream has both readers: it gets the desk's data, with the account's membership added.
            if isDesks, let membership = event.members.first(where: { $0.audience == account })?.membership,
                event.type == .threadCreated || event.type == .threadUpdated
            {
                data.removeLast(2)
                data.append(contentsOf: ",".utf8)
                data.append(contentsOf: membership.members)
                data.append(contentsOf: "}}".utf8)
            }
            return (data, concerns(concerned.map(\.id), desk: isDesks))
        }
    }

    /// The path from which a client loads the state after a `reset`.
    var snapshot: String {
        sessions.first.map { "/v1/sessions/\($0.id.percentEncoded)/threads" } ?? "/v1/desk/threads"
    }
}
