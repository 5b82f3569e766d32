import ChatModel
import MicroHTTP

/// Probes: whether the process lives, and whether it should get work.
struct HealthRoutes: RouteGroup {
    private static let longestTurn: Duration = .seconds(5)

    var routes: [Route] {
        probes.map { route in
            var route = route
            route.isProbe = true
            return route
        }
    }

    private var probes: [Route] {
        [
            Route(.get, "/livez", "getLiveness", access: .open, query: .only(["verbose"]), handler: .now { call in
                let turn = call.core.life.loop?.lastTurn ?? .now
                return try Self.answer(call, [("loop", ContinuousClock.now - turn < Self.longestTurn)])
            }),
            Route(.get, "/readyz", "getReadiness", access: .open, query: .only(["verbose"]), handler: .later { call in
                let core = call.core
                return try Self.answer(call, [
                    ("store", await core.store.isWritable()),
                    ("sessions", core.sessions.isReady),
                    ("running", !core.life.isDraining),
                ])
            }),
        ]
    }

    private static func answer(_ call: Call, _ checks: [(name: String, isWell: Bool)]) throws(Problem) -> HTTPResponse {
        let isWell = checks.allSatisfy(\.isWell)
        let status = isWell ? 200 : 503
        // `?verbose` alone means true.
        let isVerbose = call.query["verbose"] == "" ? true : try call.query.flag("verbose")
        guard isVerbose else {
            let failing = checks.filter { !$0.isWell }.map(\.name).joined(separator: ", ")
            let text = isWell ? "ok\n" : "not ok: \(failing)\n"
            return HTTPResponse(status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array(text.utf8)))
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
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
    }
}
