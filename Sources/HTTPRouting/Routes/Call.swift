import Formats
import MicroHTTP

/// What an application gives to all of its routes, the same object for every call.
///
/// It also keeps what was answered under idempotency keys. A context is a class, so a call has the same layout
/// whatever its context is: generic code needs no boxes and no thunks.
package protocol CallContext: AnyObject, Sendable {
    /// What an operation did, as it is kept under an `Idempotency-Key`.
    associatedtype Outcome: Sendable

    /// The requests with a key that are being worked on.
    var keysInFlight: KeysInFlight { get }

    /// What was done under a scope, and for what body; nil when nothing is kept.
    func outcome(under scope: String) async throws -> (fingerprint: String, outcome: Outcome)?

    /// Keeps what was answered, for a route that is ``KeyEffect/recorded``.
    func record(_ answer: HTTPResponse, of request: KeyedRequest) async throws

    /// The answer to a repetition, for routes that have none of their own.
    func answer(_ outcome: Outcome, to call: Call<Self>) -> HTTPResponse
}

/// One request on its way through a route: everything that a handler needs.
package struct Call<Context: CallContext>: Sendable {
    package let request: HTTPRequest
    package let route: Route<Context>
    package let parameters: PathParameters
    package let identity: Identity
    /// The query's parameters, checked against the route's.
    package let query: QueryReader
    package let context: Context
    /// To be kept by an operation that writes it itself; nil without an `Idempotency-Key`.
    package internal(set) var key: KeyedRequest?

    package init(
        _ request: HTTPRequest, route: Route<Context>, parameters: PathParameters, identity: Identity, context: Context
    ) throws(Problem) {
        self.request = request
        self.route = route
        self.parameters = parameters
        self.identity = identity
        self.context = context
        query = try QueryReader(request.query, known: route.query)
    }

    /// The body as a JSON value; `null` when there is none. Throws `invalidJSON`.
    @inlinable
    package func json() throws(Problem) -> JSONValue { try request.json() }

    /// The body, read as what the operation takes. Throws a problem that names everything that is wrong with it.
    @inlinable
    package func body<T: RequestBody>(_: T.Type = T.self) throws -> T {
        var value = try json()
        if request.body.isEmpty {
            if case .json = route.body { throw Problem(.invalidJSON, "At byte 0: a body is needed.") }
            value = .object([])
        }
        return try ObjectReader.read(value)
    }
}

extension HTTPRequest {
    /// The body as a JSON value; `null` when there is none. Throws `invalidJSON`.
    package func json() throws(Problem) -> JSONValue {
        guard !body.isEmpty else { return .null }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(body)
        } catch {
            throw Problem(.invalidJSON, "At byte \(error.offset): \(error.reason).")
        }
    }
}
