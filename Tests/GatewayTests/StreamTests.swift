import ChatModel
import ChatStore
import Testing

@testable import Gateway

/// The streams over a log that a test writes, with turns that a test makes.
@Suite struct StreamTests {
    /// A hub on a log of its own.
    private struct World {
        let feed: FakeLog
        let loop = TestLoop()
        let hub: StreamHub

        init(deskMembers: String = "") {
            feed = FakeLog(deskMembers: deskMembers)
            hub = StreamHub(log: feed, random: { 0.5 })
            hub.state = { $0.hasPrefix("gone") ? nil : (.ready, .multithread) }
            hub.attach(to: loop)
        }

        func session(_ id: String = "s1", account: Int64 = 1, types: String? = nil, after: String? = nil, limit: Int = 65_536) throws -> Reader {
            try reader(StreamScope(kind: .session, sessions: [.init(id: id, account: account)], hasDesk: false), types, after, limit)
        }

        func combined(_ sessions: [(String, Int64)], desk: Bool = false, after: String? = nil) throws -> Reader {
            try reader(StreamScope(kind: .combined, sessions: sessions.map { .init(id: $0.0, account: $0.1) }, hasDesk: desk), nil, after, 65_536)
        }

        func desk() throws -> Reader { try reader(StreamScope(kind: .desk, sessions: [], hasDesk: true), nil, nil, 65_536) }

        private func reader(_ scope: StreamScope, _ types: String?, _ after: String?, _ limit: Int) throws -> Reader {
            let source = EventStreamSource(
                hub: hub, scope: scope, filter: try TypeFilter(types), start: StreamStart(after, log: hub.log), since: Timestamp(milliseconds: 0))
            return Reader(source, loop: loop, limit: limit)
        }

        func log(_ text: String, _ audiences: [Audience] = [.account(1)], type: EventType = .messageCreated, counts: [Int64: Int] = [:]) {
            feed.commit([(type, Array("{\"n\":\"\(text)\"}".utf8), audiences, counts)])
        }

        func say(_ text: String, to audiences: [Audience] = [.account(1)]) {
            feed.publish(.typing, data: Array("{\"n\":\"\(text)\"}".utf8), to: audiences)
        }
    }

    private func names(_ events: [StreamedEvent]) -> [String] {
        events.map { $0.data.firstMatch(of: /"n":"([^"]*)"/).map { String($0.1) } ?? $0.type }
    }

