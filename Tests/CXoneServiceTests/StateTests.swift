import Chat
import ChatModel
import ChatStore
import CXoneService
import CXoneWire
import Formats
import HTTPClientPort
import TestSupport
import Synchronization
import Testing

/// The table of states, row by row: from where, by what, to where, and what the session's streams are told.
@Suite struct StateTests {
    /// What all streams are told, from when this is made.
    private final class Told: Sendable {
        private let recorder: EventRecorder
        private let heard = Mutex<[String]>([])

        init(_ cxone: Fixture) { recorder = EventRecorder(cxone.store.feed) }

        /// The same, once there are so many: they are told a moment after the state has changed.
        func take(_ count: Int) async -> [String] {
            _ = await eventually {
                let new = self.take()
                return self.heard.withLock { heard in
                    heard += new
                    return heard.count >= count
                }
            }
            return heard.withLock { heard in
                defer { heard = [] }
                return heard
            }
        }

        /// The states of `chat.updated` since the last call, and the codes of errors.
        func take() -> [String] {
            recorder.take().compactMap { event in
                switch event.type {
                case .chatUpdated: try? JSONParser.parse(event.data)["state"]?.string
                case .error: (try? JSONParser.parse(event.data)["code"]?.string).map { "error \($0)" }
                default: nil
                }
            }
        }
    }

    private func withSession(
        _ mode: ChatMode = .multithread, connect: Bool = true, _ body: (Fixture, ChatClient, Told) async throws -> Void
    ) async throws {
        try await withCXone(mode) { cxone in
            let client = try await cxone.session(connect: connect)
            #expect(client.state == (connect ? .ready : .prepared))
            try await body(cxone, client, Told(cxone))
        }
    }

