import ChatModel
import Formats

/// What a stream says of itself, besides the events of others: where it stands, and what has become of it.
struct StreamWord {
    typealias SessionState = (state: ChatState, mode: ChatMode)

    let type: String
    /// One JSON object.
    let data: [UInt8]

    /// What was missed has been written; from here on it is live. Sessions that are followed are told with their states.
    static func ready(at cursor: String, _ scope: StreamScope, state: ((String) -> SessionState?)?) -> StreamWord {
        StreamWord("ready") { json in
            json.member("cursor", cursor)
            switch scope.kind {
            case .desk: break
            case .session:
                if let session = scope.sessions.first, let state = state?(session.id) { write(state, to: &json) }
            case .combined:
                json.name("sessions")
                json.beginObject()
                for session in scope.sessions {
                    guard let state = state?(session.id) else { continue }
                    json.name(session.id)
                    json.beginObject()
                    write(state, to: &json)
                    json.endObject()
                }
                json.endObject()
                if scope.hasDesk { json.member("desk", true) }
            }
        }
    }

    /// What should come next is not to be had: the reader must load the state anew.
    static func reset(_ reason: ResetReason, _ scope: StreamScope) -> StreamWord {
        StreamWord("reset") { json in
            json.member("reason", reason.rawValue)
            json.member("snapshot", scope.snapshot)
        }
    }

    /// The stream lives, and this far its reader has everything.
    static func ping(at cursor: String) -> StreamWord {
        StreamWord("ping") { $0.member("cursor", cursor) }
    }

    /// A session that was followed is no more.
    static func farewell() -> StreamWord {
        StreamWord(EventType.chatUpdated.rawValue) { $0.member("state", ChatState.initial.rawValue) }
    }

    init(_ type: String, _ write: (inout JSONWriter) -> Void) {
        self.type = type
        var json = JSONWriter()
        json.beginObject()
        write(&json)
        json.endObject()
        data = json.bytes
    }

    private static func write(_ state: SessionState, to json: inout JSONWriter) {
        json.member("state", state.state.rawValue)
        json.member("mode", state.mode.rawValue)
    }
}
