import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Chat

/// One session on a simulated remote service, with a clock that the test moves.
struct RemoteScene: Sendable {
    let store: ChatStore
    let environment: TestEnvironment
    let clock: ManualClock
    let platform: SimulatedPlatform
    let service: SimulatedService
    let sessions: Sessions
    let client: ChatClient
    let recorder: EventRecorder
    let notices: Journal<SynchronizationNotice>
    /// What ``liveBeyondAHole(missed:)`` waits behind.
    let catchingUp = Gate()

    /// Runs a test on a platform with one thread `t`, and a session that is not connected yet.
    static func run(
        messages: Int = 0, keepsRequestIDs: Bool = false, policy: ResendPolicy = .manual, pace: Duration = .zero,
        options: StoreOptions = StoreOptions(), onBothEngines: Bool = false,
        isolation: isolated (any Actor)? = #isolation, _ body: (RemoteScene) async throws -> Void
    ) async throws {
        let environment = TestEnvironment()
        try await withStore(options: options, onBothEngines: onBothEngines, environment: environment) { store in
            let platform = SimulatedPlatform(environment: environment.environment, keepsRequestIDs: keepsRequestIDs)
            platform.makeThread("t")
            platform.fill("t", count: messages)
            let scene = try await make(store, environment, platform, ManualClock(), policy, pace)
            try await body(scene)
            try? await scene.sessions.delete(scene.client.id)
        }
    }

    private static func make(
        _ store: ChatStore, _ environment: TestEnvironment, _ platform: SimulatedPlatform, _ clock: ManualClock,
        _ policy: ResendPolicy, _ pace: Duration, isolation: isolated (any Actor)? = #isolation
    ) async throws -> RemoteScene {
        let service = SimulatedService(platform: platform, store: store, clock: clock)
        let sessions = Sessions(store: store, services: [service], clock: clock, pace: pace)
        let client = try await sessions.create(
            service: "simulated", channel: "main", customer: CustomerDraft(id: "c1"), connect: false,
            resendPolicy: policy,
            receipt: nil)
        return RemoteScene(store, environment, clock, service, sessions, client)
    }

    private init(
        _ store: ChatStore, _ environment: TestEnvironment, _ clock: ManualClock, _ service: SimulatedService,
        _ sessions: Sessions,
        _ client: ChatClient
    ) {
        (self.store, self.environment, self.clock, self.service) = (store, environment, clock, service)
        (platform, self.sessions, self.client) = (service.platform, sessions, client)
        recorder = EventRecorder(store.feed)
        let notices = Journal<SynchronizationNotice>()
        _ = sessions.remote.notices.subscribe { notices.add($0) }
        self.notices = notices
    }

    /// The gateway is killed as it is, and another one opens its store; the session is not connected yet.
    func restarted() async throws -> RemoteScene {
        let clock = ManualClock()
        let service = SimulatedService(platform: platform, store: store, clock: clock)
        let sessions = Sessions(store: store, services: [service], clock: clock, pace: .zero)
        try await sessions.load()
        let client = try #require(await sessions.session(client.id))
        return RemoteScene(store, environment, clock, service, sessions, client)
    }

    var account: RemoteAccount { sessions.remote.account(client.account) }
    var history: any MessageHistory { client.messageHistory }

    // MARK: Connection

    /// Connects, and returns when the background has nothing more to do.
    func synchronize() async throws {
        if client.state != .ready { try await client.connect() }
        await accountKnows()
        await idle()
    }

    func synchronizeAfterRestart() async throws {
        try await client.connect()
        await accountKnows()
        await idle()
    }

    /// Reconnects after some messages, and gets a live one while nothing tells yet what was missed.
    func liveBeyondAHole(missed: Int) async throws {
        service.script("messages", .hold(catchingUp, then: .go))
        try await reconnect {
            for index in 0..<missed {
                environment.advance(milliseconds: 10)
                platform.write("missed \(index)", in: "t")
            }
        }
        #expect(await eventually { service.calls.entries.last == "messages" })
        environment.advance(milliseconds: 10)
        platform.write("live", in: "t")
        await service.settle()
    }

