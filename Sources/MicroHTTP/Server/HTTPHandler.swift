import Bounds

/// What a server serves. All methods run on the loop's thread and must not block: every connection waits for them.
///
/// ```swift
/// struct Hello: HTTPHandler {
///     func respond(to request: HTTPRequest) -> HTTPReply {
///         .now(HTTPResponse(status: 200, body: .bytes(Array("Hello\n".utf8))))
///     }
/// }
/// ```
public protocol HTTPHandler: Sendable {
    /// Called when a request's head has passed the gate, before any of its body is read. What is set as
    /// ``HTTPRequest/findings`` comes back with the request in the functions below, and with the next request of the
    /// connection if that has the same head.
    func admit(_ head: inout HTTPRequest) -> HTTPAdmission

    /// Who sends the request, by whom the places of requests, bodies, uploads and streams are shared. Asked only for a
    /// request that takes a place, so what is answered at once costs nothing, and when all connections are taken.
    /// ``Holder/nobody`` gives way first while its body comes, and with its connection.
    func holder(of head: HTTPRequest) -> Holder

    /// The greatest body for this request in bytes, asked only when a body was announced; nil is
    /// ``ServerConfiguration/maxBody``.
    func bodyLimit(for head: HTTPRequest) -> Int?

    /// Whether this request is answered although ``ServerConfiguration/maxRequests`` others are being answered. Asked
    /// only then. Meant for probes: say it only of what costs next to nothing.
    func isAlwaysAnswered(_ request: HTTPRequest) -> Bool

    /// Whether the task that answers this request is cancelled when its client leaves, as that of a GET is. Asked only of
    /// other methods. What the task does must come to its own end then, or be done whole in spite of it.
    func endsWithClient(_ request: HTTPRequest) -> Bool

    /// Answers a request, which now has its whole body, or whose ``HTTPRequest/sink`` has taken it.
    func respond(to request: HTTPRequest) -> HTTPReply

    /// The answer to something that MicroHTTP itself refuses. Its status should be the refusal's. `.events` is not
    /// allowed here.
    /// - Parameter head: nil when no head could be read.
    func refusal(_ refusal: HTTPRefusal, head: HTTPRequest?) -> HTTPResponse

    /// Called after an answer has been completely sent or its connection failed: once for each request that the gate
    /// passed or refused. What libmicrohttpd refuses before (a head that is too long, no HTTP at all) is not reported.
    func finished(_ summary: RequestSummary)
}

extension HTTPHandler {
    public func admit(_ head: inout HTTPRequest) -> HTTPAdmission { .accept }
    /// A handler that does not tell its senders apart lets each take all.
    public func holder(of head: HTTPRequest) -> Holder { .root }
    public func bodyLimit(for head: HTTPRequest) -> Int? { nil }
    public func isAlwaysAnswered(_ request: HTTPRequest) -> Bool { false }
    public func endsWithClient(_ request: HTTPRequest) -> Bool { false }
    public func finished(_ summary: RequestSummary) {}
    public func refusal(_ refusal: HTTPRefusal, head: HTTPRequest?) -> HTTPResponse {
        HTTPResponse(
            status: refusal.status, headers: [("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array("\(refusal.code): \(refusal.detail)\n".utf8)))
    }
}

/// What becomes of a request whose head is there.
public enum HTTPAdmission: Sendable {
    case accept
    /// The answer goes out at once; the connection closes if a body was announced, and no 100 is sent.
    case refuse(HTTPResponse)
    /// A body, if one was announced, goes to the sink that the closure makes and is never in memory as a whole.
    /// - Parameter limit: the greatest body in bytes; a greater one is refused like any other.
    case stream(limit: Int, @Sendable (BodyFlow) -> any BodySink)
    /// The closure decides, in a task of its own; it must not return `later`. The connection waits meanwhile, and none
    /// of the body is read. For what cannot be known without waiting. It counts as a request that is being answered.
    case later(@Sendable () async -> HTTPAdmission)
}

/// How a handler answers.
public enum HTTPReply: Sendable {
    case now(HTTPResponse)
    /// The connection waits while the closure runs in a task of its own. When the client goes away meanwhile (closing
    /// only its sending side counts), its answer is dropped. The task of a GET or HEAD is cancelled then, within about a
    /// second, and also after ``ServerConfiguration/readTime``. Other requests run on, because what they do may be committed
    /// already; unless ``HTTPHandler/endsWithClient(_:)`` says that they need not.
    case later(@Sendable () async -> HTTPResponse)
    /// The same on the loop's thread: the closure begins at once and goes on there after each wait. It must not block.
    case prompt(@Sendable () async -> HTTPResponse)
}

/// Why MicroHTTP refuses a request by itself.
public struct HTTPRefusal: Sendable, Hashable {
    public let status: Int
    /// One word: `malformedHead`, `hostHeader`, `contentLength`, `transferEncoding`, `method`, `headerName`,
    /// `headerValue`, `repeatedHeader`, `target`, `bodyTooLarge`, `requestTimeout`, `shareExceeded`,
    /// `tooManyRequests`, `tooManyStreams`.
    public let code: String
    /// A sentence for people.
    public let detail: String

    public init(status: Int, code: String, detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }
}

/// What became of one request.
public struct RequestSummary: Sendable {
    /// The request; its body is empty here.
    public let request: HTTPRequest
    /// The answer's status; 0 when there was none, because the connection failed first.
    public let status: Int
    /// From the complete head to the end of the answer.
    public let duration: Duration
    /// Bytes of the request's body that came.
    public let received: Int
    /// Bytes of the answer's body; for a stream those that the kernel took, framing included.
    public let bytes: Int
    /// False when the connection failed before the answer's end.
    public let completed: Bool

    /// For a request that did not come from a socket of its own.
    public init(
        request: HTTPRequest, status: Int, duration: Duration, received: Int, bytes: Int, completed: Bool
    ) {
        self.request = request
        self.status = status
        self.duration = duration
        self.received = received
        self.bytes = bytes
        self.completed = completed
    }
}
