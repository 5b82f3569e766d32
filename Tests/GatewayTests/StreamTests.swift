import ChatModel
import ChatStore
import Formats
import GatewaySupport
import Testing

@testable import Gateway

/// The streams over a log that a test writes, with turns that a test makes.
@Suite struct StreamTests {
    @Test func beginsNowAndGoesOn() throws {
        let world = StreamWorld()
        world.log("old")
        let reader = try world.session()
        reader.pump()
        #expect(
            reader.text.hasPrefix(
                "retry: 2500\nid: e1-1\nevent: ready\ndata: {\"cursor\":\"e1-1\",\"state\":\"ready\",\"mode\":\"multithread\"}\n\n"
            ))
        _ = reader.take()
        world.log("a")
        world.log("b")
        reader.pump()
        #expect(
            reader.take() == [
                StreamedEvent(id: "e1-2", type: "message.created", data: "{\"n\":\"a\"}"),
                StreamedEvent(id: "e1-3", type: "message.created", data: "{\"n\":\"b\"}"),
            ])
    }

    @Test func nothingIsLostBetweenAttachAndReady() throws {
        let world = StreamWorld()
        let reader = try world.session()
        // Committed after the stream was attached, before its first byte.
        world.log("a")
        world.say("typing")
        reader.pump()
        world.log("b")
        reader.pump()
        let all = names(reader.events)
        #expect(all.filter { $0 != "typing" } == ["ready", "a", "b"])
    }

    @Test func whatHappensDuringAReplayComesOnceAndAfterIt() async throws {
        let world = StreamWorld()
        for number in 1...50 { world.log("\(number)") }
        world.feed.dropRing(below: 30)
        let reader = try world.session(after: "e1-0", limit: 200)
        world.log("51")
        reader.pump()
        world.log("52")
        world.feed.afterReplay { world.say("not while replaying") }
        await reader.pumpThroughDatabase()
        world.log("53")
        reader.pump()
        #expect(names(reader.events).filter { $0 != "ready" } == (1...53).map(String.init))
        let ids = reader.events.compactMap(\.id).compactMap { Cursor($0)?.offset }
        #expect(ids == ids.sorted())
        #expect(names(reader.events).filter { $0 == "ready" }.count == 1)
    }

    @Test func aReplayOfWhatNobodyWantsTakesSeveralTurns() throws {
        let world = StreamWorld()
        let text = String(repeating: "x", count: 1000)
        for _ in 0..<1000 { world.log(text) }
        world.log("wanted", type: .threadUpdated)
        let reader = try world.session(types: "thread.updated", after: "e1-0")
        reader.pump()
        #expect(names(reader.events) == ["wanted", "ready"])
        // More than a megabyte, a quarter of it in each turn.
        #expect(reader.fills >= 4)
    }

    @Test func resumesFromEveryPosition() async throws {
        let world = StreamWorld()
        for number in 1...20 { world.log("\(number)", number.isMultiple(of: 3) ? [.account(2)] : [.account(1)]) }
        world.feed.dropRing(below: 10)
        for start in 0...20 {
            let reader = try world.session(after: "e1-\(start)", limit: 300)
            await reader.pumpThroughDatabase()
            let expected = (start + 1...21).filter { $0 <= 20 && !$0.isMultiple(of: 3) }.map(String.init)
            #expect(names(reader.events) == expected + ["ready"], "from \(start)")
            reader.close()
        }
        #expect(world.hub.streams.isEmpty)
    }

    @Test(arguments: [
        ("e2-1", "foreignEpoch"), ("e1-99", "ahead"), ("e1-1", "expired"), ("nonsense", "malformed"), ("", "malformed"),
        ("e1--1", "malformed"),
    ])
    func resets(after: String, reason: String) async throws {
        let world = StreamWorld()
        for number in 1...5 { world.log("\(number)") }
        world.feed.expire(below: 3)
        let reader = try world.session(after: after)
        await reader.pumpThroughDatabase()
        world.log("live")
        reader.pump()
        #expect(names(reader.events) == ["reset", "ready", "live"])
        let reset = reader.events[0]
        #expect(reset.data == "{\"reason\":\"\(reason)\",\"snapshot\":\"/v1/sessions/s1/threads\"}")
        #expect(reset.id == "e1-5")
        #expect(world.hub.resets.values.reduce(0, +) == 1)
    }

    /// An open stream that has told what the log has lost says so at once; one that has not goes on. Neither waits for
    /// the next event.
    @Test func whatTheLogHasLostIsToldToThoseWhoHaveSeenIt() async throws {
        let world = StreamWorld()
        world.log("1")
        let (early, late) = (try world.session("s2", account: 2, after: "e1-0"), try world.session(after: "e1-0"))
        for reader in [early, late] { reader.pump() }
        world.log("2")
        late.pump()
        #expect(names(late.events) == ["1", "ready", "2"])
        world.feed.lose(after: 1, head: 1000)
        for reader in [early, late] { await reader.pumpThroughDatabase() }
        #expect(names(late.events) == ["1", "ready", "2", "reset"])
        #expect(late.events.last?.id == "e1-1000")
        world.log("3")
        for reader in [early, late] { reader.pump() }
        #expect(names(late.events).last == "3" && names(early.events) == ["ready"])
    }

    /// A stream whose position moved on over events that it does not want was told nothing of them.
    @Test func whatTheLogHasLostIsNotToldToThoseWhoDidNotWantIt() async throws {
        let world = StreamWorld()
        let prompt = try world.session(types: "message.created"), slow = try world.session(types: "message.created")
        for reader in [prompt, slow] { reader.pump() }
        world.log("1")
        prompt.pump()
        for number in 2...3 { world.log("\(number)", type: .threadUpdated) }
        for reader in [prompt, slow] { reader.pump() }
        world.feed.lose(after: 1, head: 1000)
        for reader in [prompt, slow] { await reader.pumpThroughDatabase() }
        world.log("4")
        for reader in [prompt, slow] { reader.pump() }
        for reader in [prompt, slow] { #expect(names(reader.take()) == ["ready", "1", "4"]) }
        // A ping has told it that it is there.
        world.log("5", type: .threadUpdated)
        world.loop.turn()
        for reader in [prompt, slow] { reader.heartbeat() }
        world.feed.lose(after: 1001, head: 2000)
        for reader in [prompt, slow] { await reader.pumpThroughDatabase() }
        for reader in [prompt, slow] { #expect(names(reader.take()) == ["ping", "reset"]) }
    }

    /// The database shows a commit just before the ring does: a page read then has a cursor that the ring does not
    /// know.
    @Test func aPositionThatTheDatabaseKnowsIsNotAhead() async throws {
        struct Late: EventLog {
            let inner: FakeLog
            var epoch: String { inner.epoch }
            var head: Int64 { inner.head }
            var floor: Int64 { inner.floor }
            func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead {
                inner.read(audiences, after: offset, limit: bytes)
            }
            func replay(
                _ audiences: [Audience], after offset: Int64, limit bytes: Int
            ) async throws -> (events: [LogEvent], through: Int64) {
                ([], 2)
            }
            func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void {
                inner.subscribe(receiver)
            }
        }
        let world = StreamWorld()
        world.log("1")
        let hub = StreamHub(log: Late(inner: world.feed), random: { 0.5 })
        hub.attach(to: world.loop)
        let source = EventStreamSource(
            hub: hub, scope: StreamScope(kind: .session, sessions: [.init(id: "a", account: 1)], hasDesk: false),
            filter: .all,
            start: StreamStart("e1-2", log: hub.log), since: Timestamp(milliseconds: 0))
        let reader = Reader(source, loop: world.loop)
        await reader.pumpThroughDatabase()
        // Now the ring has it too. The page showed it, so it does not come again.
        world.log("2")
        world.log("3")
        reader.pump()
        #expect(names(reader.events) == ["ready", "3"])
        #expect(reader.events.map(\.id) == ["e1-2", "e1-3"])
    }

    @Test func thePositionAtTheFloorIsValid() throws {
        let world = StreamWorld()
        for number in 1...5 { world.log("\(number)") }
        world.feed.expire(below: 3)
        let reader = try world.session(after: "e1-3")
        reader.pump()
        #expect(names(reader.events) == ["4", "5", "ready"])
    }

    @Test func aSlowReaderIsBehindAndNobodyElse() async throws {
        let world = StreamWorld()
        let (slow, quick) = (try world.session(limit: 400), try world.session("s2"))
        slow.pump()
        quick.pump()
        for number in 1...30 { world.log("\(number)") }
        quick.pump()
        slow.fill()
        #expect(names(quick.events).count == 31)
        #expect(names(slow.events).count < 15)
        #expect(world.hub.greatestLag > 10)
        // The ring has moved on; the rest comes from the database.
        world.feed.dropRing(below: 25)
        slow.pump()
        await slow.pumpThroughDatabase()
        #expect(names(slow.events) == ["ready"] + (1...30).map(String.init))
        #expect(world.hub.greatestLag == 0)
    }

    @Test func aReaderThatTheLogHasLeftBehindIsReset() throws {
        let world = StreamWorld()
        let reader = try world.session(limit: 200)
        reader.pump()
        for number in 1...30 { world.log("\(number)") }
        world.loop.turn()
        reader.fill()
        world.feed.expire(below: 20)
        reader.pump()
        world.log("after")
        reader.pump()
        let all = names(reader.events)
        #expect(Array(all.suffix(2)) == ["reset", "after"])
        #expect(reader.events.dropLast().last?.data.contains("expired") == true)
    }

    @Test func aQuietStreamsPositionMovesOn() throws {
        let world = StreamWorld()
        let reader = try world.session()
        reader.pump()
        for number in 1...9 { world.log("\(number)", [.account(2)]) }
        world.loop.turn()
        _ = reader.take()
        reader.heartbeat()
        #expect(reader.take().first?.id == "e1-9")
        // Its old position has expired meanwhile: no reset, for it had everything.
        world.feed.expire(below: 9)
        world.log("mine")
        reader.pump()
        #expect(names(reader.take()) == ["mine"])
    }

    @Test func aPingNeverSkipsWhatWaits() throws {
        let world = StreamWorld()
        let reader = try world.session()
        reader.pump()
        _ = reader.take()
        world.log("a")
        world.loop.turn()
        reader.heartbeat()
        #expect(reader.take().first?.id == "e1-0")
        reader.pump()
        #expect(names(reader.take()) == ["a"])
    }

    /// The field is in no block of its own: some readers take such a block for an event without data.
    @Test func drainsWithARetry() throws {
        let world = StreamWorld()
        let reader = try world.session()
        reader.pump()
        _ = reader.take()
        reader.drain()
        #expect(reader.text == "retry: 2500\n")
        #expect(world.hub.streams.isEmpty)
    }

    @Test func aHugeEventGoesOutAlone() throws {
        let world = StreamWorld()
        let reader = try world.session(limit: 256)
        reader.pump()
        _ = reader.take()
        let huge = String(repeating: "x", count: 5000)
        for text in ["a", huge, "b"] { world.log(text) }
        reader.pump()
        #expect(names(reader.take()) == ["a", huge, "b"])
    }

    @Test func aStreamHoldsTheScreensOfThoseWhomItNames() async throws {
        try await TestGateway.run { gateway in
            let (core, client) = (gateway.application.core, gateway.client)
            let loop = TestLoop()
            gateway.application.attach(to: loop)
            let session = StreamScope.Session(id: client.id, account: client.account)
            let source = EventStreamSource(
                hub: core.hub, scope: StreamScope(kind: .session, sessions: [session], hasDesk: false), filter: .all,
                start: .now,
                since: Timestamp(milliseconds: 0), holders: ["tab-1"])
            let reader = Reader(source, loop: loop)
            try await client.show("t1", holder: "tab-1")
            try await client.show("t1", holder: "tab-2")
            gateway.environment.advance(milliseconds: 60_000)
            #expect(client.screens.map(\.holder) == ["tab-1"])
            reader.close()
            #expect(client.screens.map(\.holder) == ["tab-1"])
            gateway.environment.advance(milliseconds: 30_000)
            #expect(client.screens.isEmpty)
        }
    }

    @Test func aFailingDatabaseEndsTheStreamAndLeavesThePosition() async throws {
        struct Broken: EventLog {
            let inner: FakeLog
            var epoch: String { inner.epoch }
            var head: Int64 { inner.head }
            var floor: Int64 { inner.floor }
            func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead { .behind }
            func replay(
                _ audiences: [Audience], after offset: Int64, limit bytes: Int
            ) async throws -> (events: [LogEvent], through: Int64) {
                throw ChatError(.storageFailed, "no")
            }
            func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void {
                inner.subscribe(receiver)
            }
        }
        let log = FakeLog()
        log.commit([(.messageCreated, Array("{}".utf8), [.account(1)], [:])])
        let loop = TestLoop()
        let hub = StreamHub(log: Broken(inner: log), random: { 0.5 })
        hub.attach(to: loop)
        let source = EventStreamSource(
            hub: hub, scope: StreamScope(kind: .session, sessions: [.init(id: "a", account: 1)], hasDesk: false),
            filter: .all,
            start: .after(0), since: Timestamp(milliseconds: 0))
        let reader = Reader(source, loop: loop)
        await reader.pumpThroughDatabase()
        #expect(reader.isEnded && reader.events.isEmpty)
    }
}
