import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Chat

/// What views may read of the cache, and what they wait for (collections 3.3, 3.5, 3.13 to 3.15).
@Suite struct HolesTests {
    private let newest = MessagePosition(createdAt: .max, number: .max)

    /// The texts of the rows in an extent, oldest first.
    private func readable(_ scene: RemoteScene, around place: MessagePosition) throws -> [String] {
        let extent = try scene.extent(around: place)
        return try scene.rows().filter { message in
            let time = message.createdAt.milliseconds
            return extent.low.map { $0.createdAt <= time } ?? true && extent.high.map { time <= $0.createdAt } ?? true
        }.map { $0.text ?? "" }
    }

    @Test func messagesOfOneTimeAreNotLostAtAPagesEdge() async throws {
        try await RemoteScene.run { scene in
            for group in 0..<40 {
                // The edges of pages fall inside groups; one group is larger than a page.
                for index in 0..<(group == 20 ? 150 : 7) {
                    scene.platform.write(
                        "\(group) \(index)", in: "t", at: Timestamp(milliseconds: Int64(1_000_000 + group)))
                }
            }
            try await scene.synchronize()
            #expect(try scene.texts().sorted() == scene.remoteTexts().sorted())
            #expect(try scene.rows().map(\.createdAt) == scene.platform.room("t")!.messages.map(\.message.createdAt))
        }
    }

    @Test func missedMessagesOfTheNewestKnownTimeAreNotLost() async throws {
        try await RemoteScene.run { scene in
            scene.platform.write("known", in: "t")
            try await scene.synchronize()
            // The newest page ends inside that very time, and says nothing of what else it holds.
            try await scene.reconnect { for index in 0..<150 { scene.platform.write("missed \(index)", in: "t") } }
            await scene.idle()
            #expect(try scene.texts().sorted() == scene.remoteTexts().sorted())
            #expect(try scene.news().count == 150)
        }
    }

    @Test func oneFailedPageThenSuccessLeavesNoHole() async throws {
        try await RemoteScene.run(messages: 350) { scene in
            scene.service.script("messages", .go, .go, .fail(.eventTimeout))
            try await scene.synchronize()
            let all = scene.remoteTexts()
            // What can be read is a stretch of the platform's list; its last message may have siblings.
            #expect(try readable(scene, around: newest) == Array(all.suffix(199)))
            scene.client.setSynchronization(isPaused: false)
            #expect(await eventually { (try? self.readable(scene, around: newest)) == all })
            #expect(try scene.chunks().count == 1)
        }
    }

    @Test func theEndIsKnownOnlyFromAnAnswerOfThisConnection() async throws {
        try await RemoteScene.run(messages: 20) { scene in
            try await scene.synchronize()
            #expect(try scene.extent(around: newest) == HistoryExtent())
            let gate = Gate()
            try await scene.reconnect {
                let away = await eventually { (try? scene.extent(around: newest).high) != nil }
                #expect(away)
                scene.service.script("messages", .hold(gate))
            }
            #expect(await eventually { scene.service.count("messages") == 2 })
            #expect(try scene.extent(around: newest).high != nil)
            gate.open()
            await scene.idle()
            #expect(try scene.extent(around: newest) == HistoryExtent())
        }
    }

    @Test func anAnswerOfAnOldConnectionOpensNothing() async throws {
        try await RemoteScene.run(messages: 20) { scene in
            let gate = Gate()
            scene.service.script("messages.answer", .hold(gate))
            try await scene.client.connect()
            #expect(await eventually { scene.service.count("messages.answer") == 1 })
            scene.service.script("messages", .fail(.serverError))
            try await scene.reconnect()
            await scene.idle()
            // An answer of the new connection comes the same way behind it, and fails.
            scene.service.script("messages.answer", .hold(gate, then: .fail(.serverError)))
            let number = try scene.thread().number
            let extending = Task { await scene.history.extend(thread: number, .previous, beyond: newest) }
            #expect(await eventually { scene.service.count("messages.answer") == 2 })
            gate.open()
            await extending.value
            // What was put into the store's queue is written.
            try await scene.store.write { _ in }
            #expect(try scene.chunks().isEmpty)
        }
    }

    @Test func aLiveMessageBehindAHoleIsKeptApartUntilTheHoleIsFilled() async throws {
        try await RemoteScene.run(messages: 20) { scene in
            try await scene.synchronize()
            let gate = Gate()
            try await scene.reconnect {
                scene.platform.write("missed", in: "t")
                scene.environment.advance(milliseconds: 1000)
                scene.service.script("messages", .hold(gate))
            }
            #expect(await eventually { scene.service.count("messages") == 2 })
            scene.platform.write("live", in: "t")
            await scene.service.settle()
            #expect(try scene.texts().last == "live")
            #expect(try readable(scene, around: newest).last == "text 19")
            gate.open()
            await scene.idle()
            #expect(try readable(scene, around: newest).suffix(3) == ["text 19", "missed", "live"])
            #expect(try scene.news().sorted() == ["created live", "created missed"])
        }
    }

