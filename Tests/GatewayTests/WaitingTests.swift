import Chat
import ChatModel
import GatewaySupport
import TestSupport
import Testing

@testable import Gateway

/// Requests on a session that is connecting: they wait for it, up to 10 s.
@Suite struct WaitingTests {
    /// A session on a scripted service, and a message to be sent on it.
    private struct Scene {
        let gateway: TestGateway
        let service: ScriptedService
        let client: ChatClient

        static func run(_ body: (Scene) async throws -> Void) async throws {
            let service = ScriptedService()
            try await TestGateway.run(services: [service]) { gateway in
                let client = try await gateway.sessions.create(
                    service: "scripted", channel: "main", customer: nil, connect: false, receipt: nil)
                try await body(Scene(gateway: gateway, service: service, client: client))
                // Whoever still waits is released, so that nothing outlives the test.
                try await gateway.sessions.delete(client.id)
            }
        }

        /// Begins to connect, and returns when the service has been asked to.
        func connect() async {
            Task { [client] in try? await client.connect() }
            #expect(await eventually { service.count("connect") == 1 && gateway.clock.sleeperCount == 1 })
        }

        /// Sends a message, and returns the answer.
        func post() async throws -> Answer {
            let request = Request(
                method: "POST", path: "/v1/sessions/\(client.id)/threads/t1/messages",
                headers: [("Authorization", "Bearer \(TestGateway.token)"), ("Content-Type", "application/json")],
                body: "{\"text\":\"x\"}")
            return try await Driver.process.answers(to: [request], at: gateway)[0]
        }

        /// Sends a message, and returns when it waits for the connection, with 10 s left.
        func send() async -> Task<Answer, any Error> {
            let sleepers = gateway.clock.sleeperCount
            let task = Task { try await post() }
            #expect(await eventually { gateway.clock.sleeperCount == sleepers + 1 })
            return task
        }
    }

    @Test func aRequestWaitsForASessionThatIsConnecting() async throws {
        try await Scene.run { scene in
            let (opening, loading) = (Gate(), Gate())
            scene.service.script("connect", .hold(opening))
            scene.service.script("loadThreads", .hold(loading))
            await scene.connect()
            let answer = await scene.send()
            // Several states go by; only the last lets it through.
            opening.open()
            #expect(await eventually { scene.service.count("loadThreads") == 1 })
            // One that comes now is let through at once, and is the only one.
            #expect(try await scene.post().status == 200)
            #expect(scene.service.count("send") == 1 && scene.client.state == .connected)
            #expect(scene.gateway.clock.sleeperCount == 2)
            loading.open()
            let sent = try await answer.value
            #expect(sent.status == 200)
            #expect(scene.service.count("send") == 2 && scene.client.state == .ready)
            #expect(scene.gateway.clock.sleeperCount == 0)
        }
    }

    @Test func theWaitEnds() async throws {
        try await Scene.run { scene in
            let opening = Gate()
            scene.service.script("connect", .hold(opening))
            await scene.connect()
            let answer = await scene.send()
            scene.gateway.clock.advance(by: .milliseconds(9_999))
            #expect(scene.gateway.clock.sleeperCount == 2)
            scene.gateway.clock.advance(by: .milliseconds(1))
            let refused = try await answer.value
            #expect(refused.status == 409 && refused.body.contains("\"code\":\"notConnected\""))
            #expect(scene.service.count("send") == 0)
            opening.open()
        }
    }

    @Test func aSessionThatCannotConnectEndsTheWait() async throws {
        try await Scene.run { scene in
            let opening = Gate()
            scene.service.script("connect", .hold(opening, then: .fail(.serverError)))
            await scene.connect()
            let answer = await scene.send()
            opening.open()
            let refused = try await answer.value
            #expect(refused.status == 409 && refused.body.contains("\"code\":\"notConnected\""))
        }
    }
}
