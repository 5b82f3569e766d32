import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP
import Synchronization

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

/// One thing that must be well, with its name in the answer.
struct HealthCheck: Sendable, Equatable {
    var name: String
    var isWell: Bool
    /// Why the check failed, if that is known; shown to the caller.
    var fault: String?

    init(_ name: String, _ isWell: Bool) { (self.name, self.isWell) = (name, isWell) }
    init(_ name: String, fault: String?) { (self.name, self.isWell, self.fault) = (name, fault == nil, fault) }

    /// The name, and why the check failed.
    var failure: String { fault.map { "\(name) (\($0))" } ?? name }
}

/// A check that may take long: a commit waits for another machine, or a disk does not answer.
///
/// Nobody waits longer than ``patience``, so that a balancer gets an answer before it gives the gateway up. All who ask
/// while the check runs share one run: however often they ask, one run at most waits.
final class SharedCheck: Sendable {
    static let patience = Duration.milliseconds(800)

    private let name: String
    private let look: @Sendable () async -> HealthCheck
    private let running = Mutex<Answer<HealthCheck>?>(nil)

    /// - Parameter look: what is done to find out; it may take as long as it likes.
    init(_ name: String, look: @escaping @Sendable () async -> HealthCheck) {
        self.name = name
        self.look = look
    }

    func check(on clock: any Clock<Duration>) async -> HealthCheck {
        let answer = running.withLock { running in
            if let running { return running }
            let answer = Answer<HealthCheck>()
            running = answer
            Task { [self] in
                let result = await look()
                // Before the answer: whoever asks after it starts a new run.
                self.running.withLock { $0 = nil }
                answer.resolve(result)
            }
            return answer
        }
        return await answer.value(within: Self.patience, on: clock)
            ?? HealthCheck(name, fault: "no answer within \(Self.patience / .milliseconds(1)) ms")
    }
}

/// What ``HealthRoutes`` asks of the store.
struct StoreHealth: Sendable {
    let store: SharedCheck
    let files: SharedCheck

    init(_ store: ChatStore) {
        self.store = SharedCheck("store") { HealthCheck("store", fault: await store.writeFault()) }
        files = SharedCheck("files") { HealthCheck("files", fault: await store.fileFault()) }
    }
}