    @Test func aViewpointInAHoleIsReadAroundAndThenFilledBothWays() async throws {
        try await RemoteScene.run(messages: 230) { scene in
            // The background has failed; views ask on.
            scene.service.script("messages", .fail(.serverError))
            try await scene.synchronize()
            let number = try scene.thread().number
            let times = scene.platform.room("t")!.messages.map(\.message.createdAt.milliseconds)
            let place = MessagePosition(createdAt: times[115], number: .max)
            #expect(try scene.extent(around: place) == HistoryExtent(low: place, high: place))
            await scene.history.extend(thread: number, .previous, beyond: place)
            let all = scene.remoteTexts()
            #expect(try readable(scene, around: place) == Array(all[66...165]))
            // From its edges onwards, both ways to the ends.
            for _ in 0..<4 {
                for direction in FetchDirection.allCases {
                    let extent = try scene.extent(around: place)
                    guard let edge = direction == .previous ? extent.low : extent.high else { continue }
                    await scene.history.extend(thread: number, direction, beyond: edge)
                }
            }
            #expect(try readable(scene, around: place) == all)
            #expect(try scene.extent(around: place) == HistoryExtent())
        }
    }

    @Test func aFetchWaitsForThePageOrItsFailureOrTenSeconds() async throws {
        try await RemoteScene.run(messages: 350) { scene in
            scene.service.script("messages", .go, .fail(.serverError))
            try await scene.synchronize()
            let number = try scene.thread().number
            func extend() -> Task<Flag, Never> {
                let edge = (try? scene.extent(around: newest).low) ?? nil
                return Task {
                    await scene.history.extend(thread: number, .previous, beyond: edge ?? newest)
                    return Flag()
                }
            }
            // The page.
            let before = try readable(scene, around: newest).count
            _ = await extend().value
            #expect(try readable(scene, around: newest).count == before + 100)
            // Its failure.
            scene.service.script("messages", .fail(.serverError))
            _ = await extend().value
            #expect(try readable(scene, around: newest).count == before + 100)
            // Ten seconds; the page that comes later is taken all the same.
            let gate = Gate()
            scene.service.script("messages", .hold(gate))
            let waiting = extend()
            #expect(await eventually { scene.clock.nextWaking == .seconds(10) })
            scene.clock.advance(by: .seconds(10))
            _ = await waiting.value
            #expect(try readable(scene, around: newest).count == before + 100)
            gate.open()
            #expect(await eventually { (try? self.readable(scene, around: newest).count) == before + 200 })
        }
    }

    @Test func whoWaitsWhenTheConnectionGoesIsReleased() async throws {
        try await RemoteScene.run(messages: 350) { scene in
            let gate = Gate()
            scene.service.script("messages", .go, .fail(.serverError), .hold(gate))
            try await scene.synchronize()
            let number = try scene.thread().number
            let waiting = Task { await scene.history.extend(thread: number, .previous, beyond: newest) }
            #expect(await eventually { scene.service.count("messages") == 3 })
            scene.service.loseConnections()
            await waiting.value
            gate.open()
        }
    }

    @Test func offlineAFetchCompletesWithWhatThereIs() async throws {
        try await RemoteScene.run(messages: 250) { scene in
            scene.service.script("messages", .go, .fail(.serverError))
            try await scene.synchronize()
            try await scene.client.disconnect()
            let number = try scene.thread().number
            let calls = scene.service.calls.entries.count
            for direction in FetchDirection.allCases {
                await scene.history.extend(thread: number, direction, beyond: newest)
            }
            #expect(await scene.client.threadHistory.extend(account: scene.client.account) == false)
            #expect(scene.service.calls.entries.dropFirst(calls).filter { $0 != "close" }.isEmpty)
            #expect(try readable(scene, around: newest) == Array(scene.remoteTexts().suffix(99)))
        }
    }

    @Test func pausedTheBackgroundStopsAndEventsAreTaken() async throws {
        try await RemoteScene.run(messages: 450, pace: .seconds(1)) { scene in
            try await scene.client.connect()
            #expect(await eventually { scene.clock.sleeperCount == 1 })
            scene.client.setSynchronization(isPaused: true)
            #expect(await scene.client.snapshot().isPaused == true)
            await scene.idle()
            let pages = scene.service.count("messages")
            scene.platform.write("live", in: "t")
            await scene.service.settle()
            #expect(try scene.news() == ["created live"])
            #expect(try readable(scene, around: newest).last == "live")
            let edge = try #require(try scene.extent(around: newest).low)
            await scene.history.extend(thread: try scene.thread().number, .previous, beyond: edge)
            #expect(scene.service.count("messages") == pages)
            // Resumed, it goes on.
            scene.client.setSynchronization(isPaused: false)
            while try scene.texts().count < 451 {
                try #require(await eventually { scene.clock.sleeperCount > 0 })
                scene.clock.advance(by: .seconds(1))
            }
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }

    @Test func aClearedCacheIsEmptyAndFillsAnew() async throws {
        try await RemoteScene.run(messages: 250) { scene in
            try await scene.synchronize()
            let number = try scene.thread().number
            scene.service.script("threads", .fail(.serverError))
            try await scene.client.clearCache()
            await scene.idle()
            #expect(scene.notices.entries == [.cleared(account: scene.client.account)])
            let account = scene.client.account
            #expect(try await scene.store.read { try $0.thread("t", of: account) == nil })
            #expect(try await scene.store.read { try $0.chunks(of: number) }.isEmpty)
            scene.client.setSynchronization(isPaused: false)
            #expect(await eventually { (try? scene.texts().count) == 250 })
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }
}
