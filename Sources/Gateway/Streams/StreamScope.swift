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
        /// Several in one (`/v1/events`): events say whom they concern.
        case combined
    }

    struct Session: Sendable, Equatable {
        var id: String
        var account: Int64

        var collectionOwner: CollectionOwner { .session(id, account: account) }
    }

    let kind: Kind
    private(set) var sessions: [Session]
    let hasDesk: Bool
    /// Without duplicates: two sessions of one account are woken by one audience.
    private(set) var audiences: [Audience]

    init(kind: Kind, sessions: [Session], hasDesk: Bool) {
        self.kind = kind
        self.sessions = sessions
        self.hasDesk = hasDesk
        audiences = []
        audiences = Self.audiences(sessions, hasDesk)
    }

    /// Whose collections it may carry.
    var collectionOwners: [CollectionOwner] {
        sessions.map(\.collectionOwner) + (hasDesk ? [.desk] : [])
    }

    /// What a combined stream puts in front of a collection's events.
    func concerns(_ owner: CollectionOwner) -> [UInt8] {
        guard kind == .combined else { return [] }
        switch owner {
        case .session(let id, _): return concerns([id], desk: false)
        case .desk: return concerns([], desk: true)
        }
    }

    /// Nobody is followed any more.
    var isEmpty: Bool { sessions.isEmpty && !hasDesk }

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

    /// An event's data as this stream shows it.
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
            // Both read it here: the desk's copy, with the account's part in it.
            if isDesks, let membership = event.members.first(where: { $0.audience == account })?.membership,
                event.type == .threadCreated || event.type == .threadUpdated {
                data.removeLast(2)
                data.append(contentsOf: ",".utf8)
                data.append(contentsOf: membership.members)
                data.append(contentsOf: "}}".utf8)
            }
            return (data, concerns(concerned.map(\.id), desk: isDesks))
        }
    }

    /// Where the state is to be had that a lost position can no longer give.
    var snapshot: String {
        sessions.first.map { "/v1/sessions/\($0.id.percentEncoded)/threads" } ?? "/v1/desk/threads"
    }
}
