import Chat
import ChatModel
import ChatStore
@testable import SendbirdService
import TestSupport
import Testing

/// What customers and agents do in any order, while calls and answers get lost: both sides have the same in the end, and
/// nothing twice.
@Suite struct RandomHistoryTests {
    @Test(arguments: [UInt64(1), 2, 3, 4]) func bothSidesHaveTheSame(seed: UInt64) async throws {
        try await TwoGateways.run { world in
            var random = SeededGenerator(seed: seed)
            let clients = [try await world.session("ada"), try await world.session("bob")]
            _ = try await world.desk.createThread(
                DeskThreadDraft(
                    id: "room_1", channel: "multi", members: [MemberDraft(id: "ada"), MemberDraft(id: "bob")]),
                as: nil, receipt: nil)
            for client in clients { try await Self.begin(client, world) }
            for step in 0..<60 {
                let client = clients[Int.random(in: 0..<2, using: &random)]
                let (kind, isDone) = (Int.random(in: 0..<12, using: &random), Watched(false))
                // Some deeds wait for time to pass.
                Task {
                    await Self.deed(kind, step, client, world)
                    isDone.change { $0 = true }
                }
                let isOver = await world.passes { isDone.withLock { $0 } }
                #expect(isOver)
                if Int.random(in: 0..<3, using: &random) == 0 { world.pass(.seconds(1)) }
            }
            for client in clients {
                let difference = try await Self.lastDifference(client, world)
                #expect(difference == "")
            }
            let texts = try await world.farTexts(in: "room_1")
            #expect(Set(texts).count == texts.count, "nothing is there twice")
        }
    }

    /// Waits until the customer has the room.
    private static func begin(_ client: ChatClient, _ world: TwoGateways) async throws {
        let account = client.account
        let isThere = try await world.passes { try await world.store.read { try $0.hasThread("room_1", of: account) } }
        #expect(isThere)
    }

    /// What still differs when time has passed.
    private static func lastDifference(_ client: ChatClient, _ world: TwoGateways) async throws -> String {
        _ = try await world.passes { try await difference(client, world).isEmpty }
        return try await difference(client, world)
    }

    /// One thing that somebody does, with or without luck.
    private static func deed(_ kind: Int, _ step: Int, _ client: ChatClient, _ world: TwoGateways) async {
        switch kind {
        case 0: world.port.next("POST", "/messages", .loseAnswer)
        case 1: world.port.next("GET", "/messages", .loseAnswer)
        case 2: world.port.next("GET", "/group_channels", .loseRequest)
        case 3: try? await world.deskSends("desk \(step)", to: "room_1")
        case 4:
            guard let message = try? await world.farMessages(in: "room_1").last(where: { $0.direction == .toClient })
            else { return }
            world.environment.advance(milliseconds: 2)
            _ = try? await world.desk.edit(
                message.id, in: DeskThread(id: "room_1"), text: "edited \(step)", ifMatch: nil, as: TwoGateways.agent)
        case 5:
            guard let message = try? await world.farMessages(in: "room_1").last(where: { $0.direction == .toClient })
            else { return }
            try? await world.desk.remove(
                message.id, in: DeskThread(id: "room_1"), ifMatch: nil, as: TwoGateways.agent)
        case 6: try? await client.ask { _ = try await $0.markRead("room_1", receipt: nil) }
        case 7:
            guard let own = try? await own(client, world) else { return }
            world.environment.advance(milliseconds: 2)
            _ = try? await client.edit(own.id, in: "room_1", text: "changed \(step)", ifMatch: nil)
        case 8:
            guard let own = try? await own(client, world) else { return }
            try? await client.remove(own.id, in: "room_1", ifMatch: nil)
        default:
            world.environment.advance(milliseconds: 1)
            _ = try? await client.send(
                MessageDraft(id: "m\(step)", text: "customer \(step)"), to: "room_1", receipt: nil)
        }
    }

    private static func own(_ client: ChatClient, _ world: TwoGateways) async throws -> Message? {
        try await world.messages(of: client, in: "room_1").last { $0.author.id == client.key.customer }
    }

    private static func difference(_ client: ChatClient, _ world: TwoGateways) async throws -> String {
        func line(_ message: Message) -> String {
            "\(message.createdAt.milliseconds) \(message.author.id.replacing("agent_", with: "")) \(message.text ?? "")"
        }
        let near = try await world.messages(of: client, in: "room_1").map(line)
        let far = try await world.farMessages(in: "room_1").map(line)
        return near == far ? "" : "near \(near)\nfar \(far)"
    }
}
