import ChatModel
import Formats

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
