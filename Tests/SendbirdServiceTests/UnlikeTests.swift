import Chat
import ChatModel
import ChatStore
import HTTPClientPort
@testable import SendbirdService
import TestSupport
import Testing

/// Ids and clocks that are unlike ours, and a token that is withdrawn.
@Suite struct UnlikeTests {
    /// Ids are percent-encoded in paths and queries, and compared byte by byte.
    @Test(arguments: ["a/b %2F@c:d e?f#g&h=i", "../x", "a,b"]) func anID(id: String) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(id)
            #expect(client.state == .ready, "\(client.connectionError.map(String.init(describing:)) ?? "")")
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            world.port.next("POST", "/messages", .loseAnswer)
            _ = try await client.send(MessageDraft(id: "m1", text: "Hello"), to: thread, receipt: nil)
            #expect(try await world.farMessages(in: thread).map(\.author.id) == [id])
            try await world.deskSends("Hi", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["Hello", "Hi"] })
            try await client.ask { _ = try await $0.markRead(thread, receipt: nil) }
            try await client.ask { _ = try await $0.setHidden(true, thread, receipt: nil) }
            #expect(try await world.thread(thread, of: client)["hidden"]?.bool == true)
            try await client.ask { _ = try await $0.setHidden(false, thread, receipt: nil) }
            #expect(try await world.thread(thread, of: client)["hidden"] == nil)
            try await client.ask { _ = try await $0.leave(thread, receipt: nil) }
            #expect(try await world.store.read { try $0.threadCount(of: client.account) } == 0)
        }
    }

    /// The platform's clock is five minutes off. Its times are shown; nothing is lost or doubled by that.
    @Test(arguments: [-300_000, 300_000]) func anotherClock(difference: Int64) async throws {
        try await TwoGateways.run(platformAhead: difference) { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(id: "m1", text: "one"), to: thread, receipt: nil)
            let times = (try await world.farMessages(in: thread)[0].createdAt, world.environment.now)
            #expect(abs(times.0.milliseconds - times.1.milliseconds - difference) < 1000, "it is off")
            world.port.next("POST", "/messages", .loseAnswer)
            _ = try await client.send(MessageDraft(id: "m2", text: "two"), to: thread, receipt: nil)
            try await world.deskSends("three", to: thread, id: "a1")
            #expect(
                try await world.passes { try await world.texts(of: client, in: thread) == ["one", "two", "three"] })
            try await client.disconnect()
            try await world.deskSends("four", to: thread)
            world.environment.advance(milliseconds: 5)
            _ = try await world.desk.edit(
                "a1", in: DeskThread(id: thread), text: "THREE", ifMatch: nil, as: TwoGateways.agent)
            world.pass(.seconds(10))
            try await client.connect()
            #expect(
                try await world.passes {
                    try await world.texts(of: client, in: thread) == ["one", "two", "THREE", "four"]
                })
            #expect(try await world.farTexts(in: thread) == ["one", "two", "THREE", "four"])
            #expect(world.port.count("POST", "/messages") == 2)
        }
    }

    /// One line in the log, few calls, and all is well again with a good token.
    @Test func aTokenIsWithdrawn() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            world.port.answersAll(
                with: .answer(
                    status: 400, body: #"{"error":true,"code":400401,"message":"Not a token."}"#, headers: [:]))
            let before = world.port.calls.count
            await world.elapse(600)
            let calls = world.port.calls.count - before
            #expect(calls < 120, "\(calls) in ten minutes")
            #expect(world.notices.withLock { $0 }.count == 1)
            world.port.answersAll(with: nil)
            try? await client.connect()
            #expect(await world.passes { client.state == .ready })
            try await world.deskSends("Hello", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["Hello"] })
        }
    }
}
