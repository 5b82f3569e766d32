import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// What happens on the platform while no session of the customer is connected.
@Suite struct AbsenceTests {
    private static let room = "room_1"

    /// A session of `ada`, and a thread of hers and `bob`'s with some messages, which she has all.
    private static func begin(_ world: TwoGateways, messages: Int) async throws -> ChatClient {
        let client = try await world.sessionWithThread(room)
        for start in stride(from: 0, to: messages, by: 50) {
            for number in start..<min(start + 50, messages) {
                try await world.deskSends("\(number)", to: room, id: "a\(number)")
            }
            let count = min(start + 50, messages)
            #expect(try await world.passes { try await world.messages(of: client, in: room).count == count })
        }
        return client
    }

    /// Up to 300 missed messages are all fetched; of very many, the newest.
    @Test(arguments: [0, 200, 300, 5000]) func missedMessages(count: Int) async throws {
        try await TwoGateways.run { world in
            let client = try await Self.begin(world, messages: 1)
            try await client.disconnect()
            for number in 0..<count { try await world.deskSends("new \(number)", to: Self.room) }
            world.pass(.seconds(3600))
            try await client.connect()
            let newest = (0..<count).suffix(100).map { "new \($0)" }
            #expect(
                try await world.passes {
                    Array(try await world.texts(of: client, in: Self.room).suffix(newest.count)) == newest
                })
            if count <= 300 {
                #expect(
                    try await world.passes { try await world.messages(of: client, in: Self.room).count == count + 1 })
            }
            let texts = try await world.texts(of: client, in: Self.room)
            #expect(Set(texts).count == texts.count)
            #expect(try await world.thread(Self.room, of: client)["unreadCount"]?.integer == Int64(count + 1))
        }
    }

    enum Deed: CaseIterable { case deleted, left, removed, reset, invitedAgain }

    @Test(arguments: Deed.allCases) func meanwhile(deed: Deed) async throws {
        try await TwoGateways.run { world in
            let client = try await Self.begin(world, messages: 3)
            try await client.disconnect()
            let thread = DeskThread(id: Self.room)
            world.environment.advance(milliseconds: 5)
            switch deed {
            case .deleted: try await world.asks("DELETE", "/group_channels/\(Self.room)")
            case .left: try await world.asks("PUT", "/group_channels/\(Self.room)/leave", #"{"user_ids":["ada"]}"#)
            case .removed: try await world.desk.remove(member: "ada", from: thread, as: nil)
            case .reset:
                try await world.asks(
                    "PUT", "/group_channels/\(Self.room)/reset_user_history", #"{"user_id":"ada"}"#)
            case .invitedAgain:
                try await world.desk.remove(member: "ada", from: thread, as: nil)
                _ = try await world.desk.add(
                    [MemberDraft(id: "ada", state: .invited)], to: thread, as: nil, receipt: nil)
            }
            if deed != .deleted { try await world.deskSends("new", to: Self.room) }
            world.pass(.seconds(60))
            try await client.connect()
            let account = client.account
            switch deed {
            case .deleted, .left, .removed:
                #expect(
                    try await world.passes { try await world.store.read { try !$0.hasThread(Self.room, of: account) } })
            case .reset:
                #expect(try await world.passes { try await world.texts(of: client, in: Self.room) == ["new"] })
            case .invitedAgain:
                #expect(
                    try await world.passes {
                        try await world.texts(of: client, in: Self.room) == ["0", "1", "2", "new"]
                    })
                #expect(try await world.thread(Self.room, of: client)["memberState"]?.string == "invited")
                try await client.ask { _ = try await $0.join(Self.room, receipt: nil) }
                #expect(try await world.thread(Self.room, of: client)["memberState"] == nil)
            }
        }
    }

    /// Edits and removals are found among the newest 200 messages, and not among older ones.
    @Test func changesOfOldMessages() async throws {
        try await TwoGateways.run { world in
            let client = try await Self.begin(world, messages: 260)
            try await client.disconnect()
            world.environment.advance(milliseconds: 5)
            for id in ["a30", "a100", "a255"] {
                _ = try await world.desk.edit(
                    id, in: DeskThread(id: Self.room), text: "edited \(id)", ifMatch: nil, as: TwoGateways.agent)
            }
            for id in ["a31", "a101"] {
                try await world.desk.remove(id, in: DeskThread(id: Self.room), ifMatch: nil, as: TwoGateways.agent)
            }
            world.pass(.seconds(60))
            try await client.connect()
            #expect(
                try await world.passes {
                    let texts = try await world.texts(of: client, in: Self.room)
                    return texts.contains("edited a100") && texts.contains("edited a255") && !texts.contains("101")
                })
            let texts = try await world.texts(of: client, in: Self.room)
            #expect(texts.contains("30") && texts.contains("31") && texts.count == 259, "the documented limit")
        }
    }
}
