import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// One request on its way through a route of the gateway.
package typealias Call = HTTPRouting.Call<GatewayCore>

/// One operation of the gateway's API.
package typealias Route = HTTPRouting.Route<GatewayCore>

/// What handlers find in a call, besides the request.
extension Call {
    var core: GatewayCore { context }

    /// To be handed to an operation that takes one; nil without an `Idempotency-Key`.
    var receipt: Receipt? { key.map { Receipt(scope: $0.scope, fingerprint: $0.fingerprint) } }

    /// The cursor that the log's end has now.
    var headCursor: Cursor { Cursor(epoch: core.store.feed.epoch, offset: core.store.feed.head) }

    func cursor(_ offset: Int64) -> Cursor { Cursor(epoch: core.store.feed.epoch, offset: offset) }

    /// The session in the path. Throws `unknownSession`.
    func client() throws(ChatError) -> ChatClient { try client(parameters["session"]) }

    func client(_ id: String) throws(ChatError) -> ChatClient {
        guard let client = core.sessions.client(id) else {
            throw ChatError(.unknownSession, "There is no session \(id).")
        }
        client.noteUse()
        return client
    }
}
