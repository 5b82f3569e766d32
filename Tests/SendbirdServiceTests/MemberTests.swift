import Chat
import ChatModel
import ChatStore
import Formats
@testable import SendbirdService
import TestSupport
import Testing

/// Who else is in a thread, and what an invited customer may do.
@Suite struct MemberTests {
    private static let room = DeskThread(id: "room_1")

    private static func begin(_ world: TwoGateways, _ members: [MemberDraft]) async throws -> ChatClient {
        let client = try await world.session()
        _ = try await world.desk.createThread(
            DeskThreadDraft(id: room.id, channel: "multi", members: members), as: nil, receipt: nil)
        let account = client.account
        #expect(try await world.passes { try await world.store.read { try $0.hasThread(room.id, of: account) } })
        return client
    }

    private static func names(of client: ChatClient, _ world: TwoGateways) async throws -> [String] {
        let members = try await world.thread(room.id, of: client)["members"]?.array ?? []
        return members.map { ($0["id"]?.string ?? "") + ($0["firstName"]?.string.map { ":" + $0 } ?? "") }
    }

    /// The customer is the first, the others follow in the order of their ids.
    @Test func theOthersAreShown() async throws {
        try await TwoGateways.run { world in
            let ada = try await Self.begin(world, ["cy", "bob", "ada"].map { MemberDraft(id: $0) })
            #expect(try await Self.names(of: ada, world) == ["ada", "bob", "cy"])
            let events = EventRecorder(world.store.feed)
            try await world.desk.remove(member: "cy", from: Self.room, as: nil)
            #expect(try await world.passes { try await Self.names(of: ada, world) == ["ada", "bob"] })
            let told = try events.take().filter { $0.type.rawValue == "thread.updated" }.map {
                try $0.json(for: .account(ada.account))["changed"]?.array?.compactMap(\.string) ?? []
            }
            #expect(told == [["members"]])
            // What changes nothing is told to nobody.
            try await ada.ask { _ = try await $0.load(Self.room.id, receipt: nil) }
            #expect(events.take().isEmpty)
            try await world.asks("PUT", "/users/bob", #"{"nickname":"Bob Rey"}"#)
            _ = try await world.desk.add([MemberDraft(id: "dee")], to: Self.room, as: nil, receipt: nil)
            #expect(try await world.passes { try await Self.names(of: ada, world) == ["ada", "bob:Bob Rey", "dee"] })
            // A new name of the customer's own takes nobody away.
            try await ada.ask { _ = try await $0.setCustomer(CustomerDraft(id: "ada", firstName: "Ada"), ifMatch: nil) }
            #expect(try await Self.names(of: ada, world) == ["ada:Ada", "bob:Bob Rey", "dee"])
            // Lists are filtered by them.
            for (members, count) in [(["bob"], 1), (["dee", "ada"], 1), (["cy"], 0), (["dee", "cy"], 0)] {
                let found = try await world.store.read {
                    try $0.threads(
                        of: ada.account, ThreadQuery(members: Set(members)),
                        after: .first, limit: 10
                    ).rows.count
                }
                #expect(found == count, "\(members)")
            }
        }
    }

    /// Who is invited may read, and accept or decline.
    @Test func anInvitation() async throws {
        try await TwoGateways.run { world in
            let ada = try await Self.begin(world, [MemberDraft(id: "bob"), MemberDraft(id: "ada", state: .invited)])
            try await world.deskSends("Hello", to: Self.room.id)
            #expect(try await world.passes { try await world.texts(of: ada, in: Self.room.id) == ["Hello"] })
            #expect(try await world.thread(Self.room.id, of: ada)["memberState"]?.string == "invited")
            let deeds: [@Sendable (any ServiceConnection) async throws -> Void] = [
                { _ = try await $0.markRead(Self.room.id, receipt: nil) },
                { try await $0.reportTyping(true, in: Self.room.id) },
                { _ = try await $0.rename(Self.room.id, to: "x", ifMatch: nil) },
                { _ = try await $0.archive(Self.room.id, receipt: nil) },
                { _ = try await $0.resetHistory(Self.room.id, receipt: nil) },
                { _ = try await $0.setCustomFields(["a": "b"], of: Self.room.id) },
            ]
            let before = world.port.calls.count { $0.method != "GET" }
            for deed in deeds {
                let error = await #expect(throws: ChatError.self) { try await ada.ask(deed) }
                #expect(error?.code == .notJoined)
            }
            let error = await #expect(throws: ChatError.self) {
                _ = try await ada.send(MessageDraft(text: "Hi"), to: Self.room.id, receipt: nil)
            }
            #expect(error?.code == .notJoined && world.port.calls.count { $0.method != "GET" } == before)
            try await ada.ask { _ = try await $0.join(Self.room.id, receipt: nil) }
            #expect(try await world.thread(Self.room.id, of: ada)["memberState"] == nil)
            _ = try await ada.send(MessageDraft(text: "Hi"), to: Self.room.id, receipt: nil)
            #expect(try await world.farTexts(in: Self.room.id) == ["Hello", "Hi"])
            try await ada.ask { _ = try await $0.leave(Self.room.id, receipt: nil) }
            #expect(try await Self.farMembers(world) == ["bob"])
        }
    }

