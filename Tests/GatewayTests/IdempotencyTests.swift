import ChatModel
import GatewaySupport
import HTTPRouting
import Testing

@testable import Gateway

@Suite struct IdempotencyTests {
    private func request(
        _ gateway: TestGateway, _ path: String, key: String, body: String? = nil, token: String = TestGateway.token
    ) -> Request {
        Request(
            method: "POST", path: path.replacing("$S", with: gateway.session),
            headers: [
                ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"), ("Idempotency-Key", key),
            ], body: body)
    }

    @Test(arguments: Driver.allCases)
    func aRepetitionGetsTheFirstAnswer(driver: Driver) async throws {
        try await TestGateway.run { gateway in
            let path = "/v1/sessions/$S/threads/t1/messages"
            let answers = try await driver.answers(
                to: [
                    request(gateway, path, key: "k1", body: "{\"text\":\"x\"}"),
                    request(gateway, path, key: "\"k1\"", body: "{\"text\":\"x\"}"),
                    request(gateway, path, key: "k1", body: "{\"text\":\"y\"}"),
                    request(gateway, path, key: "k1", body: "{\"text\":\"x\"}", token: gateway.sessionToken),
                    request(gateway, "/v1/sessions/$S/threads", key: "k1", body: "{}"),
                    request(gateway, path, key: "\"\"", body: "{\"text\":\"x\"}"),
                    request(gateway, path, key: "k2", body: "{}"),
                    request(gateway, path, key: "k2", body: "{\"text\":\"x\"}"),
                ], at: gateway)
            #expect(answers.map(\.status) == [201, 201, 422, 201, 201, 400, 422, 201])
            #expect(answers[1].body == answers[0].body)
            #expect(answers[1]["Location"] == answers[0]["Location"])
            #expect(answers[1]["Idempotency-Replayed"] == "true" && answers[0]["Idempotency-Replayed"] == nil)
            #expect(answers[2].body.contains("idempotencyKeyReused"))
            #expect(answers[3].body != answers[0].body, "another token is another scope")
            #expect(answers[5].body.contains("invalidIdempotencyKey"))
            #expect(answers[7]["Idempotency-Replayed"] == nil, "a refused request leaves no receipt")
        }
    }

    @Test(
        arguments: [
            ("/v1/sessions", "{\"channel\":\"multi\"}", 201), ("/v1/sessions/$S/connect", nil, 200),
            ("/v1/sessions/$S/clearCache", nil, 204),
            ("/v1/desk/threads/t1/messages", "{\"text\":\"a\"}", 201),
        ] as [(String, String?, Int)])
    func everyWritingRoute(path: String, body: String?, status: Int) async throws {
        try await TestGateway.run { gateway in
            let one = request(gateway, path, key: "k", body: body)
            let answers = try await Driver.process.answers(to: [one, one], at: gateway)
            #expect(answers.map(\.status) == [status, status])
            #expect(answers[0].body == answers[1].body)
            #expect(answers[1]["Idempotency-Replayed"] == "true")
        }
    }

    @Test func aKeyOfTheDeskIsOfOneCustomersThread() async throws {
        try await TestGateway.run { gateway in
            let other = try await gateway.sessions.create(
                service: "local", channel: "multi", customer: .init(id: "c2"), connect: true, receipt: nil)
            let made = request(gateway, "/v1/sessions/\(other.id)/threads", key: "t", body: "{\"id\":\"t1\"}")
            let first = request(
                gateway, "/v1/sessions/\(other.id)/threads/t1/messages", key: "m", body: "{\"text\":\"x\"}")
            let sent = ["c1", "c2"].map {
                request(
                    gateway, "/v1/desk/threads/t1/messages?channel=multi&customer=\($0)", key: "k",
                    body: "{\"text\":\"x\"}")
            }
            let answers = try await Driver.process.answers(to: [made, first] + sent, at: gateway)
            #expect(answers.map(\.status) == [201, 201, 201, 201])
            #expect(answers[2].body != answers[3].body && answers[3]["Idempotency-Replayed"] == nil)
        }
    }

    @Test func aKeyInFlightIsAConflict() async throws {
        try await TestGateway.run { gateway in
            let one = request(gateway, "/v1/sessions/$S/threads/t1/read", key: "k")
            // As if the first request were still running.
            let made = try await Driver.process.answers(to: [], at: gateway)
            #expect(made.isEmpty)
            let key = try IdempotencyKey("k")
            let receipt = key.request(.init(method: "POST", target: one.path), by: .gateway)
            #expect(gateway.application.core.keysInFlight.begin(receipt.scope))
            #expect(try await Driver.process.answers(to: [one], at: gateway)[0].body.contains("idempotencyKeyInFlight"))
            gateway.application.core.keysInFlight.end(receipt.scope)
            #expect(try await Driver.process.answers(to: [one], at: gateway)[0].status == 204)
        }
    }
}
