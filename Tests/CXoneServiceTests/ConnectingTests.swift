import Chat
import ChatModel
import CXoneService
import CXoneWire
import Formats
import HTTPClientPort
import TestSupport
import Testing

/// Rows of the states' table: from where, by what, to where.
@Suite struct ConnectingTests {
    @Test func preparingAsksForTheConfigurationAndTellsOfTheVisitor() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session(connect: false)
            #expect(client.state == .prepared)
            let visit = try #require(cxone.platform.calls("/web-analytics/").first)
            #expect(visit.method == "PUT")
            #expect(visit.url.hasPrefix("http://platform.test/web-analytics/1.0/tenants/4711/visitors/"))
            #expect(try WireVisitor(json: visit.body ?? []).customer?.id == "eva")
            #expect(cxone.platform.urls.isEmpty)
        }
    }

    @Test func aSessionBeginsWithAConfigurationOfTheLastMinute() async throws {
        try await withCXone(.multithread) { cxone in
            @Sendable func asked() -> Int { cxone.platform.calls("/channel/").count }
            _ = try await cxone.session()
            #expect(asked() == 1)
            // Just read.
            #expect(try await cxone.session().state == .ready)
            #expect(asked() == 1)
            // It is read again behind the session, which does not wait for the answer.
            cxone.environment.advance(milliseconds: 1_000)
            let mayAnswer = Gate()
            cxone.platform.hold("/channel/") { await mayAnswer.pass() }
            cxone.platform.configure { $0.settings.hasMultipleThreadsPerEndUser = false }
            #expect(try await cxone.session().channel.mode == .multithread)
            #expect(await eventually { asked() == 2 })
            mayAnswer.open()
            // The next one has the answer.
            #expect(try await eventually { try await cxone.session().channel.mode == .singlethread })
            let before = asked()
            cxone.environment.advance(milliseconds: 60_000)
            cxone.platform.configure { $0.settings.hasMultipleThreadsPerEndUser = true }
            #expect(try await cxone.session().channel.mode == .multithread)
            #expect(asked() == before + 1)
        }
    }

    @Test func aConfigurationThatCouldNotBeReadAgainIsNotUsed() async throws {
        try await withCXone(.multithread) { cxone in
            _ = try await cxone.session()
            cxone.environment.advance(milliseconds: 1_000)
            cxone.platform.http("/channel/") { _ in HTTPAnswer(status: 500) }
            #expect(try await cxone.session().state == .ready)
            #expect(
                await eventually { await refusal { try await cxone.session() } == .channelConfigFailure })
        }
    }

    /// A session that did not wait would tell that it is connected, whatever becomes of the visitor.
    @Test(arguments: [true, false])
    func theVisitorIsToldWhileTheSocketOpensAndBeforeTheSessionIsConnected(_ isTaken: Bool) async throws {
        try await withCXone(.multithread) { cxone in
            let mayAnswer = Gate(), told = EventRecorder(cxone.store.feed)
            cxone.platform.hold("/visitors/") { await mayAnswer.pass() }
            if !isTaken { cxone.platform.http("/visitors/") { _ in Self.oldVersion } }
            async let session = cxone.session()
            #expect(await eventually { cxone.platform.types.contains("AuthorizeCustomer") })
            mayAnswer.open()
            let client = try await session
            let states = try told.events.filter { $0.audiences == [.session(client.id)] && $0.type == .chatUpdated }
                .compactMap { try JSONParser.parse($0.data)["state"]?.string }
            #expect(states == ["prepared", "connecting"] + (isTaken ? ["connected", "ready"] : ["prepared"]))
            #expect(cxone.platform.types == ["AuthorizeCustomer"] + (isTaken ? ["FetchThreadList"] : []))
        }
    }

    private static let oldVersion = HTTPAnswer(
        status: 400, body: ServiceFailure(code: .sdkVersionNotSupported, message: "old").encoded())

    @Test func aVersionThatIsRefusedWhileTheSocketOpensIsFinal() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.http("/web-analytics/") { _ in Self.oldVersion }
            let client = try await cxone.session()
            #expect(client.state == .prepared)
            #expect(client.connectionError?.code == .sdkVersionNotSupported)
            #expect(await eventually { cxone.platform.state.withLock { $0.sockets.isEmpty } })
        }
    }

    @Test func aPlatformThatCouldNotBeToldOfTheVisitorIsToldWithTheNextAttempt() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.state.withLock { $0.silent = "/web-analytics/" }
            async let session = cxone.session()
            #expect(await eventually { cxone.platform.types.contains("AuthorizeCustomer") })
            #expect(await eventually { cxone.platform.calls("/visitors/").count == 1 })
            #expect(await eventually { cxone.clock.nextWaking == .seconds(8) })
            cxone.platform.state.withLock { $0.silent = nil }
            cxone.clock.advance(by: .seconds(8))
            let client = try await session
            #expect(await eventually { cxone.platform.calls("/visitors/").count == 2 })
            try await client.connect()
            #expect(client.state == .ready)
            #expect(cxone.platform.calls("/visitors/").count == 2)
        }
    }

    @Test func anErrorWhilePreparingLeadsBackToInitial() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.http("/web-analytics/") { _ in HTTPAnswer(status: 500) }
            // Its status is not looked at; that the platform refuses this version is final.
            let client = try await cxone.session(connect: false)
            #expect(client.state == .prepared)
            cxone.platform.http("/web-analytics/") { _ in Self.oldVersion }
            #expect(await refusal { try await client.prepare() } == .sdkVersionNotSupported)
            #expect(client.state == .initial)
        }
    }

    @Test func theConfigurationIsAskedForFourTimes() async throws {
        try await withCXone(.multithread) { cxone in
            let channel = try await cxone.service.channel(at: Fixture.address)
            cxone.platform.http("/channel/") { _ in nil }
            async let failure = refusal { try await cxone.service.channel(channel) }
            for delay in [1, 2, 4] {
                #expect(await eventually { cxone.clock.nextWaking == .seconds(delay) })
                cxone.clock.advance(by: .seconds(delay))
            }
            #expect(await failure == .serverError)
            #expect(cxone.platform.calls("/channel/").count == 4)
        }
    }

    @Test("2.10 Offline, Re-checking: no socket; the answer holds for a minute")
    func aLiveChatThatIsOfflineOpensNoSocket() async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.state.withLock { $0.isOnline = false }
            let client = try await cxone.session()
            #expect(client.state == .offline)
            #expect(cxone.platform.urls.isEmpty)
            try await client.disconnect()
            #expect(client.state == .prepared)
            // The answer holds for a minute.
            cxone.platform.state.withLock { $0.isOnline = true }
            try await client.connect()
            #expect(client.state == .offline)
            cxone.environment.advance(milliseconds: 60_000)
            try await client.disconnect()
            try await client.connect()
            #expect(client.state == .ready)
        }
    }

    @Test func aConnectedSessionAuthorisesAndLists() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            #expect(client.state == .ready)
            #expect(cxone.platform.types == ["AuthorizeCustomer", "FetchThreadList"])
            let url = try #require(cxone.platform.urls.first)
            #expect(url.hasPrefix("ws://platform.test?brandId=4711&channelId=chat_1&visitorId="))
            let authorize = try #require(cxone.platform.requests("AuthorizeCustomer").first)
            #expect(authorize.customer == WireCustomer(id: "eva", firstName: "Eva", lastName: "Nova"))
            #expect(authorize.visitorID != nil)
        }
    }

    @Test func aSocketThatDoesNotOpenIsToldAndTriedAgain() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.state.withLock { $0.refusals = 1 }
            let client = try await cxone.session()
            #expect(client.state == .connecting)
            try await client.connect()
            #expect(client.state == .ready)
        }
    }

    @Test(arguments: ["AuthorizeCustomer", "FetchThreadList"])
    func aFlowThatFailsIsToldAndTriedAgain(_ type: String) async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.fail(type, "InconsistentData")
            let client = try await cxone.session(connect: false)
            #expect(await refusal { try await client.connect() } == .invalidData)
            #expect(client.state == .connecting)
            #expect(await eventually { cxone.platform.state.withLock { $0.sockets.isEmpty } })
        }
    }

    @Test("2.4: one thread's metadata that fails fails all") func oneThreadsMetadataThatFailsFailsAll() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            cxone.platform.fail("LoadThreadMetadata", "MetadataLoadFailed")
            let client = try await cxone.session(connect: false)
            #expect(await refusal { try await client.connect() } == .serverError)
            #expect(client.state == .connecting)
        }
    }

    @Test func aReadySessionDisconnectsToPrepared() async throws {
        try await withCXone(.singlethread) { cxone in
            let client = try await cxone.session()
            #expect(client.state == .ready)
            try await client.disconnect()
            #expect(client.state == .prepared)
            #expect(cxone.platform.state.withLock { $0.sockets.isEmpty })
        }
    }

    @Test("2.10 End by customer, New conversation: closed until the next one")
    func aLiveChatThatIsEndedIsClosedUntilTheNextOne() async throws {
        try await withCXone(.liveChat) { cxone in
            let client = try await cxone.session()
            let first = try await client.createThread(ThreadDraft(), receipt: nil)
            try await cxone.platform.heard()
            #expect(try cxone.thread(first.id, of: client)?.contactID != nil)
            _ = try await client.endContact(first.id, receipt: nil)
            #expect(client.state == .closed)
            #expect(try cxone.thread(first.id, of: client)?.state == .closed)
            _ = try await client.createThread(ThreadDraft(), receipt: nil)
            #expect(client.state == .ready)
        }
    }

    // MARK: Lists

    @Test func listedThreadsHaveNamesLastMessagesAndAgents() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("first", to: "t1")
            cxone.platform.change("t1") { ($0.name, $0.agent) = ("Invoice", ScriptedPlatform.agent) }
            cxone.platform.add("old", to: "t2")
            cxone.platform.change("t2") { $0.isOpen = false }
            let client = try await cxone.session()
            let one = try #require(try cxone.thread("t1", of: client))
            #expect(one.state == .loaded)
            #expect(one.name == "Invoice")
            #expect(one.agent?.name == "Marta Novak")
            #expect(one.lastMessage?.text == "first")
            #expect(try cxone.thread("t2", of: client)?.state == .closed)
            #expect(try await eventually { try await cxone.messages("t1", of: client).map(\.text) == ["first"] })
        }
    }

    @Test("2.4: a list replaces what was known, but pending threads")
    func aListReplacesWhatWasKnownButPendingThreads() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("first", to: "t1")
            cxone.platform.add("second", to: "t2")
            let client = try await cxone.session()
            let pending = try await client.createThread(ThreadDraft(name: "New"), receipt: nil).id
            try await client.disconnect()
            cxone.platform.state.withLock { $0.rooms["t1"] = nil }
            try await client.connect()
            #expect(Set(try cxone.threads(of: client).map(\.id)) == ["t2", pending])
        }
    }

    @Test func aThreadIsOpenedByRecoveringIt() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            _ = try await client.ask { try await $0.load("t1", receipt: nil) }
            #expect(try cxone.thread("t1", of: client)?.state == .ready)
        }
    }
}
