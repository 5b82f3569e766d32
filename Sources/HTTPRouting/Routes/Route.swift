import ChatModel
import ChatStore
import Formats
import MicroHTTP

/// One operation of the API: how it is reached, who may, and what does it.
public struct Route: Sendable {
    /// Who may use a route.
    public enum Access: String, Sendable {
        /// Everybody.
        case open
        /// Whoever has a valid token, a session's or the gateway's.
        case token
        /// The gateway's token, or that of the session in the path.
        case session
        /// The gateway's token alone.
        case gateway
    }

    /// What a request carries.
    public enum Body: Sendable {
        /// Nothing, or an object without members.
        case none
        /// JSON, or nothing: the route reads `null` then.
        case optionalJSON
        /// JSON.
        case json
        /// Whatever comes, up to so many bytes: another protocol's, which answers for it.
        case foreign(limit: Int)
        /// A file of any type, streamed to the disk. The closure says what is taken; it runs on the loop's thread.
        case file(@Sendable (Call) throws -> FileRestrictions)
    }

    /// What becomes of an `Idempotency-Key`.
    public enum Idempotency: Sendable {
        /// Nothing is written, so the key is checked and has no effect.
        case none
        /// The operation takes the receipt down and writes it itself.
        case carried
        /// The operation has no place for a receipt: the gateway records what was answered, afterwards.
        case recorded
    }

    /// Which query parameters a route knows.
    public enum Query: Sendable {
        /// Whatever comes is left to the page.
        case any
        case only([String])
    }

    public enum Handler: Sendable {
        /// On the loop's thread: reads memory, or one bounded page.
        case now(@Sendable (Call) throws -> HTTPResponse)
        /// On the loop's thread: opens an event stream.
        case stream(@Sendable (Call) throws -> HTTPResponse)
        /// In a task of its own.
        case later(@Sendable (Call) async throws -> HTTPResponse)
        /// On the loop's thread, unless the call has to wait: then in a task of its own.
        case depending(
            on: @Sendable (Call) -> Bool, later: @Sendable (Call) async throws -> HTTPResponse,
            now: @Sendable (Call) throws -> HTTPResponse)
        /// First on the loop's thread, which reads memory; what this gives goes on in a task of its own.
        case preparing(@Sendable (Call) throws -> @Sendable (Call) async throws -> HTTPResponse)
    }

    public let method: Method
    /// The path with parameters in braces: `/v1/sessions/{session}`. `{path}` at the end takes all that is left.
    public let template: String
    /// The operation's name in the OpenAPI document.
    public let operationID: String
    public let access: Access
    public let query: Query
    public let body: Body
    public let idempotency: Idempotency
    let handler: Handler
    /// Answers a request that came before under the same `Idempotency-Key`, where the first answer is not kept; nil where it is.
    private(set) var replay: (@Sendable (Outcome, Call) async throws -> HTTPResponse)?
    /// Pages of all origins that the gateway answers for may use it (CORS, with credentials), not only its own.
    public var isShared = false
    /// Whoever watches the gateway asks it: it is answered even when there are too many requests.
    var isProbe = false
    /// Where among all routes; set by the table, index of the route's measurements.
    var index = 0

    /// The path of what a request has made, by its id. Below the route's own path if the route says nothing else.
    private(set) var location: @Sendable (Call, String) -> String = { call, id in "\(call.request.path)/\(id.percentEncoded)" }

    /// Its answers are event streams.
    var isStream: Bool {
        if case .stream = handler { true } else { false }
    }

    public init(
        _ method: Method, _ template: String, _ operationID: String, access: Access, query: Query = .only([]),
        body: Body = .none, idempotency: Idempotency = .none, handler: Handler
    ) {
        self.method = method
        self.template = template
        self.operationID = operationID
        self.access = access
        self.query = query
        self.body = body
        self.idempotency = idempotency
        self.handler = handler
    }

    /// The same route, whose answers have what must not be kept: to a repetition it answers with what is there now.
    func replaying(_ replay: @escaping @Sendable (Outcome, Call) async throws -> HTTPResponse) -> Route {
        var route = self
        route.replay = replay
        return route
    }

    /// The same route, whose `Location` is not below its own path.
    func located(at location: @escaping @Sendable (Call, String) -> String) -> Route {
        var route = self
        route.location = location
        return route
    }
}

/// A method that routes have. `HEAD` and `OPTIONS` are answered for every path and have no routes.
public enum Method: String, Sendable, CaseIterable {
    case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
}

/// Routes that belong together, handed to the gateway.
public protocol RouteGroup: Sendable {
    var routes: [Route] { get }
    /// What answers a request to `/` that wants to leave HTTP; nil when it wants the page, and for groups that have nothing such.
    func upgrade(_ request: HTTPRequest) -> HTTPResponse?
}

extension RouteGroup {
    public func upgrade(_ request: HTTPRequest) -> HTTPResponse? { nil }
}
