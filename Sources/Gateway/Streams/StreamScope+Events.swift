import ChatModel
import Formats

/// What a stream says of itself, besides the events of others: where it stands, and what has become of it.
extension StreamScope {
    typealias SessionState = (state: ChatState, mode: ChatMode)

    /// Sessions that are followed are told with their states.
    ///
    /// - Parameter state: the state of a session, by its id; nil for a session that is gone.
    func ready(at cursor: String, state: ((String) -> SessionState?)?) -> any EventPayload {
        switch kind {
        case .desk: return ReadyEvent(cursor: cursor)
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

    /// `"sessions":["a"],"desk":true`, what a combined stream puts in front of an event's own members.
    func concerns(_ ids: [String], desk: Bool) -> [UInt8] {
        Array(EventAudience(sessions: ids, isDesks: desk).canonicalJSON.dropFirst().dropLast())
    }
}
