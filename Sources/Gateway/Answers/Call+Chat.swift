import Chat
import ChatModel
import ChatStore
import Formats
import MicroHTTP

/// One request on its way through a route: everything that a handler needs.
public struct Call: Sendable {
    public let request: HTTPRequest
    public let route: Route
    public let parameters: PathParameters
    public let identity: Identity
    /// The query's parameters, checked against the route's.
    public let query: QueryReader
    /// To be handed to an operation that takes one; nil without an `Idempotency-Key`.
    public var receipt: Receipt?
    let core: GatewayCore
    /// The body of a route that takes a file.
    var upload: FileUpload?

    /// The file that came. Throws `invalidFileSize` when there was none.
    func uploaded() throws -> FileUpload {
        guard let upload else { throw FileHead.empty }
        return upload
    }

    /// The cursor that the log's end has now.
    var headCursor: Cursor { Cursor(epoch: core.store.feed.epoch, offset: core.store.feed.head) }

    func cursor(_ offset: Int64) -> Cursor { Cursor(epoch: core.store.feed.epoch, offset: offset) }

    /// The session in the path. Throws `unknownSession`.
    func client() throws(ChatError) -> ChatClient { try client(parameters["session"]) }

    func client(_ id: String) throws(ChatError) -> ChatClient {
        guard let client = core.sessions.client(id) else { throw ChatError(.unknownSession, "There is no session \(id).") }
        client.noteUse()
        return client
    }

    /// The body as a JSON value; `null` when there is none. Throws `invalidJSON`.
    public func json() throws -> JSONValue {
        guard !request.body.isEmpty else { return .null }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(request.body)
        } catch {
            throw Problem(.invalidJSON, "At byte \(error.offset): \(error.reason).")
        }
    }

    /// The body, read as what the operation takes. Throws a problem that names everything that is wrong with it.
    func body<T: RequestBody>(_: T.Type = T.self) throws -> T {
        var value = try json()
        if request.body.isEmpty {
            if case .json = route.body { throw Problem(.invalidJSON, "At byte 0: a body is needed.") }
            value = .object([])
        }
        return try ObjectReader.read(value)
    }
}
