import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// A channel on which each customer has one thread.
@Suite struct SingleThreadTests {
    private static func thread(of client: ChatClient, _ world: TwoGateways) async throws -> ChatThread {
        let account = client.account
        let threads = try await world.store.read { try $0.openThreads(of: account, limit: 10) }
        #expect(threads.count == 1)
        return try #require(threads.first?.thread)
    }

    /// The session makes the thread here; the platform has its channel with the first message.
    @Test func itsFirstMessageMakesTheChannel() async throws {
        try await TwoGateways.run { world in
            let ada = try await world.session(on: "single")
            #expect(ada.state == .ready && ada.channel.mode == .singlethread)
            #expect(!ada.channel.capabilities.contains(.threads))
            let thread = try await Self.thread(of: ada, world)
            #expect(thread.state == .pending)
            try await ada.ask { _ = try await $0.load(thread.id, receipt: nil) }
            world.pass(.seconds(30))
            #expect(await eventually { world.port.isQuiet })
            #expect(world.port.calls.allSatisfy { !$0.path.contains(thread.id) })
            #expect(world.port.count("POST", "/group_channels") == 0)
            _ = try await ada.send(MessageDraft(text: "Hello"), to: thread.id, receipt: nil)
            #expect(try await world.farTexts(in: thread.id) == ["Hello"])
            #expect(try await Self.thread(of: ada, world).state == .ready)
            try await world.deskSends("Hi", to: thread.id)
            #expect(try await world.passes { try await world.texts(of: ada, in: thread.id) == ["Hello", "Hi"] })
            _ = try await ada.send(MessageDraft(text: "again"), to: thread.id, receipt: nil)
            #expect(world.port.count("POST", "/group_channels") == 1)
            // Others have others.
            let bob = try await world.session("bob", on: "single")
            #expect(try await Self.thread(of: bob, world).id != thread.id)
            await #expect(throws: ChatError.self) { _ = try await ada.createThread(ThreadDraft(), receipt: nil) }
        }
    }