    /// The account learns of its connection in a task of its own.
    private func accountKnows() async {
        #expect(await eventually { client.state != .ready || account.source != nil })
    }

    func idle() async {
        // Whoever is to work was told in a task of its own.
        #expect(await eventually { await account.synchronizer.source?.id == account.source?.id })
        await account.synchronizer.idle()
    }

    /// Returns when nothing is sent again before time passes: the outbox has ended its work, or sleeps before the next
    /// attempt. What a pass of the background has begun there has begun once ``idle()`` returns.
    func outboxRests() async {
        let outbox = account.outbox
        let rests = await eventually {
            if await outbox.resender == nil { return true }
            return outbox.inFlight.isEmpty && clock.nextWaking.map { $0 <= .seconds(10) } == true
        }
        #expect(rests)
    }

    /// Loses the connection, and lets the session connect again.
    func reconnect(after away: () async throws -> Void = {}) async throws {
        let lost = account.source?.id
        service.loseConnections()
        #expect(await eventually { client.state == .connecting })
        try await away()
        // The attempt's own sleep. The outbox sleeps for 30 s before it asks again, and others for days.
        #expect(await eventually { clock.nextWaking.map { $0 <= .seconds(2) } == true })
        clock.advance(by: .seconds(31))
        #expect(await eventually { client.state == .ready })
        // The account learns of the loss, and of the new connection, in tasks of their own.
        #expect(await eventually { lost == nil || account.source.map { $0.id != lost } == true })
    }

    // MARK: What is there

    func thread(_ id: String = "t") throws -> ThreadRecord {
        guard let record = try store.readBlocking({ try $0.thread(id, of: client.account) }) else {
            throw ChatError.unknownThread(id)
        }
        return record
    }

    func chunks(_ id: String = "t") throws -> [Chunk] {
        let number = try thread(id).number
        return try store.readBlocking { try $0.chunks(of: number) }
    }

    /// Between which rows around a place the store has everything.
    func extent(around place: MessagePosition, of id: String = "t") throws -> HistoryExtent {
        ChunkedHistory(store: store, account: account).extent(try chunks(id), around: place)
    }

    /// Texts of the rows, oldest first.
    func texts(_ id: String = "t") throws -> [String] { try rows(id).map { $0.text ?? "" } }

    func rows(_ id: String = "t") throws -> [Message] {
        var rows: [Message] = []
        var cursor: String?
        repeat {
            let request = PageRequest(limit: 200, cursor: cursor)
            let page = try blocking { [client] in try await client.messages(of: id, replies: .all, page: request) }
            let json = try JSONParser.parse(page.body + [UInt8(ascii: "}")])
            rows += try (json["items"]?.array ?? []).map { try Message(json: $0) }
            cursor = page.next
        } while cursor != nil
        return rows.reversed()
    }

    func outgoing(_ id: String = "t") throws -> [OutgoingRecord] {
        try store.readBlocking { try $0.outgoingMessages(of: client.account, thread: id) }
    }

    func remoteTexts(_ id: String = "t") -> [String] { platform.room(id)?.messages.map { $0.message.text ?? "" } ?? [] }

    /// The account's events since the last call: `created text`, `updated text status (reason)`, `removed`.
    func news() throws -> [String] {
        let audience = Audience.account(client.account)
        return try recorder.take().filter { $0.audiences == [audience] }.compactMap { event in
            let json = try event.json(for: audience)
            let text = json[path: "message", "text"]?.string ?? ""
            let reason = json["reason"]?.string.map { " (\($0))" } ?? ""
            switch event.type {
            case .messageCreated: return "created \(text)\(Self.status(json))"
            case .messageUpdated: return "updated \(text)\(Self.status(json))\(reason)"
            case .messageRemoved: return "removed\(reason)"
            default: return nil
            }
        }
    }

    private static func status(_ json: JSONValue) -> String {
        let status = json[path: "message", "status"]?.string ?? ""
        return status == "pending" || status == "failed" ? " \(status)" : ""
    }

    func send(_ text: String, id: String? = nil, receipt: Receipt? = nil) async throws -> Outcome {
        try await client.send(MessageDraft(id: id, text: text), to: "t", receipt: receipt)
    }
}