    @Test func anInvitationIsDeclined() async throws {
        try await TwoGateways.run { world in
            let ada = try await Self.begin(world, [MemberDraft(id: "bob"), MemberDraft(id: "ada", state: .invited)])
            try await ada.ask { _ = try await $0.leave(Self.room.id, receipt: nil) }
            #expect(world.port.count("PUT", "/decline") == 1 && world.port.count("PUT", "/leave") == 0)
            #expect(try await Self.farMembers(world) == ["bob"])
            #expect(try await world.store.read { try !$0.hasThread(Self.room.id, of: ada.account) })
        }
    }

    /// Another customer's message is not seen because its author has read it.
    @Test func whoSeesAnothersMessage() async throws {
        try await TwoGateways.run(agents: ["desk_2"]) { world in
            for user in ["bob", "desk_2"] { try await world.has(user: user) }
            let ada = try await Self.begin(world, ["ada", "bob", "desk_2"].map { MemberDraft(id: $0) })
            func reads(_ user: String) async throws {
                try await world.asks(
                    "PUT", "/group_channels/\(Self.room.id)/messages/mark_as_read", #"{"user_id":"\#(user)"}"#)
            }
            _ = try await ada.send(MessageDraft(text: "mine"), to: Self.room.id, receipt: nil)
            for text in ["one", "two"] {
                try await world.asks(
                    "POST", "/group_channels/\(Self.room.id)/messages",
                    #"{"message_type":"MESG","user_id":"bob","message":"\#(text)"}"#)
            }
            try await reads("bob")
            #expect(try await world.passes { try await world.texts(of: ada, in: Self.room.id).count == 3 })
            try await ada.ask { _ = try await $0.load(Self.room.id, receipt: nil) }
            let messages = try await world.messages(of: ada, in: Self.room.id)
            #expect(messages.map(\.status) == [.seen, .sent, .sent], "bob has read ada's")
            #expect(messages[1...].allSatisfy { $0.seenAt == nil })
            try await reads("desk_2")
            // Now bob has read the newest, as the first of them.
            try await world.asks(
                "POST", "/group_channels/\(Self.room.id)/messages",
                #"{"message_type":"MESG","user_id":"bob","message":"three"}"#)
            try await reads("bob")
            try await ada.ask { _ = try await $0.load(Self.room.id, receipt: nil) }
            #expect(
                try await world.passes {
                    try await world.messages(of: ada, in: Self.room.id).map(\.status) == [.seen, .seen, .seen, .sent]
                })
        }
    }

    private static func farMembers(_ world: TwoGateways) async throws -> [String] {
        try await world.farStore.read {
            try $0.deskThreads(room.id, onService: "local", channel: nil, customer: nil).first?.thread.members.map(\.id)
                ?? []
        }
    }
}