    @Test(
        "2.1 initial, prepared, offline by prepare: preparing, untold; by success: prepared",
        arguments: [
            ChatState.initial, .prepared, .offline,
        ])
    func prepare(_ from: ChatState) async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.state.withLock { $0.isOnline = from != .offline }
            let client = try await cxone.session(connect: from == .offline)
            if from == .initial {
                cxone.platform.http("/channel/") { _ in HTTPAnswer(status: 500, body: Array("no".utf8)) }
                #expect(await refusal { try await client.prepare() } == .channelConfigFailure)
                try await client.disconnect()
                cxone.platform.state.withLock { $0.http = [:] }
            }
            #expect(client.state == from)
            let told = Told(cxone), during = Journal<ChatState>()
            cxone.platform.http("/web-analytics/") { _ in
                during.add(client.state)
                return HTTPAnswer(status: 200)
            }
            try await client.prepare()
            // An attempt that has failed before may tell of the visitor, too.
            #expect(during.entries.contains(.preparing))
            #expect(client.state == .prepared)
            #expect(await told.take(1) == ["prepared"])
        }
    }

    @Test("2.1 preparing by an error: told, and tried again here")
    func prepareFails() async throws {
        try await withSession(connect: false) { cxone, client, told in
            cxone.platform.http("/channel/") { _ in HTTPAnswer(status: 200, body: Array("{}".utf8)) }
            #expect(await refusal { try await client.prepare() } == .channelConfigFailure)
            #expect(client.state == .preparing)
            #expect(await told.take(1) == ["preparing"])
        }
    }

    @Test("2.1 preparing by disconnect: initial, untold")
    func prepareIsLeft() async throws {
        try await withSession(connect: false) { cxone, client, told in
            cxone.platform.http("/channel/") { _ in nil }
            async let prepared: ChatError.Code? = refusal { try await client.prepare() }
            // Until the next try; the whole call has another limit.
            #expect(await eventually { cxone.clock.nextWaking == .seconds(1) })
            #expect(client.state == .preparing)
            try await client.disconnect()
            #expect(client.state == .initial)
            cxone.platform.state.withLock { $0.http = [:] }
            cxone.clock.advance(by: .seconds(1))
            #expect(await prepared == .notConnected)
            #expect(client.state == .initial)
            #expect(told.take() == [])
        }
    }

    @Test("2.1 prepared by connect, a live chat that is not online: offline; by disconnect: prepared")
    func offline() async throws {
        try await withSession(.liveChat, connect: false) { cxone, client, told in
            cxone.platform.state.withLock { $0.isOnline = false }
            try await client.connect()
            #expect(client.state == .offline)
            #expect(await told.take(1) == ["offline"])
            try await client.disconnect()
            #expect(client.state == .prepared)
            #expect(await told.take(1) == ["prepared"])
        }
    }

    @Test(
        "2.1 prepared by connect: connecting; by the socket: connected; by data: ready",
        arguments: [
            ChatMode.singlethread, .multithread, .liveChat,
        ])
    func connect(_ mode: ChatMode) async throws {
        try await withSession(mode, connect: false) { cxone, client, told in
            cxone.platform.add("hello", to: "t1")
            try await client.connect()
            #expect(client.state == .ready)
            #expect(await told.take(3) == ["connecting", "connected", "ready"])
        }
    }

    @Test("2.1 connected by a thread that was made, or a survey that waits: ready", arguments: [false, true])
    func connectWithoutThread(_ hasSurvey: Bool) async throws {
        try await withCXone(.singlethread) { cxone in
            if hasSurvey { cxone.platform.configure { $0.survey = .tell } }
            let client = try await cxone.session(connect: false), told = Told(cxone)
            try await client.connect()
            #expect(await told.take(4) == ["connecting", "connected", "error recoveringThreadFailed", "ready"])
            #expect(try cxone.threads(of: client).count == (hasSurvey ? 0 : 1))
        }
    }

    @Test("2.1 connecting by an expired login: prepared, and transactionTokenExpired is thrown")
    func loginExpires() async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            cxone.platform.configure { $0.isAuthorizationEnabled = true }
            let client = try await cxone.session(authorization: Authorization(code: "AbC", codeVerifier: "xyz"))
            cxone.environment.advance(milliseconds: 3_600_000)
            try await client.disconnect()
            let told = Told(cxone)
            #expect(await refusal { try await client.connect() } == .transactionTokenExpired)
            #expect(client.state == .prepared)
            #expect(await told.take(3) == ["connecting", "prepared", "error transactionTokenExpired"])
        }
    }

    @Test("2.1 connecting by another failure: it is thrown, and tried again here", arguments: ["token", "socket"])
    func connectFails(_ what: String) async throws {
        try await withCXone(.multithread, isSecured: true) { cxone in
            let client = try await cxone.session(connect: false), told = Told(cxone)
            if what == "token" {
                cxone.platform.http("/oauth/token") { _ in HTTPAnswer(status: 503) }
                #expect(await refusal { try await client.connect() } == .transactionTokenRequestFailed)
            } else {
                cxone.platform.state.withLock { $0.refusals = 1 }
                #expect(await refusal { try await client.connect() } == .serverError)
            }
            #expect(client.state == .connecting)
            #expect(await told.take(2) == ["connecting", "connecting"])
        }
    }

    @Test(
        "2.1 connected by authorise, recover or list that fails: thrown, and tried again here",
        arguments: [
            ("AuthorizeCustomer", ChatMode.multithread), ("FetchThreadList", .multithread),
            ("LoadThreadMetadata", .multithread),
            ("RecoverThread", .singlethread), ("RecoverLivechat", .liveChat),
        ])
    func flowFails(_ type: String, _ mode: ChatMode) async throws {
        try await withSession(mode, connect: false) { cxone, client, told in
            cxone.platform.add("hello", to: "t1")
            cxone.platform.fail(type, "SomethingNew")
            #expect(await refusal { try await client.connect() } == .serverError)
            #expect(client.state == .connecting)
            // Authorising belongs to opening here: nothing is connected before.
            let expected =
                type == "AuthorizeCustomer" ? ["connecting", "connecting"] : ["connecting", "connected", "connecting"]
            #expect(await told.take(expected.count) == expected)
            #expect(await eventually { cxone.platform.state.withLock { $0.sockets.isEmpty } })
        }
    }

    @Test("2.1 ready by endContact in live chat: closed; by create: ready")
    func liveChatEnds() async throws {
        try await withSession(.liveChat) { cxone, client, told in
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.contactID != nil)
            #expect(told.take() == [])
            _ = try await client.endContact(thread, receipt: nil)
            #expect(client.state == .closed)
            #expect(await told.take(1) == ["closed"])
            _ = try await client.createThread(ThreadDraft(), receipt: nil)
            #expect(client.state == .ready)
            #expect(await told.take(1) == ["ready"])
        }
    }

    @Test(
        "2.1 connecting to closed by disconnect: prepared",
        arguments: [ChatState.connecting, .connected, .ready, .closed])
    func disconnect(_ from: ChatState) async throws {
        try await withSession(.liveChat) { cxone, client, told in
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            switch from {
            case .connecting: cxone.platform.lose()
            case .connected:
                try await client.disconnect()
                cxone.platform.script("RecoverLivechat") { _ in [] }
                Task { try? await client.connect() }
            case .closed:
                try await cxone.platform.heard()
                #expect(try cxone.thread(thread, of: client)?.contactID != nil)
                _ = try await client.endContact(thread, receipt: nil)
            default: break
            }
            // Ready it is from the beginning; the others are told a moment after they have come.
            if from != .ready { #expect(await eventually { told.take().last == from.rawValue }) }
            #expect(client.state == from)
            try await client.disconnect()
            #expect(client.state == .prepared)
            #expect(await told.take(1) == ["prepared"])
        }
    }

    @Test("2.1 connected to closed by a lost socket: connecting, and again ready after the delay")
    func lost() async throws {
        try await withSession { cxone, client, told in
            cxone.platform.lose()
            #expect(await eventually { cxone.isTriedAgain })
            #expect(client.state == .connecting && cxone.platform.urls.count == 1)
            await cxone.tryAgain(client)
            #expect(await told.take(3) == ["connecting", "connected", "ready"])
        }
    }

    @Test("2.1 connecting by attempts that are exhausted: never here; each failure is told")
    func exhausted() async throws {
        try await withSession { cxone, client, told in
            cxone.platform.state.withLock { $0.refusals = 30 }
            cxone.platform.lose()
            for refusals in (0..<30).reversed() {
                #expect(await eventually { client.state == .connecting && cxone.clock.sleeperCount == 1 })
                #expect(cxone.platform.state.withLock { $0.refusals } == refusals + 1)
                cxone.clock.advance(by: .seconds(60))
            }
            #expect(await eventually { client.state == .connecting && cxone.clock.sleeperCount == 1 })
            #expect(await told.take(31) == Array(repeating: "connecting", count: 31))
        }
    }

    @Test(
        "2.1: an operation on a thread without a connection is refused, and changes no state",
        arguments: [
            ChatState.prepared, .initial,
        ])
    func notConnected(_ state: ChatState) async throws {
        try await withSession { cxone, client, told in
            try await client.disconnect()
            if state == .initial {
                cxone.platform.http("/channel/") { _ in HTTPAnswer(status: 500, body: Array("no".utf8)) }
                _ = await refusal { try await client.prepare() }
                try await client.disconnect()
            }
            _ = told.take()
            #expect(await refusal { try await client.createThread(ThreadDraft(), receipt: nil) } == .notConnected)
            #expect(
                await refusal { try await client.ask { try await $0.setCustomerCustomFields(["a": "b"]) } }
                    == .notConnected)
            #expect(client.state == state)
            #expect(told.take() == [])
        }
    }
}
