import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// Calls whose answers, or which themselves, do not arrive. Nothing is done twice.
@Suite struct LostAnswerTests {
    @Test func aMessageWhoseAnswerIsLost() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            world.port.next("POST", "/messages", .loseAnswer)
            _ = try await client.send(MessageDraft(id: "m1", text: "once"), to: thread, receipt: nil)
            #expect(try await world.messages(of: client, in: thread).map(\.id) == ["m1"])
            #expect(try await world.farTexts(in: thread) == ["once"] && world.port.count("POST", "/messages") == 1)
        }
    }

    /// "None" is believed only when the platform can be at it no longer.
    @Test func aMessageThatNeverArrived() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            world.port.next("POST", "/messages", .loseRequest)
            async let sending = client.send(MessageDraft(id: "m1", text: "once"), to: thread, receipt: nil)
            let isUnsent: @Sendable () async throws -> Bool = {
                try await world.store.read { transaction in
                    let record = try transaction.thread(thread, of: client.account)!
                    return try transaction.outgoing("m1", in: record)?.isFailed == true
                }
            }
            let asked = await eventually { world.port.count("GET", "/messages") >= 1 }
            #expect(asked)
            #expect(try await !isUnsent())
            #expect(try await world.passes(until: isUnsent))
            _ = try? await sending
            #expect(try await world.farTexts(in: thread) == [])
            // The row says it a moment before the attempt has ended.
            let isSent = await eventually { (try? await client.resend("m1", in: thread, receipt: nil)) != nil }
            #expect(isSent)
            #expect(try await world.farTexts(in: thread) == ["once"] && world.port.count("POST", "/messages") == 2)
        }
    }

    /// What is known of an attempt outlives the connection: otherwise connections that end early would never tell.
    @Test func anotherConnectionDoesNotWaitLonger() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            world.port.next("POST", "/messages", .loseRequest)
            let begin = world.clock.now
            async let sending = client.send(MessageDraft(id: "m1", text: "once"), to: thread, receipt: nil)
            #expect(await eventually { world.port.count("GET", "/messages") >= 1 })
            for _ in 0..<3 {
                await world.elapse(3)
                try await client.disconnect()
                try await client.connect()
            }
            let isUnsent = try await world.passes {
                try await world.store.read { transaction in
                    let record = try transaction.thread(thread, of: client.account)!
                    return try transaction.outgoing("m1", in: record)?.isFailed == true
                }
            }
            #expect(isUnsent)
            #expect(begin.duration(to: world.clock.now) <= SendAttempts.settling + .seconds(1))
            _ = try? await sending
        }
    }

    /// What became of the message is then not known, and it is looked for.
    @Test(arguments: [
        #""channel_url":"another","user":{"user_id":"ada"}"#, #""user":{"user_id":"eve"}"#,
        #""user":{"user_id":"ada"},"sorted_metaarray":[{"key":"parley_id","value":["m2"]}]"#,
    ])
    func anAnswerThatTellsOfAnotherMessage(members: String) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            let body = #"{"message_id":7,"type":"MESG","message":"foreign","created_at":1772442000000,\#(members)}"#
            world.port.next("POST", "/messages", .answer(status: 200, body: body, headers: [:]))
            async let sending = client.send(MessageDraft(id: "m1", text: "once"), to: thread, receipt: nil)
            let isUnsent = try await world.passes {
                try await world.store.read { transaction in
                    let record = try transaction.thread(thread, of: client.account)!
                    return try transaction.outgoing("m1", in: record)?.isFailed == true
                }
            }
            #expect(isUnsent)
            _ = try? await sending
            #expect(try await world.messages(of: client, in: thread).allSatisfy { $0.text != "foreign" })
        }
    }

    /// The synchronization waits until it is known what became of a message. What was missed meanwhile is no loss.
    @Test func manyMessagesWhileAMessageIsLookedFor() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            try await world.deskSends("first", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["first"] })
            world.port.next("POST", "/messages", .loseRequest)
            async let sending = client.send(MessageDraft(id: "m1", text: "once"), to: thread, receipt: nil)
            #expect(await eventually { world.port.count("GET", "/messages") >= 1 })
            try await client.disconnect()
            for number in 0..<210 { try await world.deskSends("\(number)", to: thread) }
            try await client.connect()
            #expect(try await world.passes { try await world.texts(of: client, in: thread).count == 211 })
            await world.elapse(20)
            #expect(world.port.count("GET", "/users/ada") == 2, "one for each connection")
            _ = try? await sending
        }
    }

    /// The channel is made once, with the client's own id or without, and has what the client wanted.
    @Test(arguments: ["order_7", nil], [SandboxPort.Fate.loseAnswer, .loseRequest])
    func aThreadWhoseAnswerIsLost(id: String?, fate: SandboxPort.Fate) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            world.port.next("POST", "/group_channels", fate)
            let draft = ThreadDraft(id: id, name: "Order 7", customFields: ["topic": "x"])
            let thread = try #require(try await client.createThread(draft, receipt: nil).id)
            #expect(thread == id ?? thread)
            let json = try await world.thread(thread, of: client)
            #expect(json["name"]?.string == "Order 7" && json["customFields"]?["topic"]?.string == "x")
            #expect(try await Self.count(client, world) == [1, 1])
            #expect(world.port.count("POST", "/group_channels") == 2)
            try await world.deskSends("Hello", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["Hello"] })
        }
    }

    /// Where the second answer is lost, too, the client repeats its request: under the same key it is the same thread,
    /// whether a poll has seen it or not.
    @Test(arguments: [false, true]) func aThreadIsAskedForAgain(isSeen: Bool) async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            for _ in 0..<2 { world.port.next("POST", "/group_channels", .loseAnswer) }
            let draft = ThreadDraft(name: "Order 7")
            let receipt = Receipt(scope: "key", fingerprint: "body")
            await #expect(throws: ChatError.self) { _ = try await client.createThread(draft, receipt: receipt) }
            if isSeen { #expect(try await world.passes { try await Self.count(client, world) == [1, 1] }) }
            let thread = try await client.createThread(draft, receipt: receipt).id
            #expect(try await Self.count(client, world) == [1, 1])
            #expect(try await world.store.receipt(scope: "key")?.outcome.id == thread)
            // Other requests are for other threads: also one under the same key, a day later.
            for other in [
                Receipt(scope: "key", fingerprint: "other"), Receipt(scope: "other", fingerprint: "body"), nil,
            ] {
                world.pass(.seconds(1))
                _ = try await client.createThread(draft, receipt: other)
            }
            #expect(try await Self.count(client, world) == [4, 4])
            world.environment.advance(milliseconds: Receipt.lifetimeInMilliseconds)
            world.pass(.seconds(1))
            _ = try await client.createThread(draft, receipt: receipt)
            #expect(try await Self.count(client, world) == [5, 5])
            // Who has left the thread gets another one.
            try await client.ask { _ = try await $0.leave(thread, receipt: nil) }
            world.pass(.seconds(1))
            _ = try await client.createThread(draft, receipt: receipt)
            #expect(try await Self.count(client, world) == [5, 5])
        }
    }

    /// How many threads the account has, and how many the platform has of its user.
    private static func count(_ client: ChatClient, _ world: TwoGateways) async throws -> [Int] {
        let (account, user) = (client.account, AccountKey(service: "local", channel: "multi", customer: "ada"))
        return [
            try await world.store.read { try $0.threadCount(of: account) },
            try await world.farStore.read { transaction in
                try transaction.account(user).map { try transaction.threadCount(of: $0.number) } ?? 0
            },
        ]
    }

    @Test func aRemovalWhoseAnswerIsLost() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            _ = try await client.send(MessageDraft(id: "m1", text: "one"), to: thread, receipt: nil)
            let id = try #require(
                try await world.store.read { try $0.remoteID("m1", in: $0.thread(thread, of: client.account)!) })
            world.port.next("DELETE", "/\(id)", .loseAnswer)
            await #expect(throws: ChatError.self) { try await client.remove("m1", in: thread, ifMatch: nil) }
            try await client.remove("m1", in: thread, ifMatch: nil)
            #expect(try await world.texts(of: client, in: thread) == [])
        }
    }

    private static let away = SandboxPort.Fate.answer(status: 503, body: "", headers: [:])

    /// The thread is read here at once; but the platform hears of it when the reading is repeated, if not before.
    @Test func aReadingThatThePlatformDidNotHear() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            try await world.deskSends("Hello", to: thread)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["Hello"] })
            world.port.next("PUT", "/mark_as_read", Self.away)
            let receipt = Receipt(scope: "read", fingerprint: "")
            await #expect(throws: ChatError.self) {
                try await client.ask { _ = try await $0.markRead(thread, receipt: receipt) }
            }
            #expect(try await world.thread(thread, of: client)["unreadCount"]?.integer == 0)
            #expect(try await world.store.receipt(scope: "read") == nil)
            for _ in 0..<2 {
                try await client.ask { _ = try await $0.markRead(thread, receipt: receipt) }
                #expect(world.port.count("PUT", "/mark_as_read") == 2)
            }
            #expect(try await world.store.receipt(scope: "read") != nil)
            #expect(try await world.farMessages(in: thread).last?.status == .seen)
        }
    }

    @Test func aNameThatThePlatformDidNotHear() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let draft = CustomerDraft(id: "ada", firstName: "Ada", lastName: "Rey")
            world.port.next("PUT", "/users/ada", Self.away)
            await #expect(throws: ChatError.self) {
                try await client.ask { _ = try await $0.setCustomer(draft, ifMatch: nil) }
            }
            for _ in 0..<2 {
                try await client.ask { _ = try await $0.setCustomer(draft, ifMatch: nil) }
                #expect(world.port.count("PUT", "/users/ada") == 2)
            }
            let names = try await world.farStore.read {
                try $0.account(AccountKey(service: "local", channel: "multi", customer: "ada"))?.customer.fullName
            }
            #expect(names == "Ada Rey")
            #expect(try await world.store.read { try $0.account(client.account).customer.fullName } == "Ada Rey")
        }
    }

    /// The thread is still in view after the next connection: edits of older messages are seen.
    @Test func aLossWhileAThreadIsInView() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            for (id, text) in [("a1", "one"), ("a2", "two")] { try await world.deskSends(text, to: thread, id: id) }
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["one", "two"] })
            for _ in 0..<3 {
                world.port.next("GET", "/messages", .loseRequest)
                world.port.next("GET", "/group_channels", .loseRequest)
            }
            #expect(await world.passes { world.port.count("GET", "/users/ada") == 2 && client.state == .ready })
            // The pass after the connection is over.
            #expect(await world.passes { world.port.count("GET", "/group_channels") > 4 })
            _ = try await world.desk.edit(
                "a1", in: DeskThread(id: thread), text: "ONE", ifMatch: nil, as: TwoGateways.agent)
            #expect(try await world.passes { try await world.texts(of: client, in: thread) == ["ONE", "two"] })
        }
    }

    /// A call that was refused for its number was not processed: it is made again, without asking first.
    @Test func tooManyCalls() async throws {
        try await TwoGateways.run { world in
            let client = try await world.session()
            let thread = try #require(try await client.createThread(ThreadDraft(), receipt: nil).id)
            world.port.next("POST", "/messages", .tooMany)
            async let sending = client.send(MessageDraft(id: "m1", text: "once"), to: thread, receipt: nil)
            #expect(await eventually { world.port.count("POST", "/messages") == 1 })
            #expect(try await world.passes { try await world.farTexts(in: thread) == ["once"] })
            _ = try await sending
            let times = world.port.calls.filter { $0.method == "POST" && $0.path.hasSuffix("/messages") }.map(\.at)
            #expect(times.count == 2 && times[1] - times[0] >= .seconds(2))
        }
    }

    @Test(arguments: [400_401, 400_304, 403_100]) func aTokenThatIsWithdrawn(code: Int) async throws {
        try await TwoGateways.run { world in
            for _ in 0..<3 {
                world.port.next(
                    "GET", "/users/ada",
                    .answer(status: 400, body: #"{"error":true,"code":\#(code),"message":"No."}"#, headers: [:]))
            }
            let client = try await world.session()
            #expect(client.state != .ready && client.connectionError?.code == .serverError)
            try? await client.connect()
            let lines = world.notices.withLock { $0 }
            #expect(lines.count == 1 && lines[0].contains("\(code)") && !lines[0].contains(world.token))
        }
    }

    /// No second has more calls than the smallest plan allows, and all arrives.
    @Test func theBudgetIsKept() async throws {
        try await TwoGateways.run(gets: 10, writes: 5) { world in
            let client = try await world.session()
            #expect(await world.passes { client.state == .ready })
            for name in ["one_1", "two_2", "three_3"] {
                async let making = client.createThread(ThreadDraft(id: name), receipt: nil)
                #expect(
                    try await world.passes { try await world.store.read { try $0.hasThread(name, of: client.account) } }
                )
                _ = try? await making
                try await world.deskSends("Hello \(name)", to: name)
            }
            for name in ["one_1", "two_2", "three_3"] {
                #expect(
                    try await world.passes { try await world.texts(of: client, in: name) == ["Hello \(name)"] })
            }
            for (kind, limit) in [(true, 10), (false, 5)] {
                let times = world.port.calls.filter { ($0.method == "GET") == kind }.map(\.at)
                for time in times { #expect(times.count { $0 >= time && $0 < time + .seconds(1) } <= limit) }
            }
        }
    }
}
