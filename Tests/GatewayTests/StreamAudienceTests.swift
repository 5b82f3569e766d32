import ChatModel
import ChatStore
import Formats
import GatewaySupport
import Testing

@testable import Gateway

/// Who hears what on a stream, in whose words, and when it is over for them.
@Suite struct StreamAudienceTests {
    @Test func onlyWhomItConcerns() throws {
        let world = StreamWorld()
        let (one, two, desk) = (
            try world.session("s1", account: 1), try world.session("s2", account: 2), try world.desk()
        )
        for reader in [one, two, desk] { reader.pump(); _ = reader.take() }
        let fills = two.fills
        world.log("a", [.account(1), .desk])
        for reader in [one, two, desk] { reader.pump() }
        #expect(names(one.take()) == ["a"] && names(desk.take()) == ["a"] && two.take().isEmpty)
        #expect(two.fills == fills, "a stranger's event wakes nobody")
    }

    /// Two tabs of one account, another account in the same thread, and two desks.
    @Test func eachContentIsEncodedOnce() throws {
        let world = StreamWorld(deskMembers: "\"channel\":\"c\"")
        let readers = [
            try world.session("s1", account: 1), try world.session("s2", account: 1),
            try world.session("s3", account: 2), try world.desk(), try world.desk(),
        ]
        for reader in readers { reader.pump(); _ = reader.take() }
        func encoded(_ change: () -> Void) -> Int {
            let before = world.hub.frames.encoded
            change()
            for reader in readers {
                reader.pump()
                #expect(reader.take().count == 1)
            }
            return world.hub.frames.encoded - before
        }
        let everyone: [Audience] = [.account(1), .account(2), .desk]
        #expect(encoded { world.log("a", everyone) } == 2, "customers, desk")
        #expect(encoded { world.log("b", everyone, type: .threadUpdated, counts: [1: 4, 2: 7]) } == 3, "two counts")
        #expect(encoded { world.log("c", everyone, type: .threadUpdated, counts: [1: 4, 2: 4]) } == 2, "one count")
        #expect(encoded { world.say("d", to: everyone) } == 2, "an event that is live only")
    }

    @Test func noFrameKeepsTheTextOfARemovedMessage() throws {
        let world = StreamWorld()
        let reader = try world.session()
        reader.pump()
        world.log("secret")
        reader.pump()
        #expect(world.hub.frames.byteCount > 0)
        world.log("gone", type: .messageRemoved)
        world.loop.turn()
        #expect(world.hub.frames.byteCount == 0)
    }

    @Test func keptFramesAreBounded() throws {
        let world = StreamWorld()
        let reader = try world.session()
        reader.pump()
        _ = reader.take()
        for _ in 0..<20 {
            world.log(String(repeating: "x", count: 60_000))
            reader.pump()
            #expect(reader.take().count == 1)
            #expect(world.hub.frames.byteCount <= 256 << 10)
        }
    }

    @Test func filtersByType() throws {
        let world = StreamWorld()
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

    @Test func asidesKeepTheirPlaceAndHaveNoId() throws {
        let world = StreamWorld()
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
        let world = StreamWorld()
        let reader = try world.session()
        reader.pump()
        _ = reader.take()
        for number in 1...1000 { world.say("\(number)") }
        reader.pump()
        #expect(reader.take().count == 256)
    }

    @Test func unreadCountsAreTheReadersOwn() throws {
        let world = StreamWorld()
        let readers = [try world.session("s1", account: 1), try world.session("s2", account: 2), try world.desk()]
        for reader in readers { reader.pump(); _ = reader.take() }
        world.feed.commit([
            (
                .threadUpdated, Array("{\"thread\":{\"id\":\"t\"}}".utf8), [.account(1), .account(2), .desk],
                [1: 4, 2: 7]
            )
        ])
        let data = readers.map { reader in
            reader.pump(); return reader.take().first?.data
        }
        #expect(
            data == [
                "{\"thread\":{\"id\":\"t\",\"unreadCount\":4}}", "{\"thread\":{\"id\":\"t\",\"unreadCount\":7}}",
                "{\"thread\":{\"id\":\"t\"}}",
            ])
    }

