import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// Channels that the platform has before the customer asks for them.
@Suite struct ThreadMakingTests {
    /// A channel that somebody else makes. The agent is a user, but in no channel by that.
    private static func channel(_ url: String, of users: [String], _ world: TwoGateways, type: String = "") async throws
    {
        for user in Set(users + ["desk_2"]) { try await world.has(user: user) }
        let list = users.map { #""\#($0)""# }.joined(separator: ",")
        try await world.asks(
            "POST", "/group_channels", #"{"user_ids":[\#(list)],"channel_url":"\#(url)","custom_type":"\#(type)"}"#)
    }

    private static func thread(of client: ChatClient, _ world: TwoGateways) async throws -> String {
        let account = client.account
        return try #require(try await world.store.read { try $0.openThreads(of: account, limit: 1) }.first?.thread.id)
    }

    /// Whose channel it is, is asked before anything is written to it.
    @Test(arguments: [(["bob"], ""), (["ada"], "other"), (["ada", "bob"], "")])
    func aChannelOfOthersIsNotWrittenTo(users: [String], type: String) async throws {
        try await TwoGateways.run(agents: ["desk_2"]) { world in
            let ada = try await world.session("ada")
            try await Self.channel("order_8", of: users, world, type: type)
            let error = await #expect(throws: ChatError.self) {
                _ = try await ada.createThread(
                    ThreadDraft(id: "order_8", customFields: ["topic": "x"]), receipt: nil)
            }
            #expect(error?.code == .threadIdConflict)
            #expect(world.port.count("PUT", "/metadata") == 0)
            #expect(try await world.store.read { try $0.threadCount(of: ada.account) } == 0)
        }
    }

    /// The URL of a customer's only thread can be computed by anybody.
    @Test func idsOfTheGatewaysOwnAreRefused() async throws {
        try await TwoGateways.run { world in
            let ada = try await world.session("ada")
            let error = await #expect(throws: ChatError.self) {
                _ = try await ada.createThread(ThreadDraft(id: "parley_0123456789abcdef"), receipt: nil)
            }
            #expect(error?.code == .invalidParameter && error?.pointer == "/id")
            #expect(world.port.count("POST", "/group_channels") == 0)
        }
    }

    /// A platform may repeat what it was sent.
    @Test func theTokenIsInNoRefusal() async throws {
        try await TwoGateways.run { world in
            let ada = try await world.session("ada")
            world.port.next(
                "POST", "/group_channels",
                .answer(
                    status: 400, body: #"{"error":true,"code":400111,"message":"Not with \#(world.token)."}"#,
                    headers: [:]))
            let error = await #expect(throws: ChatError.self) {
                _ = try await ada.createThread(ThreadDraft(id: "order_8"), receipt: nil)
            }
            #expect(error?.detail.contains("Not with [token].") == true)
        }
    }

    /// Who is only invited to a channel did not make it.
    @Test func anInvitationIsNoThreadOfOnesOwn() async throws {
        try await TwoGateways.run { world in
            let ada = try await world.session("ada")
            _ = try await world.desk.createThread(
                DeskThreadDraft(id: "order_8", channel: "multi", members: [MemberDraft(id: "ada", state: .invited)]),
                as: nil, receipt: nil)
            let error = await #expect(throws: ChatError.self) {
                _ = try await ada.createThread(
                    ThreadDraft(id: "order_8", customFields: ["topic": "x"]), receipt: nil)
            }
            #expect(error?.code == .threadIdConflict && world.port.count("PUT", "/metadata") == 0)
        }
    }

    /// A channel that was there has messages that are not here yet. They are read when somebody looks at it.
    @Test func aChannelWithMessages() async throws {
        try await TwoGateways.run { world in
            try await Self.channel("order_7", of: ["bob"], world)
            for number in 0..<130 { try await world.deskSends("\(number)", to: "order_7") }
            world.pass(.seconds(3600))
            let ada = try await world.session("ada")
            try await world.asks(
                "POST", "/group_channels/order_7/invite",
                #"{"user_ids":["ada"],"invitation_status":{"ada":"joined"}}"#)
            let draft = ThreadDraft(id: "order_7", customFields: ["topic": "x"])
            let outcome = try await ada.createThread(draft, receipt: nil)
            let json = try await world.thread(outcome.id, of: ada)
            #expect(json["customFields"]?["topic"]?.string == "x", "as for a lost answer")
            #expect(try await world.passes { try await world.messages(of: ada, in: "order_7").count == 130 })
        }
    }

    /// The URL of a customer's only thread can be computed: nobody gets the customer's messages by being there first.
    @Test(arguments: [false, true]) func aStrangerIsThereFirst(hasAgent: Bool) async throws {
        try await TwoGateways.run(agents: ["desk_2"]) { world in
            let ada = try await world.session("ada", on: "single")
            let thread = try await Self.thread(of: ada, world)
            try await Self.channel(thread, of: hasAgent ? ["desk_2", "eve"] : ["eve"], world, type: "one")
            let error = await #expect(throws: ChatError.self) {
                _ = try await ada.send(MessageDraft(text: "secret"), to: thread, receipt: nil)
            }
            #expect(error?.code == .notJoined)
            #expect(world.port.count("POST", "/invite") == 0)
            #expect(try await world.farTexts(in: thread) == [])
        }
    }

    /// Where nobody else is in it, or agents alone, the customer is invited; and where nobody is, agents are, too.
    @Test(arguments: [["ada"], ["ada", "desk_2"]]) func itsCustomerIsRemoved(users: [String]) async throws {
        try await TwoGateways.run(agents: ["desk_2"]) { world in
            let ada = try await world.session("ada", on: "single")
            let thread = try await Self.thread(of: ada, world)
            try await Self.channel(thread, of: users, world, type: "one")
            try await world.desk.remove(member: "ada", from: DeskThread(id: thread), as: nil)
            _ = try await ada.send(MessageDraft(text: "Hello"), to: thread, receipt: nil)
            #expect(try await world.farTexts(in: thread) == ["Hello"])
            let members = try await world.farStore.read {
                try $0.deskThreads(thread, onService: "local", channel: nil, customer: nil).first?.thread.members
            }
            #expect(members?.map(\.id).sorted() == ["ada", "desk_2"])
        }
    }

    /// Somebody has invited the customer to the only thread: who writes accepts.
    @Test func itsCustomerIsInvited() async throws {
        try await TwoGateways.run(agents: ["desk_2"]) { world in
            let ada = try await world.session("ada", on: "single")
            let thread = try await Self.thread(of: ada, world)
            try await Self.channel(thread, of: ["desk_2"], world, type: "one")
            _ = try await world.desk.add(
                [MemberDraft(id: "ada", state: .invited)], to: DeskThread(id: thread), as: nil, receipt: nil)
            _ = try await ada.send(MessageDraft(text: "Hello"), to: thread, receipt: nil)
            #expect(try await world.farTexts(in: thread) == ["Hello"])
            #expect(try await world.thread(thread, of: ada)["memberState"] == nil)
        }
    }
}
