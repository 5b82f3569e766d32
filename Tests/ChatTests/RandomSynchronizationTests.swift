import ChatModel
import ChatStore
import Foundation
import TestSupport
import Testing

@testable import Chat

/// After any history the cache is what the platform has, nothing doubled, nothing lost; and on the way no hole can be read.
@Suite struct RandomSynchronizationTests {
    /// `PARLEY_STEPS` runs more of them.
    private static let seeds = UInt64(max(1, (ProcessInfo.processInfo.environment["PARLEY_STEPS"].flatMap { Int($0) } ?? 600) / 60))

    @Test(arguments: 1...seeds) func theCacheEndsAsThePlatformIs(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        try await RemoteScene.run(
            messages: Int.random(in: 0...350, using: &generator), keepsRequestIDs: Bool.random(using: &generator),
            policy: .automatic(attempts: 50)
        ) { scene in
            let chaos = Chaos(seed: seed)
            scene.service.setChance { _ in chaos.step() }
            try? await scene.client.connect()
            var sends: [Task<Void, Never>] = []
            for step in 0..<60 {
                try await act(step, scene, &generator, &sends)
                await scene.service.settle()
                try check(scene, "seed \(seed), step \(step)")
            }
            try await finish(scene, sends)
            #expect(try rows(scene) == expected(scene), "seed \(seed)")
            #expect(try scene.chunks() == [Chunk(low: .min, high: try scene.chunks()[0].high, isOpen: true)], "seed \(seed)")
            // Each own message is there once.
            let own = scene.platform.room("t")!.messages.compactMap(\.requestID)
            #expect(Set(own).count == own.count)
            #expect(Set(scene.platform.room("t")!.requests.keys).isSuperset(of: own))
        }
    }

    private func act(_ step: Int, _ scene: RemoteScene, _ generator: inout SeededGenerator, _ sends: inout [Task<Void, Never>]) async throws {
        scene.environment.advance(milliseconds: Int64.random(in: 0...3, using: &generator) / 2)
        let ids = scene.platform.room("t")?.messages.map(\.message.id) ?? []
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<30: scene.platform.write("w\(step)", in: "t")
        case ..<33: for index in 0..<Int.random(in: 50...350, using: &generator) {
            if index % 3 == 0 { scene.environment.advance(milliseconds: 1) }
            scene.platform.write("w\(step) \(index)", in: "t")
        }
        case ..<43: if let id = ids.randomElement(using: &generator) { scene.platform.edit(id, in: "t", to: "e\(step)") }
        case ..<50: if let id = ids.randomElement(using: &generator) { scene.platform.remove(id, in: "t") }
        case ..<62:
            sends.append(Task { _ = try? await scene.send("s\(step)", id: "s\(step)") })
            await letOthersRun()
        case ..<70: scene.service.loseConnections()
        case ..<82: scene.clock.advance(by: .seconds(31))
        case ..<86: scene.client.setSynchronization(isPaused: true)
        case ..<93: scene.client.setSynchronization(isPaused: false)
        case ..<94: try await scene.client.clearCache()
        default:
            guard let thread = try? scene.thread(), let id = ids.randomElement(using: &generator),
                  let time = scene.platform.room("t")?.messages.first(where: { $0.message.id == id })?.message.createdAt else { return }
            let place = ReadPosition(createdAt: time.milliseconds, number: .max)
            let direction = FetchDirection.allCases[Int.random(in: 0...1, using: &generator)]
            await scene.history.extend(thread: thread.number, direction, beyond: place)
        }
        scene.service.setDisorder(Int.random(in: 0..<4, using: &generator) == 0)
        await letOthersRun()
    }

    /// Inside a complete stretch the store has every message that the platform has. More it may have: what was deleted meanwhile.
    private func check(_ scene: RemoteScene, _ comment: Comment) throws {
        guard let thread = try? scene.thread() else { return }
        let chunks = try scene.store.read { try $0.chunks(of: thread.number) }
        #expect(zip(chunks, chunks.dropFirst()).allSatisfy { $0.high <= $1.low }, comment)
        let known = Set(try scene.rows().map { "\($0.createdAt.milliseconds) \($0.direction)" })
        for message in scene.platform.room("t")?.messages.map(\.message) ?? [] {
            let time = message.createdAt.milliseconds
            guard chunks.contains(where: { $0.low < time && time < $0.high }) else { continue }
            #expect(known.contains("\(time) \(message.direction)"), comment)
        }
    }

    private func finish(_ scene: RemoteScene, _ sends: [Task<Void, Never>]) async throws {
        scene.service.setChance(nil)
        scene.service.setDisorder(false)
        for _ in 0..<60 {
            scene.clock.advance(by: .seconds(31))
            await letOthersRun()
            if scene.client.state == .prepared { try? await scene.client.connect() }
            scene.client.setSynchronization(isPaused: false)
            await letOthersRun()
            if scene.client.state == .ready { await scene.idle() }
            await scene.service.settle()
            if let outgoing = try? scene.outgoing(), outgoing.isEmpty, try rows(scene) == expected(scene),
               try scene.chunks().map(\.isOpen) == [true] { break }
        }
        for send in sends { await send.value }
    }

    private func rows(_ scene: RemoteScene) throws -> [String] {
        guard (try? scene.thread()) != nil else { return [] }
        return try scene.rows().map { "\($0.createdAt.milliseconds) \($0.text ?? "")" }.sorted()
    }

    private func expected(_ scene: RemoteScene) -> [String] {
        (scene.platform.room("t")?.messages ?? []).map { "\($0.message.createdAt.milliseconds) \($0.message.text ?? "")" }.sorted()
    }
}

/// Every eighth call fails, in one of two ways.
private final class Chaos: Sendable {
    private let journal = Journal<Void>()
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    func step() -> Step {
        journal.add(())
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(journal.entries.count))
        switch Int.random(in: 0..<16, using: &generator) {
        case 0: return .fail(.serverError)
        case 1: return .fail(.eventTimeout)
        default: return .go
        }
    }
}
