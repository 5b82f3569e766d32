import Bounds
@testable import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import LocalService
import SendbirdSandbox
import SendbirdService
import TestSupport
import Testing

/// Two gateways' chat parts in one process: the far one's sandbox is the platform of the near one's sessions. Time is
/// one, and moves when the test says so.
struct TwoGateways {
    let environment: TestEnvironment
    let clock: ManualClock
    let farStore: ChatStore
    let local: LocalService
    let store: ChatStore
    let sessions: Sessions
    let port: SandboxPort
    let token: String
    let application: String
    let configuration: SendbirdConfiguration
    let service: SendbirdService
    let notices: Watched<[String]>
    /// Counts what the near gateway holds for its clients.
    let memory: ByteCounter
    /// The stores of all near gateways.
    let nearStores: Watched<[ChatStore]>

    var desk: LocalDesk { local.desk }
    static let hookSecret = "0123456789abcdef0123456789abcdef"
    static let agent = Agent(id: "4021", name: "Marta Novak")

    /// - Parameters:
    ///   - platformAhead: by how many milliseconds the platform's clock is ahead.
    ///   - agents: of both channels. Whoever makes a channel has to make these users before.
    static func run(
        gets: Int = 1000, writes: Int = 1000, platformAhead: Int64 = 0, agents: [String] = [],
        _ body: (TwoGateways) async throws -> Void
    ) async throws {
        let environment = TestEnvironment()
        var platform = environment.environment
        platform.now = { environment.now.advanced(byMilliseconds: platformAhead) }
        try await withFolder { [platform] folder in
            let far = try openStore(folder: folder, environment: platform)
            try await withStore(environment: environment) { near in
                let clock = ManualClock()
                let local = try await LocalService(store: far, clock: clock)
                let channel = try #require(try await SendbirdSandbox.channel(of: local))
                let sandbox = SendbirdSandbox(
                    store: far, service: local, channel: channel, token: String(repeating: "7", count: 40),
                    targets: CallbackTargets(), clock: clock)
                let port = SandboxPort(to: sandbox, environment, clock)
                let configuration = try SendbirdConfiguration(
                    json: Array(
                        """
                        {"applications":[{"id":"\(sandbox.applicationID)","url":"http://127.0.0.1:1",
                          "apiToken":"\(sandbox.token)","masterToken":"\(sandbox.token)",
                          "webhookSecret":"\(Self.hookSecret)","getLimit":\(gets),"writeLimit":\(writes),
                          "channels":[{"id":"support","name":"Support","agents":\(agents)},
                            {"id":"single","mode":"singlethread","customType":"one","agents":\(agents)}]}]}
                        """.utf8))
                let world = TwoGateways(
                    environment: environment, clock: clock, farStore: far, local: local, store: near, port: port,
                    gateway: 1, token: sandbox.token, application: sandbox.applicationID, configuration,
                    nearStores: Watched([near]))
                try await world.use(body)
                for call in port.calls {
                    #expect(call.token == sandbox.token && !call.url.contains(sandbox.token))
                    // Whether it goes with `hidden_mode` is not known.
                    #expect(!call.url.contains("channel_urls"))
                }
            }
            await far.close()
        }
    }

    private init(
        environment: TestEnvironment, clock: ManualClock, farStore: ChatStore, local: LocalService, store: ChatStore,
        port: SandboxPort, gateway: Int, token: String, application: String, _ configuration: SendbirdConfiguration,
        nearStores: Watched<[ChatStore]>
    ) {
        (self.environment, self.clock, self.farStore, self.local) = (environment, clock, farStore, local)
        (self.store, self.port, self.token, self.application) = (store, port, token, application)
        (self.configuration, self.nearStores) = (configuration, nearStores)
        (notices, memory) = (Watched([]), ByteCounter(limit: 1 << 20))
        let face = GatewayPort(port: port, gateway: gateway)
        service = SendbirdService(
            configuration, store: store, clock: clock, http: face, foreignHTTP: face, memory: memory
        ) { [notices] line in
            notices.change { $0.append(line) }
        }
        sessions = Sessions(store: store, services: [service], clock: clock, pace: .zero)
    }

    /// One more near gateway on the same application: time, network and platform are the same.
    func withAnother(_ body: (TwoGateways) async throws -> Void) async throws {
        try await withStore(environment: environment) { store in
            nearStores.change { $0.append(store) }
            defer { nearStores.change { _ = $0.removeLast() } }
            let other = TwoGateways(
                environment: environment, clock: clock, farStore: farStore, local: local, store: store, port: port,
                gateway: 2, token: token, application: application, configuration, nearStores: nearStores)
            try await other.use(body)
        }
    }

    private func use(_ body: (TwoGateways) async throws -> Void) async throws {
        do {
            try await body(self)
            await end()
        } catch {
            await end()
            throw error
        }
    }

    private func end() async {
        for client in sessions.all { try? await client.disconnect() }
    }

