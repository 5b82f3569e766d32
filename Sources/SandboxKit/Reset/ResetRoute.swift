import Formats
import HTTPRouting
import MicroHTTP

/// The gateway's route for a clean start. It needs the gateway's token.
package struct ResetRoute<Context: CallContext> {
    private let reset: @Sendable () async throws -> SandboxReset

    /// - Parameter reset: begins anew, and returns when all of it is done.
    package init(_ reset: @escaping @Sendable () async throws -> SandboxReset) { self.reset = reset }

    package var routes: [Route<Context>] {
        let begin = reset
        return [
            Route(
                .post, "/v1/sandbox/reset", "resetSandbox", access: .scope(.sandboxWrite), idempotency: .recorded,
                handler: .aside { call in
                    let reset = try await begin()
                    return call.json { reset.encode(to: &$0) }
                }
            ).audited(as: "sandbox.reset")
        ]
    }
}

/// What a reset has removed.
package struct SandboxReset: Sendable {
    package var sockets: Int
    package var customers: Int
    package var threads: Int

    package init(sockets: Int = 0, customers: Int = 0, threads: Int = 0) {
        (self.sockets, self.customers, self.threads) = (sockets, customers, threads)
    }

    /// Writes it as the API shows it (the schema `SandboxReset`).
    func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("sockets", sockets)
        json.member("customers", customers)
        json.member("threads", threads)
        json.endObject()
    }
}
