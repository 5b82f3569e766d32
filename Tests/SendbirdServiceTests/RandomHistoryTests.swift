import Chat
import ChatModel
import ChatStore
import Foundation
@testable import SendbirdService
import TestSupport
import Testing

/// What customers at two gateways and agents do in any order, while calls and answers get lost, are refused or cut off:
/// all have the same in the end, and nothing twice.
///
/// `PARLEY_TEST_HISTORY` is the number of deeds in each history.
@Suite struct RandomHistoryTests {
    private static let deeds = Int(ProcessInfo.processInfo.environment["PARLEY_TEST_HISTORY"] ?? "") ?? 100
    private static let room = "room_1"

    @Test(arguments: [UInt64(1), 2, 3, 4], [true, false])
    func allHaveTheSame(seed: UInt64, hasWebhooks: Bool) async throws {
        try await Self.history(seed: seed, hasWebhooks: hasWebhooks)
    }

    /// Where the platform's descriptions leave something open.
    @Test(arguments: PlatformDifference.allCases)
    func thePlatformIsOtherwise(difference: PlatformDifference) async throws {
        try await Self.history(seed: 5, hasWebhooks: false, difference)
    }

    private static func history(
        seed: UInt64, hasWebhooks: Bool, _ difference: PlatformDifference? = nil
    ) async throws {
        try await TwoGateways.run { world in
            world.port.answers(with: difference)
            try await world.withAnother { other in
                var deeds = RandomDeeds(
                    try await clients(at: [world, other]), in: room, seed: seed, hasWebhooks: hasWebhooks)
                var random = SeededGenerator(seed: seed &+ 1000)
                for step in 0..<Self.deeds {
                    await perform(deeds.next(step), world)
                    if Int.random(in: 0..<3, using: &random) == 0 { world.pass(.seconds(1)) }
                    if step % 100 == 99 { try await compare(deeds, after: step + 1) }
                }
                for thread in deeds.threads {
                    // A message with replies that was removed stays there without a text.
                    let sent = try await world.farMessages(in: thread).map(\.content).filter { $0 != "" }
                    #expect(Set(sent).count == sent.count, "nothing is there twice")
                }
                let counts = deeds.counts.withLock { $0 }
                let undone = RandomDeeds.kinds.map(\.name).filter { counts[$0] == nil }
                #expect(Self.deeds < 1000 || undone.isEmpty)
            }
        }
    }

    /// Both customers at each gateway, with one thread.
    private static func clients(
        at worlds: [TwoGateways]
    ) async throws -> [(world: TwoGateways, client: ChatClient)] {
        var clients: [(world: TwoGateways, client: ChatClient)] = []
        for world in worlds {
            for customer in ["ada", "bob"] { clients.append((world, try await world.session(customer))) }
        }
        _ = try await worlds[0].desk.createThread(
            DeskThreadDraft(id: room, channel: "multi", members: [MemberDraft(id: "ada"), MemberDraft(id: "bob")]),
            as: nil, receipt: nil)
        for (world, client) in clients {
            let account = client.account
            #expect(try await world.passes { try await world.store.read { try $0.hasThread(room, of: account) } })
        }
        return clients
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

    private static func compare(_ deeds: RandomDeeds, after count: Int) async throws {
        deeds.clients[0].world.port.endTroubles()
        for (world, client) in deeds.clients {
            // A thread that nobody does anything in is not compared any more.
            for thread in deeds.threads {
                await perform({ try? await client.ask { _ = try await $0.load(thread, receipt: nil) } }, world)
            }
            let difference = { @Sendable in
                try await Contents(of: client, at: world)
                    .difference(from: Contents(of: client.key.customer, on: world))
            }
            // A thread may go while it is compared.
            _ = await world.passes { (try? await difference())?.isEmpty == true }
            let rest = try await difference()
            #expect(rest == "", "\(client.key.customer), after \(count) deeds")
        }
    }
}