    func session(
        _ customer: String = "ada", on channel: String = "support", connect: Bool = true
    ) async throws -> ChatClient {
        try await sessions.create(
            service: SendbirdService.serviceID, channel: channel, customer: CustomerDraft(id: customer),
            connect: connect, receipt: nil)
    }

    /// A session of `ada`, which has a thread with her and `bob`. Nobody has it in view.
    func sessionWithThread(_ id: String) async throws -> ChatClient {
        let client = try await session()
        _ = try await desk.createThread(
            DeskThreadDraft(id: id, channel: "multi", members: [MemberDraft(id: "ada"), MemberDraft(id: "bob")]),
            as: nil, receipt: nil)
        let account = client.account
        #expect(try await passes { try await store.read { try $0.hasThread(id, of: account) } })
        return client
    }

    /// A program of the platform's customer makes a call.
    func asks(_ method: String, _ path: String, _ body: String? = nil) async throws {
        let answer = try await port.send(
            HTTPCall(
                method, "http://127.0.0.1:1/v3" + path, headers: [HTTPCall.Header("Api-Token", token)],
                body: body.map { Array($0.utf8) }), limit: 100_000)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    /// The platform has the user, now or already.
    func has(user: String) async throws {
        let answer = try await port.send(
            HTTPCall(
                "POST", "http://127.0.0.1:1/v3/users", headers: [HTTPCall.Header("Api-Token", token)],
                body: Array(#"{"user_id":"\#(user)","nickname":"","profile_url":""}"#.utf8)), limit: 100_000)
        #expect([200, 400].contains(answer.status))
    }

    /// Time passes, for clocks and timestamps.
    func pass(_ duration: Duration) {
        environment.advance(milliseconds: Int64(duration / .milliseconds(1)))
        clock.advance(by: duration)
    }

    /// Time passes in steps until a condition holds; false if it does not within two minutes of this time.
    func passes(until holds: @Sendable () async throws -> Bool) async rethrows -> Bool {
        for _ in 0..<120 {
            if try await settled(holds) { return true }
            await passSecond()
        }
        return try await settled(holds)
    }

    /// So many seconds pass, with all that happens in them.
    func elapse(_ seconds: Int) async {
        for _ in 0..<seconds {
            await passSecond()
            _ = await settled { false }
        }
    }

    private func passSecond() async {
        let before = clock.sleepCount
        pass(.seconds(1))
        // Whoever was woken has gone to sleep again, or is at work.
        for _ in 0..<200 where clock.sleepCount == before { await Task.yield() }
    }

    /// Lets all do what they have to do now; for two minutes at most.
    private func settled(_ holds: @Sendable () async throws -> Bool) async rethrows -> Bool {
        var (calm, last) = (0, -1)
        let deadline = ContinuousClock.now + .seconds(120)
        while calm < 3, ContinuousClock.now < deadline {
            // Time must not leap while a call is on its way.
            _ = await eventually { port.isQuiet }
            for store in nearStores.withLock({ $0 }) + [farStore] {
                try? await store.write { _ in }
                try? await store.read { _ in }
            }
            for _ in 0..<30 { await Task.yield() }
            let now = port.calls.count
            calm = now == last && port.isQuiet ? calm + 1 : 0
            last = now
            if try await holds() { return true }
        }
        return false
    }

    /// Time passes until the synchronization has nothing more to read for a client.
    func untilRead(_ client: ChatClient) async {
        for _ in 0..<600 where await client.cache?.synchronizer.isWorking == true { await elapse(1) }
        #expect(await client.cache?.synchronizer.isWorking != true)
    }

    // MARK: What both have

    func texts(of client: ChatClient, in thread: String) async throws -> [String] {
        try await messages(of: client, in: thread).map { $0.text ?? "" }
    }

    /// Oldest first.
    func messages(of client: ChatClient, in thread: String) async throws -> [Message] {
        let page = try await client.messages(
            of: thread, replies: .all, page: PageRequest(limit: 1000, cursor: nil))
        let items = try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array ?? []
        return try items.map { try Message(json: $0) }.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func thread(_ id: String, of client: ChatClient) async throws -> JSONValue {
        let account = client.account
        let json = try await store.read { try $0.thread(id, of: account)?.json(for: account) }
        return try JSONParser.parse(try #require(json))
    }

    /// The texts that the far gateway has, oldest first.
    func farTexts(in thread: String) async throws -> [String] {
        try await farMessages(in: thread).map { $0.text ?? "" }
    }

    func farMessages(in thread: String) async throws -> [Message] {
        try await farStore.read { transaction in
            let record = try transaction.deskThreads(thread, onService: "local", channel: nil, customer: nil).first
            guard let record else { return [] }
            return try transaction.messages(
                in: record, around: .latest, previous: 1000, next: 0, simultaneous: 0, replies: .all
            ).map(\.message)
        }
    }

    func deskSends(_ text: String, to thread: String, id: String? = nil, parent: String? = nil) async throws {
        environment.advance(milliseconds: 1)
        _ = try await desk.send(
            MessageDraft(id: id, text: text, parentID: parent), as: Self.agent, to: DeskThread(id: thread), receipt: nil
        )
    }
}
