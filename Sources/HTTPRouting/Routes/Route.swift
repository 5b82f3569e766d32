import Formats
import MicroHTTP

/// One operation of an API: how it is reached, who may, and what does it.
///
/// - Parameter Context: what the application gives to all of its routes.
package struct Route<Context: CallContext>: Sendable {
    package typealias Query = KnownParameters
    package typealias Idempotency = KeyEffect

    /// What a request carries.
    package enum Body: Sendable {
        /// Nothing, or an object without members.
        case none
        /// JSON, or nothing: the route reads `null` then.
        case optionalJSON
        /// JSON.
        case json
        /// Whatever comes, up to so many bytes: another protocol's, which answers for it.
        case foreign(limit: Int)
        /// A body of any size, which goes to a sink and is never in memory as a whole. The closure admits it when the
        /// head is there. It runs on the loop's thread.
        case streamed(@Sendable (Call<Context>) throws -> HTTPAdmission)
    }

    package enum Handler: Sendable {
        /// On the loop's thread: reads memory, or one bounded page.
        case now(@Sendable (Call<Context>) throws -> HTTPResponse)
        /// On the loop's thread: opens an event stream.
        case stream(@Sendable (Call<Context>) throws -> HTTPResponse)
        /// In a task of its own.
        case later(@Sendable (Call<Context>) async throws -> HTTPResponse)
        /// On the loop's thread, unless the call has to wait: then in a task of its own.
        case depending(
            on: @Sendable (Call<Context>) -> Bool, later: @Sendable (Call<Context>) async throws -> HTTPResponse,
            now: @Sendable (Call<Context>) throws -> HTTPResponse)
        /// First on the loop's thread, which reads memory; what this gives goes on in a task of its own.
        case preparing(@Sendable (Call<Context>) throws -> @Sendable (Call<Context>) async throws -> HTTPResponse)
    }

    package let method: Method
    /// The path with parameters in braces: `/v1/sessions/{session}`. `{path}` at the end takes all that is left.
    package let template: String
    /// The operation's name in the OpenAPI document.
    package let operationID: String
    package let access: Access
    package let query: Query
    package let body: Body
    package let idempotency: Idempotency
    package let handler: Handler
    /// Answers a request that came before under the same `Idempotency-Key`, where the first answer is not kept; nil
    /// where it is.
    private(set) var replay: (@Sendable (Context.Outcome, Call<Context>) async throws -> HTTPResponse)?
    /// Pages of all origins that the gateway answers for may use it (CORS, with credentials), not only its own.
    package var isShared = false
    /// Whoever watches the gateway asks it: it is answered even when there are too many requests.
    package var isProbe = false
    /// Where among all routes; set by the table, index of the route's measurements.
    package internal(set) var index = 0

    /// The path of what a request has made, by its id. Below the route's own path if the route says nothing else.
    package private(set) var location: @Sendable (Call<Context>, String) -> String = { call, id in
        "\(call.request.path)/\(id.percentEncoded)"
    }

    /// Its answers are event streams.
    package var isStream: Bool {
        if case .stream = handler { true } else { false }
    }

    package init(
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
    package func replaying(
        _ replay: @escaping @Sendable (Context.Outcome, Call<Context>) async throws -> HTTPResponse
    ) -> Route {
        var route = self
        route.replay = replay
        return route
    }

    /// The same route, whose `Location` is not below its own path.
    package func located(at location: @escaping @Sendable (Call<Context>, String) -> String) -> Route {
        var route = self
        route.location = location
        return route
    }
}

/// A method that routes have. `HEAD` and `OPTIONS` are answered for every path and have no routes.
package enum Method: String, Sendable, CaseIterable {
    case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
}

/// Which query parameters a route knows.
package enum KnownParameters: Sendable {
    /// Whatever comes is left to whoever asked.
    case any
    /// - Parameter repeatable: names that may come several times; they are known, too.
    case only([String], repeatable: [String] = [])
}

/// What becomes of an `Idempotency-Key`.
package enum KeyEffect: Sendable {
    /// Nothing is written, so the key is checked and has no effect.
    case none
    /// The operation takes the receipt down and writes it itself.
    case carried
    /// The operation has no place for a receipt: the answer is recorded afterwards.
    case recorded
}
