import Chat
import ChatModel
import ChatStore
import Formats
@testable import SendbirdService
import TestSupport
import Testing

/// A platform that is slow, forgets its pages, or is asked for much at once.
@Suite struct PlatformTroubleTests {
    /// The list begins anew, and no channel is lost.
    @Test func thePageOfAListHasExpired() async throws {
        try await TwoGateways.run { world in
            try await world.asks("POST", "/users", #"{"user_id":"ada","nickname":"Ada","profile_url":""}"#)
            for number in 0..<110 {
                try await world.asks(
                    "POST", "/group_channels",
                    #"{"channel_url":"chan_\#(number)","user_ids":["ada"]}"#)
            }
            world.port.next("GET", "/my_group_channels", .wait {})
            world.port.next(
                "GET", "/my_group_channels",
                .answer(status: 400, body: #"{"error":true,"code":400109,"message":"Expired."}"#, headers: [:]))
            let client = try await world.session()
            #expect(
                await world.passes { (try? await world.store.read { try $0.threadCount(of: client.account) }) == 110 })
            #expect(
                world.port.count("GET", "/my_group_channels") >= 4, "two pages, the second one twice from the first on")
        }
    }

    /// Channels with many members make a list too large: fewer of them are asked for, and no connection is lost.
    @Test func aListIsTooLarge() async throws {
        try await TwoGateways.run { world in
            for _ in 0..<3 { world.port.next("GET", "/my_group_channels", .tooLong) }
            let client = try await world.session()
            #expect(client.state == .ready)
            let asked = world.port.calls.filter { $0.path.hasSuffix("/my_group_channels") }
            for (call, limit) in zip(asked, [100, 25, 6, 1]) { #expect(call.url.contains("limit=\(limit)&")) }
            #expect(asked.count >= 4)
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            for _ in 0..<3 { world.port.next("GET", "/v3/group_channels", .tooLong) }
            try await world.deskSends("Hello", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["Hello"] })
            await world.elapse(20)
            #expect(world.port.count("GET", "/users/ada") == 1)
            let lists = world.port.calls.filter { $0.path.hasSuffix("/v3/group_channels") && $0.method == "GET" }
            // One channel alone may be too large: then its members are left out.
            #expect(lists.last?.url.contains("limit=20&") == true && lists.last?.url.contains("show_member") == false)
        }
    }

    /// A page of messages has more bytes than are read: it is read in parts, and nothing of it is missing.
    @Test func aPageOfMessagesIsTooLarge() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread("t1")
            // Twelve have the same time.
            for index in 0..<230 {
                if index % 40 > 12 { world.environment.advance(milliseconds: 1) }
                _ = try await world.desk.send(
                    MessageDraft(text: "\(index) " + String(repeating: "x", count: 2000)), as: TwoGateways.agent,
                    to: DeskThread(id: "t1"), receipt: nil)
            }
            world.port.readsAtMost(60_000)
            try await client.disconnect()
            try await client.connect()
            _ = try await client.ask { _ = try await $0.load("t1", receipt: nil) }
            let all = try await world.farTexts(in: "t1")
            #expect(all.count == 230)
            #expect(try await world.passes { try await world.texts(of: client, in: "t1").count == 230 })
            #expect(try await Set(world.texts(of: client, in: "t1")) == Set(all))
            let first = try #require(try await world.farMessages(in: "t1").last)
            world.environment.advance(milliseconds: 2)
            _ = try await world.desk.edit(
                first.id, in: DeskThread(id: "t1"), text: "edited", ifMatch: nil, as: TwoGateways.agent)
            #expect(try await world.passes { try await world.texts(of: client, in: "t1").contains("edited") })
            #expect(world.port.count("GET", "/users/ada") <= 2, "the connection is not lost")
        }
    }

