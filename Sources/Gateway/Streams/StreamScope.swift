import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting

/// Whom a stream follows.
package struct StreamScope: Sendable {
    enum Kind: String, Sendable {
        /// One session's own stream.
        case session
        /// The desk's own stream.
        case desk
        /// Several sessions, and the desk if wanted (`/v1/events`). Its events say whom they concern.
        case combined
        /// All events of all sessions and of the desk, for who looks into the gateway (`/v1/events?all=true`). Its events
        /// say when they were logged.
        case log
    }

    /// A session with its account. Several sessions of one customer share an account.
    struct Session: Sendable, Equatable {
        var id: String
        var account: Int64
        /// Nil where nothing is followed of it.
        var channel: Audience?

        var collectionOwner: CollectionOwner { .session(id, account: account) }
    }

    let kind: Kind
    /// In the order of the request.
    private(set) var sessions: [Session]
    let hasDesk: Bool
    /// The audiences of the log that the stream reads. Without duplicates, because two sessions can have one account.
    private(set) var audiences: [Audience]

    /// The same, and the audiences that only ephemeral events have.
    var allAudiences: [Audience] {
        audiences + sessions.map { .session($0.id) } + Set(sessions.compactMap(\.channel))
    }

    /// The scope of all events.
    static let log = StreamScope(kind: .log, sessions: [], hasDesk: false)
    /// The scope of all events that the desk sees.
    package static let desk = StreamScope(kind: .desk, sessions: [], hasDesk: true)
    /// The scope of one session's events.
    package static func session(_ id: String, account: Int64) -> StreamScope {
        StreamScope(kind: .session, sessions: [Session(id: id, account: account)], hasDesk: false)
    }
    /// The scope of one session's events, with what concerns its channel.
    static func session(of client: ChatClient) -> StreamScope {
        StreamScope(kind: .session, sessions: [Session(client)], hasDesk: false)
    }

    /// - Parameters:
    ///   - sessions: without duplicates.
    ///   - hasDesk: whether the desk's events come too.
    init(kind: Kind, sessions: [Session], hasDesk: Bool) {
        self.kind = kind
        self.sessions = sessions
        self.hasDesk = hasDesk
        audiences = kind == .log ? [.everyone] : Self.audiences(sessions, hasDesk)
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
    var isEmpty: Bool { audiences.isEmpty }

    /// Removes a deleted session; the account's audience stays while another session needs it.
    mutating func remove(session id: String) {
        guard kind != .log else { return }
        sessions.removeAll { $0.id == id }
        audiences = Self.audiences(sessions, hasDesk)
    }

    private static func audiences(_ sessions: [Session], _ hasDesk: Bool) -> [Audience] {
        var audiences: [Audience] = []
        for session in sessions {
            if !audiences.contains(.account(session.account)) { audiences.append(.account(session.account)) }
        }
        if hasDesk { audiences.append(.desk) }
        return audiences
    }

    /// The path from which a client loads the state after a `reset`.
    var snapshot: String {
        sessions.first.map { "/v1/sessions/\($0.id.percentEncoded)/threads" } ?? "/v1/desk/threads"
    }
}

/// The events that a stream writes about itself.
extension StreamScope {
    typealias SessionState = (state: ChatState, mode: ChatMode)

    /// The event `ready`. For sessions it contains their present states, so that a client need not ask.
    ///
    /// - Parameter state: the state of a session, by its id; nil when it is gone.
    func ready(at cursor: String, state: ((String) -> SessionState?)?) -> any EventPayload {
        switch kind {
        case .desk, .log: return ReadyEvent(cursor: cursor)
        case .session:
            let state = sessions.first.flatMap { state?($0.id) }
            return ReadyEvent(cursor: cursor, state: state?.state, mode: state?.mode)
        case .combined:
            let found = sessions.compactMap { session in
                state?(session.id).map { ReadyCombinedEvent.Session(id: session.id, state: $0.state, mode: $0.mode) }
            }
            return ReadyCombinedEvent(cursor: cursor, sessions: found, hasDesk: hasDesk)
        }
    }

    /// The members that a combined stream puts in front of an event's own, without braces:
    /// `"sessions":["a"],"desk":true`.
    func concerns(_ ids: [String], desk: Bool) -> [UInt8] {
        Array(EventAudience(sessions: ids, isDesks: desk).canonicalJSON.dropFirst().dropLast())
    }
}

extension StreamScope.Session {
    init(_ client: ChatClient) {
        self.init(
            id: client.id, account: client.account,
            channel: .channel(service: client.key.service, id: client.key.channel))
    }
}
