import Formats
import MicroHTTP

/// One operation of an API: its method and path, who may use it, what it takes, and the code that answers.
///
/// A class, because a route has too many parts to be copied for each request.
///
/// ```swift
/// func version<Context: CallContext>(in context: Context.Type) -> Route<Context> {
///     Route(
///         .get, "/v1/version", "getVersion", access: .open,
///         handler: .now { call in HTTPResponse(status: 200, body: .bytes(Array(call.request.path.utf8))) })
/// }
/// ```
package final class Route<Context: CallContext>: Sendable {
    package typealias Query = KnownParameters
    package typealias Idempotency = KeyEffect
    package typealias Trace = RequestTrace

    /// What body a route takes.
    package enum Body: Sendable {
        /// Nothing, or an object without members.
        case none
        /// JSON, or nothing; an empty body counts as an object without members.
        case optionalJSON
        /// JSON; an empty body is refused with `invalidJSON`.
        case json
        /// A body of any type, up to `limit` bytes. It belongs to another protocol, whose handler checks it.
        case foreign(limit: Int)
        /// A body of any size, which goes to a sink and is never in memory as a whole. The closure decides from the
        /// head alone whether to admit it, in a task.
        case streamed(@Sendable (Call<Context>) async throws -> HTTPAdmission)
    }

    /// The code that answers. It begins on the loop's thread, where every connection waits for it: it must not block.
    package enum Handler: Sendable {
        /// Answers from memory.
        case now(@Sendable (Call<Context>) throws -> HTTPResponse)
        /// A task, which begins at once on the loop's thread and comes back there after each wait. A call that would
        /// hold up the loop, such as one with a long body, begins on another thread: the application decides that.
        ///
        /// - Parameter kept: the answer if it is in memory, and there is no task then; nil otherwise.
        case task(
            kept: (@Sendable (Call<Context>) throws -> HTTPResponse?)?,
            run: @Sendable (Call<Context>) async throws -> HTTPResponse)
        /// Opens an event stream, or tells what a task has to do before there is an answer.
        case stream(@Sendable (Call<Context>) throws -> StreamAnswer)

        package static func task(_ run: @escaping @Sendable (Call<Context>) async throws -> HTTPResponse) -> Self {
            .task(kept: nil, run: run)
        }

        /// A task that does its work on the common threads: it reads files, asks a platform, or computes for long.
        package static func aside(
            kept: (@Sendable (Call<Context>) throws -> HTTPResponse?)?,
            run: @escaping @Sendable (Call<Context>) async throws -> HTTPResponse
        ) -> Self {
            .task(kept: kept) { call in try await call.aside { try await run(call) } }
        }

        package static func aside(_ run: @escaping @Sendable (Call<Context>) async throws -> HTTPResponse) -> Self {
            .aside(kept: nil, run: run)
        }
    }

    package let method: Method
    /// The path, with parameters in braces: `/v1/sessions/{session}`. A last segment `{path}` takes the rest of the
    /// path.
    package let template: String
    /// The operation's name in the OpenAPI document.
    package let operationID: String
    /// The tokens that open the route.
    package let access: Access
    /// The query parameters that the route takes; all others are refused.
    package let query: Query
    package let body: Body
    /// What an `Idempotency-Key` does on this route.
    package let idempotency: Idempotency
    /// Whether the handler carries the request out only in the version that `If-Match` names
    /// (``Call/expectedVersion(current:)``).
    package let isVersioned: Bool
    package let handler: Handler
    @usableFromInline let options: Options

    /// Whether the route answers with an event stream, or with a page that waits for events.
    package var isStream: Bool {
        if case .stream = handler { true } else { false }
    }

    package init(
        _ method: Method, _ template: String, _ operationID: String, access: Access, query: Query = .only([]),
        body: Body = .none, idempotency: Idempotency = .none, isVersioned: Bool = false, handler: Handler
    ) {
        self.method = method
        self.template = template
        self.operationID = operationID
        self.access = access
        self.query = query
        self.body = body
        self.idempotency = idempotency
        self.isVersioned = isVersioned
        self.handler = handler
        options = Options()
    }

    private init(_ route: Route, _ options: Options) {
        method = route.method
        template = route.template
        operationID = route.operationID
        access = route.access
        query = route.query
        body = route.body
        idempotency = route.idempotency
        isVersioned = route.isVersioned
        handler = route.handler
        self.options = options
    }
}

// What few routes differ in.
extension Route {
    @usableFromInline
    struct Options: Sendable {
        @usableFromInline var replay: (@Sendable (Context.Outcome, Call<Context>) async throws -> HTTPResponse)?
        @usableFromInline var isShared = false
        @usableFromInline var isProbe = false
        @usableFromInline var isForCustomers = false
        @usableFromInline var isForEveryPage = false
        @usableFromInline var endsWithClient = false
        @usableFromInline var writing: Context.Writing?
        @usableFromInline var trace = Trace.full
        @usableFromInline var audited: String?
        @usableFromInline var index = 0
        @usableFromInline var location: @Sendable (Call<Context>, String) -> String = { call, id in
            "\(call.request.path)/\(id.percentEncoded)"
        }
    }