    /// A lost answer to the channel's making is no second channel and no second message.
    @Test(arguments: [true, false]) func theAnswerIsLost(arrives: Bool) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(on: "single")
            let thread = try await Self.thread(of: client, world).id
            world.port.next("POST", "/group_channels", arrives ? .loseAnswer : .loseRequest)
            let work = Task { _ = try? await client.send(MessageDraft(text: "Hello"), to: thread, receipt: nil) }
            #expect(try await world.passes { try await world.farTexts(in: thread) == ["Hello"] })
            await work.value
            #expect(
                try await world.passes { try await world.messages(of: client, in: thread).map(\.status) == [.sent] })
            #expect(world.port.count("POST", "/messages") == 1)
        }
    }

    /// Somebody else makes the channel of the customer's thread: a webhook tells of it, and the message is here.
    @Test func aWebhookTellsOfAChannelThatOthersMade() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(on: "single")
            let thread = try await Self.thread(of: client, world).id
            // While webhooks come, lists are polled once a minute.
            #expect(world.hears("join", in: "other") == .taken)
            await world.elapse(3)
            try await world.asks(
                "POST", "/group_channels",
                #"{"user_ids":["ada"],"channel_url":"\#(thread)","custom_type":"one"}"#)
            try await world.deskSends("Hello", to: thread)
            #expect(world.hears("message_send", in: thread) == .taken)
            world.pass(.milliseconds(100))
            #expect(await eventually { (try? await world.texts(of: client, in: thread)) == ["Hello"] })
        }
    }

    /// What the platform has is found again where the cache is lost; other channels of the type are no threads.
    @Test func itIsFoundAgain() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(on: "single")
            let (thread, account) = (try await Self.thread(of: client, world).id, client.account)
            _ = try await client.send(MessageDraft(text: "Hello"), to: thread, receipt: nil)
            try await world.asks(
                "POST", "/group_channels", #"{"user_ids":["ada"],"channel_url":"other_1","custom_type":"one"}"#)
            try await client.disconnect()
            try await world.store.write { try $0.removeRemoteThread(thread, of: account) }
            try await client.connect()
            #expect(try await world.passes { try await world.store.read { try $0.hasThread(thread, of: account) } })
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["Hello"] })
            world.pass(.seconds(5))
            #expect(await eventually { world.port.isQuiet })
            #expect(try await Self.thread(of: client, world).id == thread)
        }
    }

    /// Somebody removes the customer from the only thread: who writes again is in it again.
    @Test func itsCustomerIsRemoved() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(on: "single")
            let (thread, account) = (try await Self.thread(of: client, world).id, client.account)
            _ = try await client.send(MessageDraft(text: "one"), to: thread, receipt: nil)
            try await world.desk.remove(member: "ada", from: DeskThread(id: thread), as: nil)
            #expect(try await world.passes { try await world.store.read { try !$0.hasThread(thread, of: account) } })
            _ = try await client.createThread(ThreadDraft(), receipt: nil)
            _ = try await client.send(MessageDraft(text: "two"), to: thread, receipt: nil)
            #expect(try await world.farTexts(in: thread) == ["one", "two"])
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["one", "two"] })
            // Who is banned is not.
            try await world.desk.remove(member: "ada", from: DeskThread(id: thread), as: nil)
            world.port.next(
                "POST", "/invite",
                .answer(status: 400, body: #"{"error":true,"code":400751,"message":"Banned."}"#, headers: [:]))
            #expect(try await world.passes { try await world.store.read { try !$0.hasThread(thread, of: account) } })
            _ = try await client.createThread(ThreadDraft(), receipt: nil)
            let error = await #expect(throws: ChatError.self) {
                _ = try await client.send(MessageDraft(text: "three"), to: thread, receipt: nil)
            }
            #expect(error?.code == .notJoined)
            #expect(try await world.farTexts(in: thread) == ["one", "two"])
        }
    }

    /// Another gateway has made the customer's thread: it is one for both, with all its messages.
    @Test func anotherGatewayHasMadeIt() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(on: "single")
            let thread = try await Self.thread(of: client, world)
            try await world.asks(
                "POST", "/group_channels", #"{"user_ids":["ada"],"channel_url":"\#(thread.id)","custom_type":"one"}"#)
            for number in 0..<230 { try await world.deskSends("\(number)", to: thread.id) }
            #expect(try await world.passes { try await world.messages(of: client, in: thread.id).count == 230 })
            #expect(try await Self.thread(of: client, world).state == .ready)
            // Where more was missed than a look has, the session may just be connecting anew.
            let sending = Task { _ = try? await client.send(MessageDraft(text: "Hello"), to: thread.id, receipt: nil) }
            #expect(try await world.passes { try await world.farTexts(in: thread.id).count == 231 })
            await sending.value
        }
    }

    /// Everybody can compute the URL of a customer's only thread, and make a channel of it with an app: then the
    /// customer's messages would be read by others.
    @Test(arguments: [false, true]) func aStrangerHasMadeTheChannel(isPublic: Bool) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(on: "single")
            let thread = try await Self.thread(of: client, world).id
            try await world.has(user: "eve")
            try await world.asks(
                "POST", "/group_channels",
                #"{"user_ids":["ada"\#(isPublic ? "" : #","eve""#)],"channel_url":"\#(thread)","custom_type":"one"}"#)
            // A public one may be entered by anybody later.
            world.port.marksAsMade(by: "eve", isPublic: isPublic)
            await world.elapse(20)
            #expect(try await Self.thread(of: client, world).state == .pending)
            let error = await #expect(throws: ChatError.self) {
                _ = try await client.send(MessageDraft(text: "secret"), to: thread, receipt: nil)
            }
            #expect(error?.code == .threadIdConflict)
            #expect(try await world.farTexts(in: thread) == [])
        }
    }

    /// Before its first message there is nothing to reset.
    @Test func aResetBeforeTheFirstMessage() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session(on: "single")
            let thread = try await Self.thread(of: client, world).id
            try await client.ask { _ = try await $0.resetHistory(thread, receipt: nil) }
            #expect(world.port.calls.allSatisfy { !$0.path.contains(thread) })
            _ = try await client.send(MessageDraft(text: "Hello"), to: thread, receipt: nil)
            #expect(try await world.texts(of: client, in: thread) == ["Hello"])
        }
    }
}