    @Test func theDesksCopySaysWhose() throws {
        let world = StreamWorld(deskMembers: "\"channel\":\"multi\"")
        let readers = [
            try world.session(), try world.desk(), try world.combined([("a", 1)], desk: true),
            try world.combined([("a", 1)]),
        ]
        for reader in readers { reader.pump(); _ = reader.take() }
        world.feed.commit([(.threadUpdated, Array("{\"thread\":{\"id\":\"t\"}}".utf8), [.account(1), .desk], [1: 4])])
        let threads: [String?] = readers.map { reader in
            reader.pump(); return reader.take().first?.data
        }
        #expect(
            threads == [
                "{\"thread\":{\"id\":\"t\",\"unreadCount\":4}}", "{\"thread\":{\"id\":\"t\",\"channel\":\"multi\"}}",
                "{\"sessions\":[\"a\"],\"desk\":true,\"thread\":{\"id\":\"t\",\"channel\":\"multi\",\"unreadCount\":4}}",
                "{\"sessions\":[\"a\"],\"thread\":{\"id\":\"t\",\"unreadCount\":4}}",
            ])
        world.log("x", [.account(1), .desk])
        let others: [String?] = readers.map { reader in
            reader.pump(); return reader.take().first?.data
        }
        #expect(
            others == [
                "{\"n\":\"x\"}", "{\"channel\":\"multi\",\"n\":\"x\"}",
                "{\"sessions\":[\"a\"],\"desk\":true,\"channel\":\"multi\",\"n\":\"x\"}",
                "{\"sessions\":[\"a\"],\"n\":\"x\"}",
            ])
    }

    @Test func aCombinedStreamSaysWhomAnEventConcerns() throws {
        let world = StreamWorld()
        let reader = try world.combined([("a", 1), ("b", 1), ("c", 2)], desk: true)
        reader.pump()
        #expect(
            reader.take().last?.data
                == "{\"cursor\":\"e1-0\",\"sessions\":{\"a\":{\"state\":\"ready\",\"mode\":\"multithread\"},\"b\":{\"state\":\"ready\",\"mode\":\"multithread\"},\"c\":{\"state\":\"ready\",\"mode\":\"multithread\"}},\"desk\":true}"
        )
        world.log("x", [.account(1), .desk])
        world.log("y", [.account(2)])
        world.log("z", [.desk])
        world.feed.publish(.chatUpdated, data: Array("{}".utf8), to: [.session("b")])
        world.say("w", to: [.account(1), .account(2)])
        reader.pump()
        #expect(
            reader.take().map(\.data) == [
                "{\"sessions\":[\"a\",\"b\"],\"desk\":true,\"n\":\"x\"}", "{\"sessions\":[\"c\"],\"n\":\"y\"}",
                "{\"desk\":true,\"n\":\"z\"}",
                "{\"sessions\":[\"b\"]}", "{\"sessions\":[\"a\",\"b\",\"c\"],\"n\":\"w\"}",
            ])
    }

    @Test func aDeletedSessionEndsItsStreamAndLeavesTheOthers() throws {
        let world = StreamWorld()
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
        let world = StreamWorld()
        let reader = try world.session("a")
        reader.pump()
        _ = reader.take()
        world.feed.publish(
            .chatUpdated, data: Array("{\"state\":\"initial\",\"mode\":\"multithread\"}".utf8), to: [.session("a")])
        world.hub.sessionEnded("a")
        reader.pump()
        #expect(reader.events.map(\.type) == ["chat.updated"] && reader.isEnded)
    }

    @Test func aSessionThatIsGoneBeforeItsStreamOpensEndsIt() throws {
        let world = StreamWorld()
        let reader = try world.session("gone")
        reader.pump()
        #expect(reader.isEnded)
    }

    @Test func listsTheStreams() throws {
        let world = StreamWorld()
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

/// The feed of the whole log.
@Suite struct LogScopeTests {
    @Test func itHasEveryEventOnce() throws {
        let world = StreamWorld(deskMembers: "\"channel\":\"c\"")
        world.log("before", [.account(7)])
        let reader = try world.log(after: "e1-0")
        reader.pump()
        #expect(names(reader.take()) == ["before", "ready"])
        world.log("a", [.account(1), .desk])
        world.log("b", [.account(2)])
        world.say("c", to: [.session("s9")])
        reader.pump()
        let events = reader.take()
        #expect(names(events) == ["a", "b", "c"])
        #expect(events[0].data.hasPrefix("{\"desk\":true,") && events[0].data.contains("\"channel\":\"c\""))
        #expect(events[2].data.contains("\"sessions\":[\"s9\"]"))
    }

    @Test func noSessionEndsIt() throws {
        let world = StreamWorld()
        let reader = try world.log()
        reader.pump()
        _ = reader.take()
        world.hub.sessionEnded("s1")
        world.log("still", [.account(1)])
        reader.pump()
        #expect(names(reader.take()) == ["still"])
    }
}