    /// Makes the answer to a repeated request anew, where the first answer is not stored; nil where the stored answer
    /// is sent.
    var replay: (@Sendable (Context.Outcome, Call<Context>) async throws -> HTTPResponse)? { options.replay }

    /// Whether pages of other origins that the gateway accepts may use the route (CORS with credentials). Otherwise
    /// only the gateway's own pages may.
    @inlinable package var isShared: Bool { options.isShared }

    /// Whether customers' pages need the route, besides the API of their sessions.
    package var isForCustomers: Bool { options.isForCustomers }

    /// Whether pages of every origin may load the answer, which is the same for everybody.
    package var isForEveryPage: Bool { options.isForEveryPage }

    /// Whether the route is a health probe. A probe is answered even when there are too many requests, and is not
    /// logged.
    @inlinable package var isProbe: Bool { options.isProbe }

    /// Whether the task of a writing request is cancelled when its client leaves. The handler sees to it that what it has
    /// begun to write is written.
    @inlinable package var endsWithClient: Bool { options.endsWithClient }

    /// What the route writes, if that is limited for each session; nil where it is not.
    @inlinable package var writing: Context.Writing? { options.writing }

    /// What may be remembered of the route's requests.
    @inlinable package var trace: Trace { options.trace }

    /// What the audit calls the route's act, such as `channel.created`; nil where nothing is written down.
    @inlinable package var audited: String? { options.audited }

    /// The position among all routes, which is also the row of its measurements. ``RouteTable`` sets it.
    @inlinable package var index: Int { options.index }

    /// The path of a resource that a request has created, from its id: for `Location`. By default one segment below the
    /// request's own path.
    package var location: @Sendable (Call<Context>, String) -> String { options.location }

    /// The same route, which pages of other origins may use.
    package func shared() -> Route { with { $0.isShared = true } }

    /// The same route, which customers' pages need.
    package func forCustomers() -> Route { with { $0.isForCustomers = true } }

    /// The same route, whose answer pages of every origin may load.
    package func forEveryPage() -> Route {
        with { ($0.isForCustomers, $0.isForEveryPage) = (true, true) }
    }

    /// The same route as a health probe.
    package func asProbe() -> Route { with { $0.isProbe = true } }

    /// The same route, whose task is cancelled when the client leaves.
    package func endingWithClient() -> Route { with { $0.endsWithClient = true } }

    /// The same route, of whose requests less may be remembered.
    package func traced(_ trace: Trace) -> Route { with { $0.trace = trace } }

    /// The same route, whose act is written down with who does it. The handler is a task.
    package func audited(as action: String) -> Route { with { $0.audited = action } }

    /// The same route, whose requests count as writing of this kind.
    package func counted(as writing: Context.Writing) -> Route { with { $0.writing = writing } }

    /// The same route with a replay of its own, for answers that must not be stored because they contain a secret, or
    /// that should show the present state. A repeated request is answered anew.
    package func replaying(
        _ replay: @escaping @Sendable (Context.Outcome, Call<Context>) async throws -> HTTPResponse
    ) -> Route { with { $0.replay = replay } }

    /// The same route with another `Location`, for resources that are not below the path to which they are posted.
    package func located(at location: @escaping @Sendable (Call<Context>, String) -> String) -> Route {
        with { $0.location = location }
    }

    /// The same route at a position among all routes.
    func numbered(_ index: Int) -> Route { with { $0.index = index } }

    private func with(_ change: (inout Options) -> Void) -> Route {
        var options = options
        change(&options)
        return Route(self, options)
    }
}

/// What may be remembered of a route's requests, for whoever asks what happens.
package enum RequestTrace: Sendable {
    case full
    /// The request or the answer has a token or another secret, so no body is kept. If the route is open, its path is
    /// such a secret, too.
    case secret
    /// Nothing is remembered.
    case none
}

/// What a route of ``Route/Handler/stream(_:)`` answers.
package enum StreamAnswer: Sendable {
    case now(HTTPResponse)
    /// The closure runs in a task of its own. It may return a stream, too.
    case later(@Sendable () async throws -> HTTPResponse)
}

/// The methods of routes. HEAD works wherever GET does, and OPTIONS on every path, so no route declares them.
package enum Method: String, Sendable, CaseIterable {
    case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
}

/// Which query parameters a route knows.
package enum KnownParameters: Sendable {
    /// Every parameter is accepted; the handler decides.
    case any
    /// - Parameters:
    ///   - repeatable: names that may come several times; they are known, too.
    ///   - isResumable: whether ``resumeName`` is known as well. No author of a client chooses it, so the document only
    ///     mentions it.
    case only([String], repeatable: [String] = [], isResumable: Bool = false)

    /// The parameter by which readers of streams that cannot set a header say where they stopped, as some replacements
    /// of `EventSource` do.
    package static var resumeName: String { "lastEventId" }
}

/// What an `Idempotency-Key` does on a route.
package enum KeyEffect: Sendable {
    /// The key has no effect, because the operation writes nothing, or a repetition changes nothing more. A request that
    /// may write still is refused if its key is not valid.
    case none
    /// The operation stores its outcome in the same transaction as its change, so the two cannot diverge.
    case carried
    /// The operation cannot store the outcome itself. The answer is stored after the operation has ended.
    case recorded

    package var hasEffect: Bool { self != .none }
}
