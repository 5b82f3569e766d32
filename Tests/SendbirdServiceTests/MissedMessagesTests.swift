import Chat
import ChatModel
import ChatStore
import Formats
@testable import SendbirdService
import TestSupport
import Testing

/// What could be taken for read, or for gone, and is not.
@Suite struct MissedMessagesTests {
    /// An own message is here at once. It does not say that all before it is.
    @Test func manyMessagesAroundAnOwnOne() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            try await world.deskSends("first", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["first"] })
            for number in 0..<150 { try await world.deskSends("\(number)", to: thread) }
            _ = try await client.send(MessageDraft(id: "m1", text: "mine"), to: thread, receipt: nil)
            for number in 150..<250 { try await world.deskSends("\(number)", to: thread) }
            #expect(try await world.passes { try await world.messages(of: client, in: thread).count == 252 })
            #expect(try await world.texts(of: client, in: thread) == world.farTexts(in: thread))
        }
    }

    /// A platform may count removed messages among those that were asked for.
    @Test func aPageOfRemovedMessages() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(connect: false)
            _ = try await world.desk.createThread(
                DeskThreadDraft(id: "room", channel: "multi", members: [MemberDraft(id: "ada")]), as: nil, receipt: nil)
            for number in 0..<5 { try await world.deskSends("\(number)", to: "room") }
            let time = world.environment.now.milliseconds + 1000
            let removed = (0..<Int64(101)).map {
                #"""
                {"message_id":\#(9000 + $0),"type":"MESG","channel_url":"room","created_at":\#(time + $0),
                 "message":"","is_removed":true}
                """#
            }
            world.port.next(
                "GET", "/messages",
                .answer(status: 200, body: #"{"messages":[\#(removed.joined(separator: ","))]}"#, headers: [:]))
            try await client.connect()
            #expect(try await world.passes { try await world.texts(of: client, in: "room").count == 5 })
        }
    }

    /// A message between two pages of the list moves its channel to the first page, which was read before.
    @Test func aThreadThatIsOnNoPageOfTheList() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            for number in 0..<120 {
                world.environment.advance(milliseconds: 1)
                try await world.asks(
                    "POST", "/group_channels", #"{"user_ids":["ada"],"channel_url":"chan_\#(number)"}"#)
            }
            try await client.disconnect()
            try await client.connect()
            #expect(
                try await world.passes { try await world.store.read { try $0.threadCount(of: client.account) } == 120 })
            try await client.disconnect()
            world.port.next("GET", "/my_group_channels", .wait {})
            world.port.next(
                "GET", "/my_group_channels",
                .wait {
                    try? await world.asks(
                        "POST", "/group_channels/chan_3/messages",
                        #"{"message_type":"MESG","user_id":"ada","message":"up"}"#)
                })
            try await client.connect()
            #expect(try await world.store.read { try $0.hasThread("chan_3", of: client.account) })
            #expect(try await world.store.read { try $0.threadCount(of: client.account) } == 120)
        }
    }

    /// A thread is gone when the platform says so, and not when it says nothing.
    @Test func anAnswerWithoutTheCustomersPart() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            for _ in 0..<3 {
                world.port.next(
                    "GET", "/\(thread)",
                    .answer(status: 200, body: #"{"channel_url":"\#(thread)","created_at":1772442000}"#, headers: [:]))
            }
            try await world.deskSends("hello", to: thread)
            #expect(await world.passes { world.port.count("GET", "/\(thread)") >= 4 })
            #expect(try await world.texts(of: client, in: thread) == ["hello"])
            #expect(
                try await world.store.replay([.account(client.account)], after: 0, limit: 1 << 20).events
                    .allSatisfy { $0.type != .threadRemoved })
        }
    }

    /// While a thread is caught up, more comes than an answer has: wherever that happens, nothing is taken to be here.
    @Test(arguments: 0..<4) func aBurstWhileAThreadIsCaughtUp(calls: Int) async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread("room_1")
            try await world.deskSends("first", to: "room_1")
            #expect(try await world.passes { try await world.texts(of: client, in: "room_1") == ["first"] })
            try await client.disconnect()
            for number in 0..<150 { try await world.deskSends("\(number)", to: "room_1") }
            let (before, mayCome) = (world.port.count("GET", "/room_1/messages"), Watched(false))
            for _ in 0..<calls { world.port.next("GET", "/room_1/messages", .wait {}) }
            world.port.next("GET", "/room_1/messages", .comeLater { _ = await eventually { mayCome.withLock { $0 } } })
            try await client.connect()
            #expect(await eventually { world.port.count("GET", "/room_1/messages") > before + calls })
            for number in 150..<400 { try await world.deskSends("\(number)", to: "room_1") }
            // Another look may be the one that waits.
            #expect(world.hears("message_send", in: "room_1") == .taken)
            world.pass(.milliseconds(100))
            #expect(await eventually { world.port.inFlight == 1 })
            mayCome.change { $0 = true }
            #expect(
                try await world.passes {
                    try await world.texts(of: client, in: "room_1") == world.farTexts(in: "room_1")
                })
        }
    }

    /// It is newer than what the look has read before. Nothing is missing in between.
    @Test func anOwnMessageDuringALook() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(text: "one"), to: thread, receipt: nil)
            let before = world.port.count("GET", "/users/ada")
            world.port.next(
                "GET", "/\(thread)",
                .wait { _ = try? await client.send(MessageDraft(text: "two"), to: thread, receipt: nil) })
            #expect(world.hears("message_send", in: thread) == .taken)
            #expect(try await world.passes { try await world.farTexts(in: thread) == ["one", "two"] })
            await world.elapse(5)
            #expect(try await world.texts(of: client, in: thread) == ["one", "two"])
            #expect(client.state == .ready && world.port.count("GET", "/users/ada") == before)
        }
    }

    /// A thread is opened before the synchronization has come to it: its old messages are no news.
    @Test func anOldThreadIsOpenedAtOnce() async throws {
        try await TwoGateways.run { world in
            try await world.has(user: "ada")
            _ = try await world.desk.createThread(
                DeskThreadDraft(id: "room_1", channel: "multi", members: [MemberDraft(id: "ada")]), as: nil,
                receipt: nil)
            for number in 0..<3 { try await world.deskSends("\(number)", to: "room_1") }
            world.pass(.seconds(3600))
            let mayCome = Watched(false)
            world.port.next("GET", "/room_1/messages", .comeLater { _ = await eventually { mayCome.withLock { $0 } } })
            let client = try await world.session()
            #expect(await eventually { world.port.count("GET", "/room_1/messages") == 1 })
            try await client.ask { _ = try await $0.load("room_1", receipt: nil) }
            let events = try await world.store.replay([.account(client.account)], after: 0, limit: 1 << 20).events
            #expect(events.allSatisfy { $0.type != .messageCreated })
            mayCome.change { $0 = true }
            #expect(try await world.passes { try await world.texts(of: client, in: "room_1") == ["0", "1", "2"] })
            #expect(try await world.thread("room_1", of: client)["unreadCount"]?.integer == 3)
        }
    }

    /// What comes after the platform's answer is not missing there: no message of it is asked for, and nothing is lost.
    @Test func manyMessagesWhileAnAnswerIsOnItsWay() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread("room_1")
            try await world.deskSends("Hello", to: "room_1")
            #expect(try await world.passes { try await world.texts(of: client, in: "room_1") == ["Hello"] })
            await world.elapse(3)
            let (before, mayCome) = (world.port.count("GET", "/room_1/messages"), Watched(false))
            world.port.next("GET", "/room_1/messages", .wait {})
            world.port.next("GET", "/room_1/messages", .comeLater { _ = await eventually { mayCome.withLock { $0 } } })
            #expect(world.hears("message_send", in: "room_1") == .taken)
            world.pass(.milliseconds(100))
            #expect(await eventually { world.port.count("GET", "/room_1/messages") == before + 2 })
            for number in 0..<25 {
                // The platform takes five in a second.
                world.pass(.milliseconds(250))
                _ = try await client.send(MessageDraft(text: "\(number)"), to: "room_1", receipt: nil)
            }
            mayCome.change { $0 = true }
            await world.elapse(1)
            #expect(client.state == .ready)
            #expect(!world.port.calls.contains { $0.method == "GET" && $0.path.contains("/room_1/messages/") })
        }
    }

    @Test func timesThatNoClockHas() {
        let environment = TestEnvironment()
        let progress = ReadProgress(now: { environment.now })
        let now = environment.now.milliseconds
        progress.read("t", for: 1, upTo: .min)
        #expect(progress.reach(of: "t", for: 1).time == 0)
        progress.read("t", for: 1, upTo: .max)
        #expect(progress.reach(of: "t", for: 1).time == now - ReadProgress.clockDifference)
        progress.read("t", for: 1, upTo: now + 300_000)
        progress.read("t", for: 1, upTo: now)
        #expect(progress.reach(of: "t", for: 1).time == now + 300_000)
        #expect(progress.reach(of: "t", for: 2).time == nil)
    }
}
