import ChatModel
import HTTPRouting
import MicroHTTP

/// The probes for whatever supervises the gateway: `/livez` says whether to restart it, `/readyz` whether to send it
/// requests. Both answer 200 or 503, need no token, and show details with `?verbose`.
struct HealthRoutes: RouteGroup {
    /// A loop that has not turned for so long counts as hanging.
    private static let longestTurn: Duration = .seconds(5)

    var routes: [Route] { probes.map { $0.asProbe() } }

    private var probes: [Route] {
        [
            Route(
                .get, "/livez", "getLiveness", access: .open, query: .only(["verbose"]),
                handler: .now { call in
                    let turn = call.core.life.loop?.lastTurn ?? .now
                    return try Self.answer(call, [HealthCheck("loop", ContinuousClock.now - turn < Self.longestTurn)])
                }),
            Route(
                .get, "/readyz", "getReadiness", access: .open, query: .only(["verbose"]),
                handler: .aside { call in
                    try Self.answer(call, await Self.readiness(of: call.core))
                }),
        ]
    }

    /// What must be well before the gateway may be sent requests.
    static func readiness(of core: GatewayCore) async -> [HealthCheck] {
        [
            await core.health.store.check(on: core.clock),
            await core.health.files.check(on: core.clock),
            HealthCheck("sessions", core.sessions.isReady),
            HealthCheck("running", !core.life.isDraining),
        ]
    }

    /// Plain text by default, JSON with `?verbose`: 200 if all checks are well, otherwise 503 with the names of those
    /// that are not.
    private static func answer(_ call: Call, _ checks: [HealthCheck]) throws(Problem) -> HTTPResponse {
        let isWell = checks.allSatisfy(\.isWell)
        let status = isWell ? 200 : 503
        // `?verbose` alone means true.
        let isVerbose = call.query["verbose"] == "" ? true : try call.query.flag("verbose")
        guard isVerbose else {
            let failing = checks.filter { !$0.isWell }.map(\.failure).joined(separator: ", ")
            let text = isWell ? "ok\n" : "not ok: \(failing)\n"
            return HTTPResponse(
                status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array(text.utf8))
            )
        }
        return call.json(status: status) { json in
            json.beginObject()
            json.member("status", isWell ? "ok" : "failing")
            json.name("checks")
            json.beginArray()
            for check in checks {
                json.beginObject()
                json.member("name", check.name)
                json.member("status", check.isWell ? "ok" : "failing")
                json.member("detail", check.fault)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }
}
