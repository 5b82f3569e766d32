import Formats
import HTTPRouting
import MicroHTTP

/// The gateway's route for a clean start. It needs the gateway's token.
struct ResetRoute<Context: CallContext> {
    private let platforms: SandboxPlatforms

    init(_ platforms: SandboxPlatforms) { self.platforms = platforms }

    var routes: [Route<Context>] {
        let platforms = platforms
        return [
            Route(
                .post, "/v1/sandbox/reset", "resetSandbox", access: .scope(.sandboxWrite),
                query: .only(SandboxPlatforms.query), idempotency: .recorded,
                handler: .aside { call in
                    let reset = try await platforms.chosen(by: call.query).reset()
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
