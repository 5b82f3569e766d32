import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import SendbirdWire
import TestSupport
import Testing

/// Webhooks make the adapter look sooner, and nothing else.
@Suite struct WebhookTests {
    @Test func aMessageIsSeenAtOnce() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(text: "one"), to: thread, receipt: nil)
            try await world.deskSends("two", to: thread)
            // Doubled ones are one.
            let before = world.port.count("GET", "/messages")
            for _ in 0..<5 { #expect(world.hears("message_send", in: thread) == .taken) }
            world.pass(.milliseconds(100))
            #expect(
                await eventually {
                    (try? await world.texts(of: client, in: thread)) == ["one", "two"] && world.port.isQuiet
                })
            #expect(world.port.count("GET", "/messages") == before + 2)
        }
    }

    /// Polls have brought all by then, and nothing comes twice.
    @Test func aWebhookTenMinutesLate() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            try await world.deskSends("one", to: thread, id: "a1")
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["one"] })
            _ = try await world.desk.edit(
                "a1", in: DeskThread(id: thread), text: "ONE", ifMatch: nil, as: TwoGateways.agent)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["ONE"] })
            world.pass(.seconds(600))
            let before = world.port.count("GET", "/messages")
            #expect(world.hears("message_send", in: thread) == .taken)
            #expect(await world.passes { world.port.count("GET", "/messages") > before && world.port.isQuiet })
            #expect(try await world.texts(of: client, in: thread) == ["ONE"])
        }
    }

    /// Other channels of the application are nobody's threads here: their webhooks take no calls.
    @Test func aChannelOfAnotherType() async throws {
        try await TwoGateways.run { world in
            _ = try await world.session()
            await world.elapse(2)
            let before = world.port.calls.count
            for number in 0..<600 {
                let body = Array(
                    String(decoding: world.webhook("message_send", in: "foreign_\(number)"), as: UTF8.self)
                        .replacing(#""channel":{"#, with: #""channel":{"custom_type":"foreign","#).utf8)
                let signature = SendbirdSignature(masterToken: world.token).text(of: body)
                #expect(
                    world.service.take(webhook: body, secret: TwoGateways.hookSecret, signature: signature) == .taken)
            }
            world.pass(.milliseconds(500))
            #expect(await eventually { world.port.isQuiet })
            #expect(world.port.calls.count == before)
            // Polls are as quick as without them.
            let lists = world.port.count("GET", "/v3/group_channels")
            await world.elapse(10)
            #expect(world.port.count("GET", "/v3/group_channels") >= lists + 3)
        }
    }

    @Test func aThreadThatIsNew() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            _ = try await world.desk.createThread(
                DeskThreadDraft(id: "room_1", channel: "multi", members: [MemberDraft(id: "ada")]), as: nil,
                receipt: nil)
            #expect(world.hears("join", in: "room_1") == .taken)
            world.pass(.milliseconds(100))
            #expect(
                await eventually {
                    (try? await world.store.read { try $0.hasThread("room_1", of: client.account) }) == true
                })
        }
    }

    /// Without a webhook the change of so old a message is not seen; and the look at it may fail at first.
    @Test(arguments: [true, false], [0, 2]) func anOldMessage(isRemoved: Bool, failures: Int) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            try await world.deskSends("old", to: thread, id: "a1")
            // Polls read again what is a few seconds old, and the newest hundred.
            world.pass(.seconds(60))
            for number in 0..<120 { try await world.deskSends("\(number)", to: thread) }
            #expect(try await world.passes { try await world.messages(of: client, in: thread).count == 121 })
            let old = try #require(try await world.messages(of: client, in: thread).first?.id)
            world.environment.advance(milliseconds: 2)
            if isRemoved {
                try await world.desk.remove("a1", in: DeskThread(id: thread), ifMatch: nil, as: TwoGateways.agent)
            } else {
                _ = try await world.desk.edit(
                    "a1", in: DeskThread(id: thread), text: "new", ifMatch: nil, as: TwoGateways.agent)
            }
            for _ in 0..<15 {
                world.pass(.seconds(1))
                _ = await eventually { world.port.isQuiet }
            }
            #expect(try await world.texts(of: client, in: thread).first == "old")
            for _ in 0..<failures { world.port.next("GET", "/messages/\(old)", .loseAnswer) }
            // What it says of others is no harm.
            #expect(world.hears("message_update", in: thread, message: 4711) == .taken)
            #expect(world.hears("message_update", in: thread, message: try #require(Int64(old))) == .taken)
            #expect(
                try await world.passes {
                    try await world.texts(of: client, in: thread).first == (isRemoved ? "0" : "new")
                })
            #expect(world.port.count("GET", "/messages/\(old)") > failures)
        }
    }

    @Test func whatIsNotBelieved() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            let body = world.webhook("message_send", in: thread)
            let signature = SendbirdSignature(masterToken: world.token).text(of: body)
            let (secret, service) = (TwoGateways.hookSecret, world.service)
            #expect(service.take(webhook: body, secret: secret + "0", signature: signature) == .unknown)
            #expect(service.take(webhook: body, secret: secret, signature: nil) == .forged)
            #expect(service.take(webhook: body + [0x20], secret: secret, signature: signature) == .forged)
            #expect(service.take(webhook: body, secret: secret, signature: signature.uppercased()) == .forged)
            let large = body + Array(repeating: 0x20, count: SendbirdBound.webhook)
            #expect(service.take(webhook: large, secret: secret, signature: signature) == .forged)
            let calls = world.port.calls.count
            // What is signed and makes no sense is taken, so that it does not come again.
            for text in [
                "", "[]", #"{"category":"group_channel:join","app_id":"other","channel":{"channel_url":"x"}}"#,
            ] {
                let signed = SendbirdSignature(masterToken: world.token).text(of: Array(text.utf8))
                #expect(service.take(webhook: Array(text.utf8), secret: secret, signature: signed) == .taken)
            }
            world.pass(.milliseconds(100))
            #expect(await eventually { world.port.isQuiet })
            #expect(world.port.calls.count == calls)
        }
    }

    @Test func aFloodTakesNoMoreThanPolls() {
        var plan = PollPlan(gets: 10)
        plan.lookSoon(at: "nobody", at: .zero)
        #expect(plan.next == nil)
        plan.add(account: 1, at: .zero)
        for number in 0..<1000 { plan.lookSoon(at: "t\(number)", at: .zero) }
        var (looks, now) = (0, Duration.zero)
        while let next = plan.next, next <= .seconds(60) {
            now = next
            for poll in plan.due(at: next) {
                if case .single = poll { looks += 1 }
                plan.ended(poll, foundNews: false, at: next, gets: 10, random: 0.5)
            }
        }
        // Half of 600 GETs, at three a look.
        #expect((90...101).contains(looks) && now <= .seconds(60))
        let hasRoom = plan.lookSoon(at: "t999", at: now)
        #expect(hasRoom)
        // One that is named while it is looked at is looked at again.
        var other = PollPlan(gets: 1000)
        other.add(account: 1, at: .zero)
        other.lookSoon(at: "t", at: .zero)
        #expect(other.due(at: .milliseconds(50)) == [.single("t")])
        other.lookSoon(at: "t", at: .milliseconds(60))
        other.ended(.single("t"), foundNews: false, at: .milliseconds(70), gets: 1000, random: 0.5)
        #expect(other.next == .milliseconds(120))
    }
}

extension TwoGateways {
    /// A webhook's bytes, as little as the adapter reads of them.
    func webhook(_ category: String, in thread: String, message: Int64 = 1) -> [UInt8] {
        Array(
            """
            {"category":"group_channel:\(category)","app_id":"\(application)",
             "payload":{"message_id":\(message)},"channel":{"channel_url":"\(thread)"}}
            """.utf8)
    }

    func hears(_ category: String, in thread: String, message: Int64 = 1) -> SendbirdService.Webhook {
        let body = webhook(category, in: thread, message: message)
        return service.take(
            webhook: body, secret: Self.hookSecret, signature: SendbirdSignature(masterToken: token).text(of: body))
    }
}
