import Chat
import ChatModel
import ChatStore
import Foundation
@testable import SendbirdService
import TestSupport
import Testing

/// What customers and agents do in any order, while calls and answers get lost, are refused or cut off: both sides have
/// the same in the end, and nothing twice.
///
/// `PARLEY_TEST_HISTORY` is the number of deeds in each history.
@Suite struct RandomHistoryTests {
    private static let deeds = Int(ProcessInfo.processInfo.environment["PARLEY_TEST_HISTORY"] ?? "") ?? 100
    private static let room = "room_1"

    @Test(arguments: [UInt64(1), 2, 3, 4], [true, false])
    func bothSidesHaveTheSame(seed: UInt64, hasWebhooks: Bool) async throws {
        try await TwoGateways.run { world in
            let clients = [try await world.session("ada"), try await world.session("bob")]
            _ = try await world.desk.createThread(
                DeskThreadDraft(
                    id: Self.room, channel: "multi", members: [MemberDraft(id: "ada"), MemberDraft(id: "bob")]),
                as: nil, receipt: nil)
            for account in clients.map(\.account) {
                #expect(
                    try await world.passes { try await world.store.read { try $0.hasThread(Self.room, of: account) } })
            }
            var (deeds, random) = (
                RandomDeeds(world, clients, in: Self.room, seed: seed, hasWebhooks: hasWebhooks),
                SeededGenerator(seed: seed &+ 1000)
            )
            for step in 0..<Self.deeds {
                await Self.perform(deeds.next(step), world)
                if Int.random(in: 0..<3, using: &random) == 0 { world.pass(.seconds(1)) }
                guard step % 100 == 99 else { continue }
                for client in clients {
                    // A thread that nobody does anything in is not compared any more.
                    await Self.perform(
                        { try? await client.ask { _ = try await $0.load(Self.room, receipt: nil) } }, world)
                    _ = try await world.passes { try await Self.difference(client, world).isEmpty }
                    let difference = try await Self.difference(client, world)
                    #expect(difference == "", "after \(step) deeds")
                }
            }
            // A message with replies that was removed stays there without a text.
            let texts = try await world.farTexts(in: Self.room).filter { $0 != "" }
            #expect(Set(texts).count == texts.count, "nothing is there twice")
        }
    }

    /// Lets time pass until it is done: it may have to wait for that.
    private static func perform(_ deed: @escaping @Sendable () async -> Void, _ world: TwoGateways) async {
        let isDone = Watched(false)
        Task {
            await deed()
            isDone.change { $0 = true }
        }
        #expect(await world.passes { isDone.withLock { $0 } })
    }

    /// What a customer has otherwise than the far gateway.
    private static func difference(_ client: ChatClient, _ world: TwoGateways) async throws -> String {
        let (near, far) = (
            try await describe(world.messages(of: client, in: room)), try await describe(world.farMessages(in: room))
        )
        let (here, there) = (Set(near), Set(far))
        var lines = near.filter { !there.contains($0) }.map { "only here: \($0)" }
        lines += far.filter { !here.contains($0) }.map { "only there: \($0)" }
        let own = try await world.thread(room, of: client)
        let member = try await world.farStore.read { transaction -> MemberRecord? in
            let record = try transaction.deskThreads(room, onService: "local", channel: nil, customer: nil).first
            guard let record, let place = record.thread.members.firstIndex(where: { $0.id == client.key.customer })
            else { return nil }
            return record.members[place]
        }
        let counts = (own["unreadCount"]?.integer, member.map { Int64($0.unreadCount) })
        if counts.0 != counts.1 { lines.append("unread: \(counts)") }
        return lines.joined(separator: "\n")
    }

    /// The messages in a form that is the same on both sides: their parents by their times. The embedded service keeps an
    /// empty message where one with replies was removed; the platform shows none.
    private static func describe(_ all: [Message]) -> [String] {
        let messages = all.filter { $0.author.id != "removed" || $0.text != "" }
        let times = Dictionary(messages.map { ($0.id, $0.createdAt.milliseconds) }) { first, _ in first }
        return messages.map { message in
            let parent = message.parentID.map { times[$0].map(String.init) ?? "unknown" } ?? "none"
            let author = message.author.id.replacing("agent_", with: "")
            return "\(message.createdAt.milliseconds) \(author) \(message.text ?? "") of \(parent)"
        }
    }
}
