import Chat
import ChatModel
import ChatStore
import GatewaySupport
import MicroHTTP
import TestSupport
import Testing

@testable import Gateway

/// A store behind a network: no read of it holds up the loop's thread.
@Suite(.serialized) struct WaitingStoreTests {
    /// All that only memory can tell is answered while reads wait, and all others after them.
    @Test func whatReadsWaitsAloneForTheStore() async throws {
        let reads = HeldReads()
        try await TestGateway.run(over: reads.store) { gateway in
            try await Scene.run(at: gateway) { scene in
                let session = "/v1/sessions/\(gateway.session)"
                let page = "\(session)/threads/t1/messages"
                #expect(try await scene.get(page).status == 200)
                reads.hold()
                let waiting = [
                    "\(session)/threads", "\(session)/threads/t1", "\(session)/unread", "\(session)/customer", session,
                    "\(page)/m1", "\(page)?limit=7", "/v1/desk/threads", "/v1/desk/threads/t1/messages",
                    "/v1/desk/channels",
                ].map { path in Task { try await scene.get(path) } }
                #expect(await eventually { reads.waitingCount == waiting.count })
                #expect(try await scene.get("/livez").status == 200)
                #expect(try await scene.get("/v1/info").status == 200)
                #expect(try await scene.get(page).status == 200, "from memory")
                #expect(try await scene.get("/v1/streams").status == 200)
                #expect(try await scene.get("\(session)/viewing").status == 200)
                let stream = try await scene.events("\(session)/events", until: ["ready"])
                #expect(StreamedEvent.parse(stream.body).map(\.type) == ["ready"])
                #expect(reads.waitingCount == waiting.count)
                reads.release()
                for task in waiting { #expect(try await task.value.status == 200) }
            }
        }
    }

    /// A request whose session is not in memory waits at its head, also before its body is taken.
    @Test func aSessionOfTheStoreIsWaitedForAtTheHead() async throws {
        let reads = HeldReads()
        try await TestGateway.run(over: reads.store) { first in
            let gateway = try await first.restarted()
            let token = first.sessionToken
            try await Scene.run(at: gateway) { scene in
                let session = "/v1/sessions/\(first.session)"
                reads.hold()
                let waiting = [
                    scene.task("GET", "\(session)/threads", as: token),
                    scene.task("POST", "\(session)/threads/t1/messages", as: token, body: "{\"text\":\"hi\"}"),
                    scene.task("GET", "/v1/events?session=\(first.session)", as: token, events: ["ready"]),
                    scene.task("GET", "\(session)/threads", as: "\(first.session).wrong"),
                    scene.task("GET", "/v1/sessions/none/threads", as: "none.wrong"),
                    scene.task("POST", "\(session)/attachments", as: token, body: "file", type: "text/plain"),
                ]
                #expect(await eventually { reads.waitingCount == waiting.count })
                #expect(try await scene.get("/livez").status == 200)
                // Neither its host nor its path is the gateway's: nothing is read for it.
                #expect(try await scene.task("GET", "/v1/none", as: "none.wrong").value.status == 404)
                #expect(reads.waitingCount == waiting.count)
                reads.release()
                var answers: [Int] = []
                for task in waiting { answers.append(try await task.value.status) }
                #expect(answers == [200, 201, 200, 401, 401, 201])
                #expect(gateway.sessions.client(first.session) != nil)
                #expect(gateway.sessions.client("none") == nil)
            }
        }
    }

    /// No route reads on the thread that calls it: each answers what it answers otherwise.
    @Test(arguments: [false, true])
    func whateverIsReadIsTheSame(afterARestart: Bool) async throws {
        let scenarios = Scenario.all.filter {
            $0.before.isEmpty && !$0.usesLiveChat && ["GET", "HEAD"].contains($0.method)
        }
        #expect(scenarios.count > 100)
        // A session that returns from the store is waited for by a job of the loop, and a test's loop does not turn by itself.
        let driver = afterARestart ? Driver.socket : .process
        try await TestGateway.run(over: HeldReads().store) { first in
            for scenario in scenarios where !afterARestart || scenario.who == .session {
                let gateway = afterARestart ? try await first.restarted() : first
                let answers = try await driver.answers(
                    to: scenario.requests(at: first, live: nil), at: gateway)
                let failures = answers.last.map { scenario.failures(of: $0, at: first) }
                #expect(failures == [], "\(scenario.testDescription)")
            }
        }
    }
}

/// Requests over a socket to a gateway that goes on meanwhile.
private struct Scene {
    let port: UInt16

    static func run(at gateway: TestGateway, _ body: (Scene) async throws -> Void) async throws {
        let server = HTTPServer(
            configuration: ServerConfiguration(listeners: [.tcp(host: "127.0.0.1", port: 0)]),
            handler: gateway.application)
        gateway.application.attach(to: server)
        try server.start()
        defer { server.stopNow() }
        guard case .tcp(_, let port)? = server.addresses.first else { return }
        try await body(Scene(port: port))
    }

    func get(_ path: String) async throws -> Answer { try await task("GET", path, as: TestGateway.token).value }

    func events(_ path: String, until events: [String]) async throws -> Answer {
        try await task("GET", path, as: TestGateway.token, events: events).value
    }

    func task(
        _ method: String, _ path: String, as token: String, body: String? = nil, type: String = "application/json",
        events: [String] = []
    ) -> Task<Answer, any Error> {
        var headers = [("Authorization", "Bearer \(token)")]
        if body != nil { headers.append(("Content-Type", type)) }
        let request = Request(method: method, path: path, headers: headers, body: body, events: events)
        return Task { try await SocketClient.exchange(request, port: port) }
    }
}
