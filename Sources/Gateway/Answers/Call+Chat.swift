import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// One request on its way through a route of the gateway.
package typealias Call = HTTPRouting.Call<GatewayCore>

/// One operation of the gateway's API.
package typealias Route = HTTPRouting.Route<GatewayCore>

extension Identity {
    /// Whether a session's own token asks: then what it writes counts for the quotas of its customer. The gateway's token
    /// stands for whoever runs it.
    var isCounted: Bool { if case .session = self { true } else { false } }
}

/// What handlers find in a call, besides the request.
extension Call {
    /// The objects that all routes share.
    var core: GatewayCore { context }

    /// The receipt that an operation stores in its transaction; nil without an `Idempotency-Key` and on routes that do
    /// not store one themselves.
    var receipt: Receipt? {
        key.map { Receipt(scope: $0.scope, fingerprint: $0.fingerprint, holder: $0.holder) }
    }

    /// The cursor of the log's present end. Take it before reading a state: whoever follows from there misses no later
    /// change.
    var headCursor: Cursor { Cursor(epoch: core.store.feed.epoch, offset: core.store.feed.head) }

    /// The cursor of an offset in the present log.
    func cursor(_ offset: Int64) -> Cursor { Cursor(epoch: core.store.feed.epoch, offset: offset) }

    /// The session in the path, which the gate has restored; this counts as a use of it. Throws `unknownSession`.
    func client() throws(ChatError) -> ChatClient {
        let id = parameters["session"]
        return try used(core.sessions.client(id), id)
    }

    /// The session with this id, restored if nobody has used it since the start; this counts as a use of it. Throws
    /// `unknownSession`.
    func session(_ id: String) async throws(ChatError) -> ChatClient { try used(await core.sessions.session(id), id) }

    /// The same if the session is in memory, and not on its way there; nil otherwise.
    func keptSession(_ id: String) -> ChatClient? {
        guard let client = core.sessions.client(id), !client.isReturning else { return nil }
        client.noteUse()
        return client
    }

    private func used(_ client: ChatClient?, _ id: String) throws(ChatError) -> ChatClient {
        guard let client else { throw ChatError(.unknownSession, "There is no session \(id).") }
        client.noteUse()
        return client
    }
}
