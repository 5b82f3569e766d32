import Chat
import ChatModel
import ChatStore
import GatewaySupport
import HTTPRouting
import Logging
import OutboundSupport
import Pages
import TestSupport
import WireSupport

@testable import Gateway

/// A gateway whose sessions are on the platform that another one plays: the far one has the desk, the near one the
/// sessions.
struct WireGateway: Sendable {
    let world: WireWorld
    let near: TestGateway
    let far: TestGateway
    /// The embedded channel of ``TestGateway/session``.
    let channel: String

    static func run(on channel: String = "multi", _ body: (WireGateway) async throws -> Void) async throws {
        try await WireWorld.run(overSockets: true) { world in
            let near = try await TestGateway(near: world, channel)
            await world.settle()
            try await body(
                WireGateway(world: world, near: near, far: try await TestGateway(far: world, channel), channel: channel)
            )
        }
    }

    /// Makes a scenario's requests, each at the gateway that it is for. Returns the answers, and where the last one is
    /// from.
    func answers(to scenario: Scenario) async throws -> (answers: [Answer], gateway: TestGateway, live: String?) {
        var answers: [Answer] = [], last = near
        // Whoever connects finds the channel as the desk has made it before.
        let isChanged = scenario.before.contains { $0.path.hasPrefix("PATCH /v1/desk/channels") }
        var live = try await scenario.usesLiveChat && !isChanged ? world.session(on: "live").id : nil
        for index in 0...scenario.before.count {
            let path = index < scenario.before.count ? scenario.before[index].path : scenario.path
            if path.contains("$L"), live == nil { live = try await world.session(on: "live").id }
            let isFar = path.contains("/v1/desk")
            last = isFar ? far : near
            let request = scenario.requests(at: last, live: live)[index]
            answers += try await Driver.process.answers(to: [isFar ? request : try await onPlatform(request)], at: last)
            if request.method != "GET", answers.last.map({ $0.status < 300 }) == true { await world.settle() }
        }
        return (answers, last, live)
    }

    /// What either side has otherwise than the other one, also when there was time.
    func differences() async throws -> [String] {
        var found = try world.differences(of: near.client, on: channel)
        for _ in 0..<20 where !found.isEmpty {
            await world.settle()
            found = try world.differences(of: near.client, on: channel)
        }
        return found
    }

    /// A request with the platform's channels instead of the embedded ones.
    private func onPlatform(_ request: Request) async throws -> Request {
        var request = request
        if request.body?.contains("\"service\"") == true { return request }
        for channel in ["multi", "single", "live"] {
            let key = try await world.service.channel(at: try world.wire.address(of: channel))
            request.body = request.body?.replacing(
                "\"channel\":\"\(channel)\"", with: "\"service\":\"cxone\",\"channel\":\"\(key)\"")
            request.path = request.path.replacing(
                "/services/local/channels/\(channel)", with: "/services/cxone/channels/\(key)")
        }
        return request
    }
}

extension TestGateway {
    /// The gateway whose sessions are on the platform: as every ``TestGateway`` it has a thread `t1`, and in it a
    /// message `m1`.
    init(near world: WireWorld, _ channel: String) async throws {
        let recorder = EventRecorder(world.store.feed)
        if channel == "single" { try await world.desk.setSurvey(true) }
        let client = try await world.session(on: channel)
        _ = try await client.createThread(ThreadDraft(id: "t1", name: channel == "multi" ? "First" : nil), receipt: nil)
        if channel == "single" { try await world.desk.setSurvey(false) }
        let created = world.store.feed.head
        _ = try await client.send(MessageDraft(id: "m1", text: "hello"), to: "t1", receipt: nil)
        await world.settle()
        try self.init(world, world.store, world.sessions, [], client, recorder, created)
        await sessions.finishLoading()
    }

    /// The gateway that plays the platform; its session is prepared only.
    init(far world: WireWorld, _ channel: String) async throws {
        let client = try await world.farSessions.create(
            service: "local", channel: channel, customer: CustomerDraft(id: "c1"), connect: false, receipt: nil)
        try self.init(world, world.farStore, world.farSessions, [DeskRoutes(desk: world.desk)], client, nil, 0)
        await sessions.finishLoading()
    }

    private init(
        _ world: WireWorld, _ store: ChatStore, _ sessions: Sessions, _ groups: [any RouteGroup<GatewayCore>],
        _ client: ChatClient,
        _ recorder: EventRecorder?, _ created: Int64
    ) throws {
        var quiet = Logger(label: "test")
        quiet.logLevel = .critical
        var even = world.environment.environment
        even.random = { 0.5 }
        var configuration = GatewayConfiguration(version: "1.2.3")
        configuration.rules.allowedHosts = ["chat.example"]
        let outbound = try OutboundGroups(store: store, clock: world.clock, notifications: sessions.notifications)
        let documents = try Documents(pages: nil, guide: nil, document: nil)
        let application = GatewayApplication(
            configuration: configuration, sessions: sessions, store: store,
            groups: groups + outbound.groups + documents.groups(beside: []),
            secrets: TokenSecrets(gatewayToken: Self.token, key: Array(repeating: 7, count: 32)), logger: quiet,
            environment: even, clock: world.clock)
        func offset(of type: EventType) -> Int64 { recorder?.events.last { $0.type == type }?.offset ?? 0 }
        let offsets = Offsets(
            created: created, announced: offset(of: .threadCreated), sent: offset(of: .messageCreated),
            head: store.feed.head)
        self.init(
            environment: world.environment, clock: world.clock, store: store, sessions: sessions,
            application: application, outbound: outbound, documents: documents, client: client, offsets: offsets)
    }
}
