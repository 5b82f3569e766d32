import Chat
import ChatModel
import CXoneService
import CXoneWire
import HTTPClientPort
import TestSupport
import Testing

/// How a lost connection is noticed, and what follows.
@Suite struct ReconnectionTests {
    @Test("2.13 Liveness: a heartbeat every ten seconds, its pong within five")
    func aHeartbeatGoesOutEveryTenSeconds() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            for count in 1...3 {
                #expect(await eventually { cxone.clock.nextWaking == (count == 1 ? .seconds(10) : .seconds(5)) })
                cxone.clock.advance(by: count == 1 ? .seconds(10) : .seconds(5))
                #expect(await eventually { cxone.clock.nextWaking == .seconds(5) })
                #expect(cxone.platform.heartbeats == count)
                try await cxone.platform.heard()
                let slept = cxone.clock.sleepCount
                cxone.clock.advance(by: .seconds(5))
                // Until the next heartbeat, or until another attempt to connect.
                #expect(await eventually { cxone.clock.sleepCount > slept })
                #expect(client.state == .ready)
            }
        }
    }

    @Test("2.13 Trigger: a pong that is missing is a loss") func aPongThatIsMissingIsALoss() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            cxone.platform.state.withLock { $0.isMute = true }
            #expect(await eventually { cxone.clock.nextWaking == .seconds(10) })
            cxone.clock.advance(by: .seconds(10))
            #expect(await eventually { cxone.clock.nextWaking == .seconds(5) })
            #expect(cxone.platform.heartbeats == 1)
            cxone.clock.advance(by: .seconds(5))
            #expect(await eventually { client.state == .connecting })
        }
    }

    @Test("2.13 Trigger, State, Afterwards: opened again, and the whole flow follows")
    func aLostSocketIsOpenedAgainAndTheWholeFlowFollows() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            cxone.platform.lose()
            await cxone.tryAgain(client)
            #expect(cxone.platform.urls.count == 2)
            #expect(cxone.platform.urls[0] == cxone.platform.urls[1])
            #expect(
                cxone.platform.types == [
                    "AuthorizeCustomer", "FetchThreadList", "AuthorizeCustomer", "FetchThreadList",
                ])
        }
    }

    @Test("2.13 Delay: grows by 1.3, and begins anew after a success")
    func theDelayGrowsAndBeginsAnewAfterASuccess() async throws {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            for round in 1...2 {
                cxone.platform.state.withLock { $0.refusals = 2 }
                cxone.platform.lose()
                for attempt in 1...3 {
                    #expect(
                        await eventually { client.state == .connecting && cxone.clock.sleeperCount == 1 },
                        "round \(round)")
                    let least = (1...attempt).reduce(1.0) { delay, _ in delay * 1.3 }
                    let delay = try #require(cxone.clock.nextWaking)
                    #expect(delay >= .seconds(least) - .milliseconds(1) && delay <= .seconds(least * 1.25))
                    // Nobody sleeps then but who tries in vain, and so sleeps again.
                    cxone.clock.advance(by: delay)
                }
                #expect(await eventually { client.state == .ready })
            }
        }
    }

    @Test("2.13 Attempts, Given up: not here, where the platform's outage is outlasted") func itIsNeverGivenUp()
        async throws
    {
        try await withCXone(.multithread) { cxone in
            let client = try await cxone.session()
            cxone.platform.state.withLock { $0.refusals = 40 }
            cxone.platform.lose()
            for attempt in 1...41 {
                #expect(
                    await eventually { client.state == .connecting && cxone.clock.sleeperCount == 1 },
                    "attempt \(attempt)")
                // Nobody sleeps then but who tries in vain, and so sleeps again.
                cxone.clock.advance(by: .seconds(60))
            }
            #expect(await eventually { client.state == .ready })
            #expect(cxone.platform.urls.count == 42)
        }
    }

    @Test("2.13 First connection fails: told, and tried again here") func theFirstConnectionIsTriedAgain() async throws
    {
        try await withCXone(.multithread) { cxone in
            cxone.platform.state.withLock { $0.refusals = 1 }
            let client = try await cxone.session(connect: false)
            #expect(await refusal { try await client.connect() } == .serverError)
            #expect(client.state == .connecting && cxone.platform.urls.count == 1)
            await cxone.tryAgain(client)
        }
    }

    @Test("2.13 Pending requests: fail at once") func whatWaitsFailsAtOnce() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            cxone.platform.script("ArchiveThread") { _ in [] }
            async let failure = refusal { try await client.ask { try await $0.archive("t1", receipt: nil) } }
            #expect(await eventually { !cxone.platform.requests("ArchiveThread").isEmpty })
            cxone.platform.lose()
            #expect(await failure == .notConnected)
        }
    }

    @Test("4.8: an answer that does not come within 10 s is a timeout") func anAnswerThatDoesNotComeIsATimeout()
        async throws
    {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            cxone.platform.script("ArchiveThread") { _ in [] }
            async let failure = refusal { try await client.ask { try await $0.archive("t1", receipt: nil) } }
            #expect(await eventually { !cxone.platform.requests("ArchiveThread").isEmpty })
            cxone.clock.advance(by: .seconds(10))
            #expect(await failure == .eventTimeout)
            #expect(try cxone.thread("t1", of: client)?.state == .loaded)
        }
    }

    @Test("2.13: what was missed is there once afterwards") func whatWasMissedIsThereOnceAfterwards() async throws {
        try await withCXone(.singlethread) { cxone in
            cxone.platform.add("one", to: "t1")
            let client = try await cxone.session()
            cxone.platform.write("two", in: "t1")
            #expect(try await eventually { try await cxone.messages("t1", of: client).count == 2 })
            cxone.platform.lose()
            for index in 3...50 { cxone.platform.add("\(index)", to: "t1") }
            await cxone.tryAgain(client)
            let expected = ["one", "two"] + (3...50).map { "\($0)" }
            #expect(try await eventually { try await cxone.messages("t1", of: client).compactMap(\.text) == expected })
        }
    }

    @Test func aStoredSessionConnectsAgainAfterARestart() async throws {
        try await withCXone(.multithread) { cxone in
            _ = try await cxone.session()
            let service = CXoneService(
                store: cxone.store, clock: cxone.clock, tokens: .folder(cxone.folder), sockets: cxone.platform,
                http: cxone.platform, foreignHTTP: cxone.platform)
            let sessions = Sessions(store: cxone.store, services: [service], clock: cxone.clock, pace: .zero)
            try await sessions.load()
            await sessions.reconnect()
            #expect(sessions.all.map(\.state) == [.ready])
            let visitors = cxone.platform.urls.map { $0.split(separator: "visitorId=")[1].prefix { $0 != "&" } }
            #expect(Set(visitors).count == 1)
        }
    }

    /// What the platform can be, when the gateway begins again.
    enum Outage: CaseIterable, Sendable {
        case http, availability, socket, list
    }

    @Test(
        "2.13: a stored session whose platform cannot be reached at a restart is tried again",
        arguments: Outage.allCases)
    func aStoredSessionIsTriedAgain(_ outage: Outage) async throws {
        try await withCXone(outage == .availability ? .liveChat : .multithread) { cxone in
            _ = try await cxone.session()
            switch outage {
            case .http: cxone.platform.http("platform.test") { _ in nil }
            case .availability:
                cxone.platform.http("/availability") { _ in HTTPAnswer(status: 502, body: Array("<html>".utf8)) }
            case .socket: cxone.platform.state.withLock { $0.refusals = 3 }
            case .list: cxone.platform.fail("FetchThreadList", "SomethingNew")
            }
            let service = CXoneService(
                store: cxone.store, clock: cxone.clock, tokens: .folder(cxone.folder), sockets: cxone.platform,
                http: cxone.platform, foreignHTTP: cxone.platform)
            let sessions = Sessions(store: cxone.store, services: [service], clock: cxone.clock, pace: .zero)
            try await sessions.load()
            let client = try #require(sessions.all.first)
            await sessions.finishLoading()
            // The gateway is ready although the session is not.
            #expect(sessions.isReady && client.state == .preparing)
            async let restoring: Void = sessions.reconnect()
            // Calls over HTTP are tried again with pauses. All else fails at once.
            for delay in outage == .http ? [1, 2, 4] : [] {
                #expect(await eventually { cxone.clock.nextWaking == .seconds(delay) })
                cxone.clock.advance(by: .seconds(delay))
            }
            await restoring
            #expect(client.state == (outage == .http ? .preparing : .connecting))
            #expect(await client.snapshot().state == client.state)
            cxone.platform.state.withLock { ($0.http, $0.refusals, $0.scripts) = ([:], 0, [:]) }
            await cxone.tryAgain(client)
        }
    }

    @Test func aSessionThatIsTriedAgainCanBeLeft() async throws {
        try await withCXone(.multithread) { cxone in
            _ = try await cxone.session()
            cxone.platform.http("/channel/") { _ in HTTPAnswer(status: 500, body: Array("no".utf8)) }
            let service = CXoneService(
                store: cxone.store, clock: cxone.clock, tokens: .folder(cxone.folder), sockets: cxone.platform,
                http: cxone.platform, foreignHTTP: cxone.platform)
            let sessions = Sessions(store: cxone.store, services: [service], clock: cxone.clock, pace: .zero)
            try await sessions.load()
            let recorder = EventRecorder(cxone.store.feed)
            await sessions.reconnect()
            let client = try #require(sessions.all.first)
            #expect(client.state == .preparing)
            // It is told, though preparing is not told otherwise: this one may last.
            #expect(recorder.types(for: .session(client.id)) == ["chat.updated"])
            #expect(await eventually { cxone.isTriedAgain })
            try await client.disconnect()
            #expect(client.state == .initial)
            // There will be no attempt: nobody sleeps for it any more.
            #expect(!cxone.isTriedAgain)
        }
    }
}
