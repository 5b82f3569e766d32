import Formats
import MicroHTTP

/// What an application gives to all of its routes; the same object for every call, used from the loop's thread and from
/// tasks.
///
/// It also stores the outcomes of requests with idempotency keys. A context is a class, so a call has the same memory
/// layout for every context, and generic code needs neither boxes nor thunks.
package protocol CallContext: AnyObject, Sendable {
    /// What an operation did, in the form in which it is stored under an `Idempotency-Key`.
    associatedtype Outcome: Sendable
    /// The kinds of writing that are limited; `Never` where none is.
    associatedtype Writing: Sendable = Never

    /// The keyed requests that are running now. Only one request of a scope runs at a time.
    var keysInFlight: KeysInFlight { get }

    /// The stored outcome of a scope, with the fingerprint of the body that led to it; nil when nothing is stored.
    func outcome(under scope: String) async throws -> (fingerprint: String, outcome: Outcome)?

    /// Stores what was answered, for a route that is ``KeyEffect/recorded``. It is called after the operation has taken
    /// effect, so a crash in between loses the record.
    func record(_ answer: HTTPResponse, of request: KeyedRequest) async throws

    /// The answer to a repeated request, for routes without a replay of their own (``Route/replaying(_:)``).
    func answer(_ outcome: Outcome, to call: Call<Self>) -> HTTPResponse
}

/// One request that has passed the gate, together with everything that its handler needs.
package struct Call<Context: CallContext>: Sendable {
    /// The request. In a handler its body is complete, or went to the request's sink; while a streamed body is being
    /// admitted, only the head is there.
    package let request: HTTPRequest
    package let route: Route<Context>
    /// The parameters of the path, percent-decoded.
    package let parameters: PathParameters
    /// Who asks. The route's ``Route/access`` has been checked already.
    package let identity: Identity
    /// The parameters of the query. Names that the route does not know have been refused.
    package let query: QueryReader
    package let context: Context
    /// The key under which a ``KeyEffect/carried`` operation stores its outcome, in its own transaction; nil without an
    /// `Idempotency-Key` and on other routes.
    package internal(set) var key: KeyedRequest?

    /// Throws `unknownParameter` or `invalidParameter` (both 400) when the query has parameters that the route does not
    /// take.
    ///
    /// - Parameter query: the query, if the same one was read before for this route.
    package init(
        _ request: HTTPRequest, route: Route<Context>, parameters: PathParameters, identity: Identity,
        query known: QueryReader? = nil, context: Context
    ) throws(Problem) {
        self.request = request
        self.route = route
        self.parameters = parameters
        self.identity = identity
        self.context = context
        if let known {
            query = known
        } else {
            query = try QueryReader(request.query, known: route.query)
        }
    }

    /// Does work on the common threads that would hold up the loop's, and comes back.
    package func aside<T, Failure: Error>(_ work: () async throws(Failure) -> T) async throws(Failure) -> T {
        try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
    }

    /// Parses the body on every call; `null` when there is none. Throws `invalidJSON`.
    @inlinable
    package func json() throws(Problem) -> JSONValue { try request.json() }

    /// The body as the type that the operation takes. An empty body counts as `{}`, except on routes that need JSON,
    /// where it is `invalidJSON`.
    ///
    /// Throws one problem that lists all faults of the body, at most 32.
    @inlinable
    package func body<T: RequestBody>(_: T.Type = T.self) throws -> T { try body(T.init(reading:)) }

    /// The same for what needs more than the reader to be read.
    @inlinable
    package func body<T>(_ make: (inout ObjectReader) -> T) throws -> T {
        var value = try json()
        if request.body.isEmpty {
            if case .json = route.body { throw Problem(.invalidJSON, "At byte 0: a body is needed.") }
            value = .object([])
        }
        return try ObjectReader.read(value, as: make)
    }
}

extension HTTPRequest {
    /// Parses the body as JSON; `null` when it is empty. Throws `invalidJSON` with the byte offset of the fault.
    package func json() throws(Problem) -> JSONValue {
        guard !body.isEmpty else { return .null }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(body, limitsMarks: true)
        } catch {
            throw Problem(.invalidJSON, "At byte \(error.offset): \(error.reason).")
        }
    }
}