    /// More channels have changed than are on five pages of the application's list, which are short here. If a page fails,
    /// the next poll looks at what is behind it.
    @Test(arguments: [false, true]) func manyChannelsHaveNewsAtOnce(aPageFails: Bool) async throws {
        try await TwoGateways.run { world in
            let ids = (0..<12).map { "room_\($0)" }
            try await world.has(user: "ada")
            for id in ids {
                _ = try await world.desk.createThread(
                    DeskThreadDraft(id: id, channel: "multi", members: [MemberDraft(id: "ada")]), as: nil, receipt: nil)
            }
            let client = try await world.session()
            let account = client.account
            #expect(try await world.passes { try await world.store.read { try $0.threadCount(of: account) } == 12 })
            await world.elapse(20)
            let before = world.port.count("GET", "/my_group_channels")
            world.port.next("GET", "/v3/group_channels", .tooLong)
            if aPageFails {
                world.port.next("GET", "/v3/group_channels", .wait {})
                world.port.next("GET", "/v3/group_channels", .loseAnswer)
            } else {
                world.port.next("GET", "/v3/group_channels", .tooLong)
            }
            for id in ids { try await world.deskSends("News", to: id) }
            #expect(
                try await world.passes {
                    try await world.store.read { transaction in
                        try ids.allSatisfy {
                            try transaction.thread($0, of: account)?.thread.lastMessage?.text == "News"
                        }
                    }
                })
            #expect(world.port.count("GET", "/my_group_channels") == before, "the account's own list brought them")
        }
    }

    /// What is refused for one of two members is there for the other.
    @Test(arguments: [false, true]) func oneMemberIsRefused(isHeard: Bool) async throws {
        try await TwoGateways.run { world in
            let ada = try await world.sessionWithThread("t1")
            let bob = try await world.session("bob")
            let account = bob.account
            #expect(try await world.passes { try await world.store.read { try $0.hasThread("t1", of: account) } })
            await world.elapse(20)
            let before = world.port.count("GET", "/my_group_channels")
            world.port.next(
                "GET", "/messages",
                .answer(status: 400, body: #"{"error":true,"code":400108,"message":"Not authorized."}"#, headers: [:]))
            try await world.deskSends("Hello", to: "t1")
            if isHeard { #expect(world.hears("message_send", in: "t1") == .taken) }
            #expect(
                try await world.passes {
                    let texts = [try await world.texts(of: ada, in: "t1"), try await world.texts(of: bob, in: "t1")]
                    return texts.contains(["Hello"])
                })
            #expect(world.port.count("GET", "/my_group_channels") == before, "the account's own list brought it")
        }
    }

    /// A lasting refusal for one of them does not say that the other one has the news.
    @Test func oneMemberIsRefusedAndAnothersAnswerIsLost() async throws {
        try await TwoGateways.run { world in
            let ada = try await world.sessionWithThread("t1")
            let bob = try await world.session("bob")
            let account = bob.account
            #expect(try await world.passes { try await world.store.read { try $0.hasThread("t1", of: account) } })
            await world.elapse(20)
            let before = world.port.count("GET", "/my_group_channels")
            world.port.next("GET", "/t1/messages", .loseAnswer)
            world.port.next(
                "GET", "/t1/messages",
                .answer(status: 400, body: #"{"error":true,"code":400108,"message":"Not authorized."}"#, headers: [:]))
            try await world.deskSends("Hello", to: "t1")
            #expect(
                try await world.passes {
                    let texts = [try await world.texts(of: ada, in: "t1"), try await world.texts(of: bob, in: "t1")]
                    return texts.contains(["Hello"])
                })
            #expect(world.port.count("GET", "/my_group_channels") == before, "the account's own list brought it")
        }
    }

    /// Fields that are set while the first message makes the channel of the only thread are there and here.
    @Test func fieldsWhileTheChannelIsMade() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(on: "single")
            let account = client.account
            let threads = try await world.store.read { try $0.openThreads(of: account, limit: 10) }
            let thread = try #require(threads.first?.thread.id)
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            world.port.next("POST", "/group_channels", .wait { for await _ in gate {} })
            let sending = Task { try await client.send(MessageDraft(text: "Hello"), to: thread, receipt: nil) }
            #expect(await eventually { world.port.count("POST", "/group_channels") == 1 })
            try await client.ask { _ = try await $0.setCustomFields(["a": "1"], of: thread, ifMatch: nil) }
            open.finish()
            _ = try await sending.value
            await world.elapse(20)
            #expect(try await world.thread(thread, of: client)["customFields"]?["a"]?.string == "1")
            let there = try await world.port.look(
                at: "/v3/group_channels/\(thread)?show_metadata=true", token: world.token)
            #expect(there["metadata"]?["a"]?.string == "1", "\(there)")
        }
    }

    /// Two requests set different fields at the same time: both stay.
    @Test func twoFieldsAtOnce() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread("t1")
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            world.port.next("PUT", "/metadata", .wait { for await _ in gate {} })
            let first = Task {
                try await client.ask { _ = try await $0.setCustomFields(["a": "1"], of: "t1", ifMatch: nil) }
            }
            #expect(await eventually { world.port.count("PUT", "/metadata") == 1 })
            try await client.ask { _ = try await $0.setCustomFields(["b": "2"], of: "t1", ifMatch: nil) }
            open.finish()
            try await first.value
            let fields = try await world.thread("t1", of: client)["customFields"]
            #expect(fields?["a"]?.string == "1" && fields?["b"]?.string == "2")
        }
    }

    /// A text was cut within an emoji: its half character must not make the thread unreadable.
    @Test func aHalfCharacter() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread("t1")
            world.port.replaces("half", with: #"\ud83d"#)
            try await world.deskSends("a half of it", to: "t1")
            #expect(try await world.passes { try await world.texts(of: client, in: "t1") == ["a \u{FFFD} of it"] })
        }
    }

    /// Nor must bytes that are no text.
    @Test func bytesThatAreNoText() async throws {
        try await TwoGateways.run { world in
            let client = try await world.sessionWithThread("t1")
            world.port.replaces("half", with: [0xED, 0xA0, 0xBD])
            try await world.deskSends("a half of it", to: "t1")
            #expect(
                try await world.passes {
                    let text = try await world.texts(of: client, in: "t1").first ?? ""
                    return text.hasPrefix("a \u{FFFD}") && text.hasSuffix("\u{FFFD} of it")
                })
            #expect(client.state == .ready)
        }
    }

    /// What waits for one answer holds up nothing else.
    @Test func anAnswerTakesLong() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            world.port.next("GET", "/group_channels", .wait { for await _ in gate {} })
            try await world.deskSends("While it waits", to: thread)
            _ = try await client.send(MessageDraft(id: "m1", text: "An own one"), to: thread, receipt: nil)
            #expect(try await world.farTexts(in: thread) == ["While it waits", "An own one"])
            open.finish()
            #expect(
                try await world.passes {
                    try await Set(world.texts(of: client, in: thread)) == ["While it waits", "An own one"]
                })
        }
    }

    /// 40 threads in view, on the smallest plan: there are no more calls than it allows, and none of the threads
    /// starves.
    @Test func fortyThreadsInView() async throws {
        try await TwoGateways.run(gets: 10, writes: 5) { world in
            try await world.asks("POST", "/users", #"{"user_id":"ada","nickname":"Ada","profile_url":""}"#)
            let names = (0..<40).map { "chan_\($0)" }
            for name in names {
                try await world.asks(
                    "POST", "/group_channels",
                    #"{"channel_url":"\#(name)","user_ids":["ada"]}"#)
            }
            let client = try await world.session()
            let isThere: @Sendable () async throws -> Bool = {
                try await world.store.read { try $0.threadCount(of: client.account) } == 40
            }
            #expect(try await world.passes(until: isThere))
            let begun = world.port.calls.count
            // Who has written in a thread looks at it.
            let sending = Task {
                for name in names {
                    _ = try await client.send(MessageDraft(text: "From \(name)"), to: name, receipt: nil)
                }
            }
            let areSent: @Sendable () async throws -> Bool = {
                for name in names where try await world.farTexts(in: name).isEmpty { return false }
                return true
            }
            #expect(try await world.passes(until: areSent))
            _ = try await sending.value
            for name in names { try await world.deskSends("Hello \(name)", to: name) }
            for name in names {
                #expect(
                    try await world.passes {
                        try await world.texts(of: client, in: name) == ["From \(name)", "Hello \(name)"]
                    })
            }
            for (kind, limit) in [(true, 10), (false, 5)] {
                let times = world.port.calls[begun...].filter { ($0.method == "GET") == kind }.map(\.at)
                // The second may change between a call's permission and its arrival. `BudgetTests` look at each second.
                for time in times { #expect(times.count { $0 >= time && $0 < time + .seconds(5) } <= limit * 6) }
            }
        }
    }
}