    @Test func beginsNowAndGoesOn() throws {
        let world = World()
        world.log("old")
        let reader = try world.session()
        reader.pump()
        #expect(reader.text.hasPrefix("retry: 2500\n\nid: e1-1\nevent: ready\ndata: {\"cursor\":\"e1-1\",\"state\":\"ready\",\"mode\":\"multithread\"}\n\n"))
        _ = reader.take()
        world.log("a")
        world.log("b")
        reader.pump()
        #expect(reader.take() == [
            StreamedEvent(id: "e1-2", type: "message.created", data: "{\"n\":\"a\"}"),
            StreamedEvent(id: "e1-3", type: "message.created", data: "{\"n\":\"b\"}"),
        ])
    }

    @Test func nothingIsLostBetweenAttachAndReady() throws {
        let world = World()
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
        let world = World()
        for number in 1...50 { world.log("\(number)") }
        world.feed.dropRing(below: 30)
        let reader = try world.session(after: "e1-0", limit: 200)
        world.log("51")
        reader.pump()
        world.log("52")
        world.say("not while replaying")
        await reader.pumpThroughDatabase()
        world.log("53")
        reader.pump()
        #expect(names(reader.events).filter { $0 != "ready" } == (1...53).map(String.init))
        let ids = reader.events.compactMap(\.id).compactMap { Cursor($0)?.offset }
        #expect(ids == ids.sorted())
        #expect(names(reader.events).filter { $0 == "ready" }.count == 1)
    }

    @Test func resumesFromEveryPosition() async throws {
        let world = World()
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
        ("e2-1", "foreignEpoch"), ("e1-99", "ahead"), ("e1-1", "expired"), ("nonsense", "malformed"), ("", "malformed"), ("e1--1", "malformed"),
    ])
    func resets(after: String, reason: String) async throws {
        let world = World()
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

    /// The database shows a commit just before the ring does: a page read then has a cursor that the ring does not know.
    @Test func aPositionThatTheDatabaseKnowsIsNotAhead() async throws {
        struct Late: EventLog {
            let inner: FakeLog
            var epoch: String { inner.epoch }
            var head: Int64 { inner.head }
            var floor: Int64 { inner.floor }
            func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead {
                inner.read(audiences, after: offset, limit: bytes)
            }
            func replay(_ audiences: [Audience], after offset: Int64, limit bytes: Int) async throws -> (events: [LogEvent], through: Int64) {
                ([], 2)
            }
            func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void { inner.subscribe(receiver) }
        }
        let world = World()
        world.log("1")
        let hub = StreamHub(log: Late(inner: world.feed), random: { 0.5 })
        hub.attach(to: world.loop)
        let source = EventStreamSource(
            hub: hub, scope: StreamScope(kind: .session, sessions: [.init(id: "a", account: 1)], hasDesk: false), filter: .all,
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
        let world = World()
        for number in 1...5 { world.log("\(number)") }
        world.feed.expire(below: 3)
        let reader = try world.session(after: "e1-3")
        reader.pump()
        #expect(names(reader.events) == ["4", "5", "ready"])
    }

    @Test func aSlowReaderIsBehindAndNobodyElse() async throws {
        let world = World()
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
        let world = World()
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

    @Test func onlyWhomItConcerns() throws {
        let world = World()
        let (one, two, desk) = (try world.session("s1", account: 1), try world.session("s2", account: 2), try world.desk())
        for reader in [one, two, desk] { reader.pump(); _ = reader.take() }
        let fills = two.fills
        world.log("a", [.account(1), .desk])
        for reader in [one, two, desk] { reader.pump() }
        #expect(names(one.take()) == ["a"] && names(desk.take()) == ["a"] && two.take().isEmpty)
        #expect(two.fills == fills, "a stranger's event wakes nobody")
    }

    @Test func filtersByType() throws {
        let world = World()
        let reader = try world.session(types: "thread.updated,typing,ping")
        reader.pump()
        _ = reader.take()
        world.log("no")
        world.log("yes", type: .threadUpdated)
        world.say("yes too")
        world.log("no again")
        reader.pump()
        #expect(names(reader.take()) == ["yes", "yes too"])
        reader.heartbeat()
        #expect(reader.take() == [StreamedEvent(id: "e1-3", type: "ping", data: "{\"cursor\":\"e1-3\"}")])
    }

    @Test func aQuietStreamsPositionMovesOn() throws {
        let world = World()
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
        let world = World()
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

    @Test func asidesKeepTheirPlaceAndHaveNoId() throws {
        let world = World()
        let reader = try world.session()
        reader.pump()
        _ = reader.take()
        world.log("1")
        world.say("a")
        world.log("2")
        world.say("b")
        reader.pump()
        let events = reader.take()
        #expect(names(events) == ["1", "a", "2", "b"])
        #expect(events.map { $0.id != nil } == [true, false, true, false])
    }

    @Test func asidesAreBounded() throws {
        let world = World()
        let reader = try world.session()
        reader.pump()
        _ = reader.take()
        for number in 1...1000 { world.say("\(number)") }
        reader.pump()
        #expect(reader.take().count == 256)
    }

    @Test func unreadCountsAreTheReadersOwn() throws {
        let world = World()
        let readers = [try world.session("s1", account: 1), try world.session("s2", account: 2), try world.desk()]
        for reader in readers { reader.pump(); _ = reader.take() }
        world.feed.commit([(.threadUpdated, Array("{\"thread\":{\"id\":\"t\"}}".utf8), [.account(1), .account(2), .desk], [1: 4, 2: 7])])
        let data = readers.map { reader in reader.pump(); return reader.take().first?.data }
        #expect(data == ["{\"thread\":{\"id\":\"t\",\"unreadCount\":4}}", "{\"thread\":{\"id\":\"t\",\"unreadCount\":7}}", "{\"thread\":{\"id\":\"t\"}}"])
    }

    @Test func theDesksCopySaysWhose() throws {
        let world = World(deskMembers: "\"channel\":\"multi\"")
        let readers = [try world.session(), try world.desk(), try world.combined([("a", 1)], desk: true), try world.combined([("a", 1)])]
        for reader in readers { reader.pump(); _ = reader.take() }
        world.feed.commit([(.threadUpdated, Array("{\"thread\":{\"id\":\"t\"}}".utf8), [.account(1), .desk], [1: 4])])
        let threads: [String?] = readers.map { reader in reader.pump(); return reader.take().first?.data }
        #expect(threads == [
            "{\"thread\":{\"id\":\"t\",\"unreadCount\":4}}", "{\"thread\":{\"id\":\"t\",\"channel\":\"multi\"}}",
            "{\"sessions\":[\"a\"],\"desk\":true,\"thread\":{\"id\":\"t\",\"channel\":\"multi\",\"unreadCount\":4}}",
            "{\"sessions\":[\"a\"],\"thread\":{\"id\":\"t\",\"unreadCount\":4}}",
        ])
        world.log("x", [.account(1), .desk])
        let others: [String?] = readers.map { reader in reader.pump(); return reader.take().first?.data }
        #expect(others == [
            "{\"n\":\"x\"}", "{\"channel\":\"multi\",\"n\":\"x\"}",
            "{\"sessions\":[\"a\"],\"desk\":true,\"channel\":\"multi\",\"n\":\"x\"}", "{\"sessions\":[\"a\"],\"n\":\"x\"}",
        ])
    }

    @Test func aCombinedStreamSaysWhomAnEventConcerns() throws {
        let world = World()
        let reader = try world.combined([("a", 1), ("b", 1), ("c", 2)], desk: true)
        reader.pump()
        #expect(reader.take().last?.data == "{\"cursor\":\"e1-0\",\"sessions\":{\"a\":{\"state\":\"ready\",\"mode\":\"multithread\"},\"b\":{\"state\":\"ready\",\"mode\":\"multithread\"},\"c\":{\"state\":\"ready\",\"mode\":\"multithread\"}},\"desk\":true}")
        world.log("x", [.account(1), .desk])
        world.log("y", [.account(2)])
        world.log("z", [.desk])
        world.feed.publish(.chatUpdated, data: Array("{}".utf8), to: [.session("b")])
        world.say("w", to: [.account(1), .account(2)])
        reader.pump()
        #expect(reader.take().map(\.data) == [
            "{\"sessions\":[\"a\",\"b\"],\"desk\":true,\"n\":\"x\"}", "{\"sessions\":[\"c\"],\"n\":\"y\"}", "{\"desk\":true,\"n\":\"z\"}",
            "{\"sessions\":[\"b\"]}", "{\"sessions\":[\"a\",\"b\",\"c\"],\"n\":\"w\"}",
        ])
    }

    @Test func aDeletedSessionEndsItsStreamAndLeavesTheOthers() throws {
        let world = World()
        let (own, other) = (try world.session("a", account: 1), try world.session("b", account: 1))
        let both = try world.combined([("a", 1), ("b", 1)])
        for reader in [own, other, both] { reader.pump(); _ = reader.take() }
        world.log("last")
        world.hub.sessionEnded("a")
        world.loop.turn()
        for reader in [own, other, both] { reader.pump() }
        #expect(names(own.events) == ["last", "chat.updated"] && own.isEnded)
        #expect(own.events.last?.data.contains("\"state\":\"initial\"") == true)
        #expect(names(other.take()) == ["last"] && !other.isEnded)
        #expect(both.take().last?.data == "{\"sessions\":[\"a\"],\"state\":\"initial\"}")
        #expect(!both.isEnded)
        world.log("more")
        both.pump()
        #expect(both.take().map(\.data) == ["{\"sessions\":[\"b\"],\"n\":\"more\"}"])
        world.hub.sessionEnded("b")
        both.pump()
        #expect(both.isEnded)
    }

    @Test func theFarewellIsNotSaidTwice() throws {
        let world = World()
        let reader = try world.session("a")
        reader.pump()
        _ = reader.take()
        world.feed.publish(.chatUpdated, data: Array("{\"state\":\"initial\",\"mode\":\"multithread\"}".utf8), to: [.session("a")])
        world.hub.sessionEnded("a")
        reader.pump()
        #expect(reader.events.map(\.type) == ["chat.updated"] && reader.isEnded)
    }

    @Test func aSessionThatIsGoneBeforeItsStreamOpensEndsIt() throws {
        let world = World()
        let reader = try world.session("gone")
        reader.pump()
        #expect(reader.isEnded)
    }

    @Test func drainsWithARetry() throws {
        let world = World()
        let reader = try world.session()
        reader.pump()
        _ = reader.take()
        reader.drain()
        #expect(reader.text == "retry: 2500\n\n")
        #expect(world.hub.streams.isEmpty)
    }

    @Test func aHugeEventGoesOutAlone() throws {
        let world = World()
        let reader = try world.session(limit: 256)
        reader.pump()
        _ = reader.take()
        let huge = String(repeating: "x", count: 5000)
        for text in ["a", huge, "b"] { world.log(text) }
        reader.pump()
        #expect(names(reader.take()) == ["a", huge, "b"])
    }

    @Test func aFailingDatabaseEndsTheStreamAndLeavesThePosition() async throws {
        struct Broken: EventLog {
            let inner: FakeLog
            var epoch: String { inner.epoch }
            var head: Int64 { inner.head }
            var floor: Int64 { inner.floor }
            func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead { .behind }
            func replay(_ audiences: [Audience], after offset: Int64, limit bytes: Int) async throws -> (events: [LogEvent], through: Int64) {
                throw ChatError(.storageFailed, "no")
            }
            func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void { inner.subscribe(receiver) }
        }
        let log = FakeLog()
        log.commit([(.messageCreated, Array("{}".utf8), [.account(1)], [:])])
        let loop = TestLoop()
        let hub = StreamHub(log: Broken(inner: log), random: { 0.5 })
        hub.attach(to: loop)
        let source = EventStreamSource(
            hub: hub, scope: StreamScope(kind: .session, sessions: [.init(id: "a", account: 1)], hasDesk: false), filter: .all,
            start: .after(0), since: Timestamp(milliseconds: 0))
        let reader = Reader(source, loop: loop)
        await reader.pumpThroughDatabase()
        #expect(reader.isEnded && reader.events.isEmpty)
    }

    @Test func listsTheStreams() throws {
        let world = World()
        let reader = try world.combined([("a", 1)], desk: true)
        reader.pump()
        world.log("x")
        world.loop.turn()
        var json = JSONWriter()
        world.hub.list(into: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(text.contains("\"kind\":\"combined\",\"sessions\":[\"a\"],\"cursor\":\"e1-0\",\"lag\":1,"))
    }
}
