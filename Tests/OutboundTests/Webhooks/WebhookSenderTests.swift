import ChatModel
import Formats
import HTTPClientPort
import Synchronization
import TestSupport
import Testing

@testable import ChatStore
@testable import Outbound

@Suite(.timeLimit(.minutes(5))) struct WebhookSenderTests {
    private final class ScriptedPort: HTTPPort {
        private let state: Mutex<(calls: [HTTPCall], answer: Result<HTTPAnswer, any Error>)>

        init(_ answer: Result<HTTPAnswer, any Error> = .success(HTTPAnswer(status: 200))) {
            state = Mutex(([], answer))
        }

        var calls: [HTTPCall] { state.withLock { $0.calls } }

        func send(_ request: HTTPCall, limit: Int) async throws -> HTTPAnswer {
            try state.withLock { state in
                state.calls.append(request)
                return try state.answer.get()
            }
        }
    }

    private static let key = (0..<32).map { UInt8($0) }

    /// Runs with the first message of a thread and a webhook of the desk.
    private func run(
        _ settings: WebhookSettings, _ port: ScriptedPort, session: String? = nil,
        _ body: (WebhookSender, TargetRecord, DeliveryContent) async throws -> Void
    ) async throws {
        try await DeliveryWorld.run(starts: false) { world in
            let offset = try await world.send("m1")
            let target = try await world.store.write { transaction in
                try transaction.insert(
                    TargetDraft(
                        id: "hook", kind: .webhook, audience: .desk, session: session, settings: settings.canonicalJSON)
                )
            }.target
            let epoch = world.store.feed.epoch
            let found = try await world.store.read { try $0.deliveryEvents(at: [offset], epoch: epoch) }
            let sender = WebhookSender(
                port: port, folderKey: Self.key, environment: world.environment.environment, epoch: epoch)
            try await body(sender, target, .event(try #require(found[offset])))
        }
    }

    @Test func theRequestIsThatOfStandardWebhooks() async throws {
        let port = ScriptedPort()
        let settings = WebhookSettings(
            url: "http://127.0.0.1:9/hook", headers: [WebhookHeader(name: "Authorization", value: "Bearer x")],
            timeoutSeconds: 7)
        try await run(settings, port) { sender, target, content in
            let report = await sender.route(to: target).attempt(content)
            #expect(report.outcome == .delivered && report.status == 200 && report.head == nil)
            let call = try #require(port.calls.first)
            #expect(call.method == "POST" && call.url == settings.url && call.timeout == .seconds(7))
            let headers = Dictionary(call.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
            guard case .event(let found) = content, let body = call.body else { throw ModelError(member: "body") }
            let id = String(decoding: found.event.id, as: UTF8.self)
            #expect(headers["webhook-id"] == id && headers["content-type"] == "application/json")
            #expect(headers["authorization"] == "Bearer x")
            let secrets = [WebhookSecret(folderKey: Self.key, webhook: "hook", generation: 1)]
            let expected = WebhookSignature.headers(id: id, time: TestEnvironment.start, body: body, secrets: secrets)
            #expect(headers["webhook-signature"] == expected.last?.value)
            let json = try JSONParser.parse(body)
            #expect(json["type"]?.string == "message.created")
            #expect(json["timestamp"]?.string == TestEnvironment.start.rfc3339)
            // Byte for byte what streams of the desk carry.
            let data = found.event.data(for: .desk)
            #expect(body.firstRange(of: Array("\"data\":".utf8) + data + Array("}".utf8)) != nil)
        }
    }

    @Test func aTestAndAResetHaveIdsOfTheirOwn() async throws {
        let port = ScriptedPort()
        try await run(WebhookSettings(url: "http://h/"), port, session: "s1") { sender, target, content in
            guard case .event(let found) = content else { return }
            let epoch = String(decoding: found.event.id, as: UTF8.self).prefix { $0 != "-" }
            _ = await sender.route(to: target).attempt(.test(id: "test-1"))
            _ = await sender.route(to: target).attempt(.gap(LogGap(from: 3, to: 9)))
            let ids = port.calls.map { call in call.headers.first { $0.name == "webhook-id" }?.value ?? "" }
            #expect(ids[0] == "test-1" && ids[1] == "reset-\(epoch)-9")
            let data = try JSONParser.parse(port.calls[1].body ?? [])["data"]
            #expect(data?["from"]?.string == "\(epoch)-3" && data?["to"]?.string == "\(epoch)-9")
            #expect(data?["snapshot"]?.string == "/v1/sessions/s1/threads")
        }
    }

    @Test func theAnswersHeadersAreRead() async throws {
        let headers = ["retry-after": "120", "webhook-delivery": "abort-message"]
        let port = ScriptedPort(
            .success(HTTPAnswer(status: 500, headers: headers, body: Array(repeating: 7, count: 5000))))
        try await run(WebhookSettings(url: "http://h/"), port) { sender, target, content in
            let report = await sender.route(to: target).attempt(content)
            #expect(report.outcome == .eventRefused && report.retryAfter == .seconds(120))
            #expect(report.head?.count == 1024)
        }
    }

    @Test(arguments: [
        (HTTPCallError.timeout as any Error & Sendable, "timeout"), (HTTPCallError.unknownHost, "unknownHost"),
        (AddressRefusal("secret.example"), "addressRefused"), (CancellationError(), "notConnected"),
    ])
    func whyNothingCameIsOneWord(error: any Error & Sendable, word: String) async throws {
        try await run(WebhookSettings(url: "http://h/"), ScriptedPort(.failure(error))) { sender, target, content in
            let report = await sender.route(to: target).attempt(content)
            #expect(report.outcome == .targetFailed && report.error == word && report.status == nil)
        }
    }

    @Test func whatIsChosenIsTaken() async throws {
        let settings = WebhookSettings(
            url: "http://h/", types: [.messageCreated], directions: [.toClient], channels: ["multi"])
        try await run(settings, ScriptedPort()) { sender, target, content in
            guard case .event(let found) = content else { return }
            #expect(!sender.route(to: target).wants(found.event), "the message goes to the agent")
        }
        let both = WebhookSettings(
            url: "http://h/", types: [.messageCreated], directions: [.toAgent], channels: ["multi"])
        try await run(both, ScriptedPort()) { sender, target, content in
            guard case .event(let found) = content else { return }
            #expect(sender.route(to: target).wants(found.event))
            #expect(sender.route(to: target).concurrency == 8)
        }
    }

    @Test func theJudgeRefusesByTheRules() throws {
        let judge = AddressRules().judge(.operator)
        let loopback = try #require(NetworkAddress("127.0.0.1")),
            metadata = try #require(NetworkAddress("169.254.169.254"))
        func target(_ addresses: [NetworkAddress], host: String = "h") -> ConnectionTarget {
            ConnectionTarget(scheme: "http", host: host, port: 80, addresses: addresses)
        }
        #expect(try judge(target([loopback])) == [loopback])
        #expect(throws: AddressRefusal.self) { try judge(target([loopback, metadata])) }
        #expect(throws: AddressRefusal.self) { try AddressRules().judge(.session)(target([loopback])) }
        let mapped = try #require(NetworkAddress("::ffff:169.254.169.254"))
        #expect(throws: AddressRefusal.self) { try judge(target([mapped], host: "::ffff:169.254.169.254")) }
    }
}
