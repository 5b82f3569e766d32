import ChatModel
import ChatStore
import Foundation
import TestSupport
import Testing

@testable import Chat

/// Preparing, connecting, disconnecting, and what the client does by itself.
@Suite struct ChatClientTests {
    private func stored(_ scene: Scene) throws -> Bool? {
        try scene.store.readBlocking { try $0.sessions() }.first { $0.id == scene.client.id }?.isConnected
    }

    @Test func itPreparesConnectsAndDisconnects() async throws {
        try await Scene.run { scene in
            #expect(scene.client.state == .prepared)
            #expect(try scene.news() == ["prepared"])
            #expect(try stored(scene) == false)
            try await scene.client.connect()
            #expect(scene.client.state == .ready)
            #expect(try scene.news() == ["connecting", "connected", "threads 3", "ready"])
            #expect(try stored(scene) == true)
            try await scene.client.connect()
            #expect(try scene.news() == ["ready"])
            try await scene.client.disconnect()
            #expect(scene.client.state == .prepared)
            #expect(try scene.news() == ["prepared"])
            #expect(try stored(scene) == false)
            #expect(scene.service.count("close") == 1)
            try await scene.client.connect()
            #expect(scene.client.state == .ready)
        }
    }

    @Test func aFailedPreparationIsTriedAgain() async throws {
        try await Scene.run { scene in
            _ = try scene.news()
            scene.service.script("channel", .fail(.channelConfigFailure))
            #expect(await refusal { try await scene.client.prepare() } == .channelConfigFailure)
            #expect(scene.client.state == .preparing)
            #expect(scene.client.connectionError?.code == .channelConfigFailure)
            await scene.wakeNext()
            #expect(await scene.reaches(.prepared))
            #expect(scene.client.connectionError == nil)
            #expect(try scene.news() == ["preparing channelConfigFailure next", "prepared"])
        }
    }

    @Test func aPreparationThatNothingCanMendLeadsBackToInitialAndConnectBeginsThere() async throws {
        try await Scene.run { scene in
            scene.service.script("channel", .fail(.unknownChannel))
            #expect(await refusal { try await scene.client.prepare() } == .unknownChannel)
            #expect(scene.client.state == .initial)
            #expect(scene.clock.sleeperCount == 0)
            try await scene.client.connect()
            #expect(scene.client.state == .ready)
            #expect(try stored(scene) == true)
        }
    }

    @Test func aPreparationThatWasGivenUpCannotFailTheNext() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("channel", .hold(gate, then: .fail(.channelConfigFailure)))
            let first = await scene.begin("channel") { try await scene.client.prepare() }
            try await scene.client.disconnect()
            let second = Gate()
            scene.service.script("channel", .hold(second))
            let next = await scene.begin("channel") { try await scene.client.prepare() }
            _ = try scene.news()
            gate.open()
            #expect(await refusal { try await first.value } == .notConnected)
            // The second answer comes the same way, behind the first one.
            second.open()
            try await next.value
            #expect(scene.client.state == .prepared)
            #expect(try scene.news() == ["prepared"])
        }
    }

    @Test func theSingleThreadIsRecovered() async throws {
        try await Scene.run(ScriptedService(mode: .singlethread)) { scene in
            _ = try scene.news()
            try await scene.client.connect()
            #expect(try scene.news() == ["connecting", "connected", "threads 1", "ready"])
            #expect(scene.service.count("createThread") == 0)
        }
    }

    @Test func withoutOneItIsMade() async throws {
        try await Scene.run(ScriptedService(mode: .singlethread)) { scene in
            _ = try scene.news()
            scene.service.script("recoverThread", .fail(.recoveringThreadFailed))
            try await scene.client.connect()
            #expect(
                try scene.news() == [
                    "connecting", "connected", "error recoveringThreadFailed (soft)", "threads 1", "ready",
                ])
            #expect(scene.service.count("createThread") == 1)
        }
    }

    @Test func whereASurveyMustBeFilledInNothingIsMade() async throws {
        try await Scene.run(ScriptedService(mode: .singlethread, capabilities: [.preChatSurvey])) { scene in
            scene.service.script("recoverThread", .fail(.recoveringThreadFailed))
            try await scene.client.connect()
            #expect(scene.client.state == .ready)
            #expect(scene.service.count("createThread") == 0)
        }
    }

    @Test func aThreadThatAnotherSessionMadeMeanwhileIsTheOne() async throws {
        try await Scene.run(ScriptedService(mode: .singlethread)) { scene in
            scene.service.script("recoverThread", .fail(.recoveringThreadFailed))
            scene.service.script("createThread", .fail(.unsupportedChannelConfig))
            try await scene.client.connect()
            #expect(scene.client.state == .ready)
            #expect(scene.service.count("recoverThread") == 2)
        }
    }

    @Test(arguments: ["loadThreads", "connect", "isOnline"]) func aConnectionThatFailsAtOnceIsTriedAgain(
        call: String
    ) async throws {
        try await Scene.run { scene in
            scene.service.script(call, .fail(.serverError))
            #expect(await refusal { try await scene.client.connect() } == .serverError)
            let snapshot = await scene.client.snapshot()
            #expect(snapshot.state == .connecting && snapshot.connectionError?.code == .serverError)
            #expect(try scene.news().last == "connecting serverError next")
            let delay = try #require(await scene.wakeNext())
            #expect(
                snapshot.nextAttemptAt
                    == TestEnvironment.start.advanced(byMilliseconds: Int64(delay / .milliseconds(1))))
            #expect(await scene.reaches(.ready))
            #expect(scene.client.connectionError == nil)
            #expect(await scene.client.snapshot().nextAttemptAt == nil)
        }
    }

    @Test func aConnectMeanwhileTriesAtOnce() async throws {
        try await Scene.run { scene in
            scene.service.script("connect", .fail(.serverError))
            #expect(await refusal { try await scene.client.connect() } == .serverError)
            try await scene.client.connect()
            #expect(scene.client.state == .ready)
            #expect(scene.clock.sleeperCount == 0)
        }
    }

    @Test func aLoginThatIsRefusedEndsTheAttempts() async throws {
        try await Scene.run { scene in
            scene.service.script("connect", .fail(.customerAssociationFailure))
            #expect(await refusal { try await scene.client.connect() } == .customerAssociationFailure)
            #expect(scene.client.state == .prepared && scene.clock.sleeperCount == 0)
            #expect(scene.client.connectionError?.code == .customerAssociationFailure)
            let news = try scene.news()
            #expect(news.suffix(2) == ["prepared customerAssociationFailure", "error customerAssociationFailure"])
        }
    }

    @Test(arguments: ["channel", "isOnline", "connect", "loadThreads"])
    func connectAnswersAfterTenSecondsAndGoesOn(call: String) async throws {
        try await Scene.run { scene in
            if call == "channel" {
                scene.service.script("channel", .fail(.unknownChannel))
                _ = await refusal { try await scene.client.prepare() }
            }
            let gate = Gate()
            scene.service.script(call, .hold(gate))
            let connecting = await scene.begin(call) { try await scene.client.connect() }
            scene.clock.advance(by: .seconds(10))
            #expect(await refusal { try await connecting.value } == .eventTimeout)
            gate.open()
            #expect(await scene.reaches(.ready))
        }
    }

    @Test func aServiceThatIsOfflineIsNotConnectedTo() async throws {
        try await Scene.run(ScriptedService(mode: .liveChat)) { scene in
            scene.service.setOnline(false)
            try await scene.client.connect()
            #expect(scene.client.state == .offline)
            #expect(scene.service.count("connect") == 0)
            #expect(
                await refusal { try await scene.client.send(MessageDraft(text: "x"), to: "t", receipt: nil) }
                    == .notConnected)
            // Asked again, by whoever wants to know.
            try await scene.client.connect()
            #expect(scene.client.state == .offline)
            scene.service.setOnline(true)
            try await scene.client.connect()
            #expect(scene.client.state == .ready)
        }
    }

    @Test func aSessionThatIsOfflineConnectsByItselfWhenTheChannelIsOnline() async throws {
        try await Scene.run(ScriptedService(mode: .liveChat)) { scene in
            scene.service.setOnline(false)
            try await scene.client.connect()
            _ = try scene.news()
            var last = Duration.zero
            for asked in 2...30 {
                let delay = try #require(await scene.wakeNext())
                #expect(delay <= .seconds(60))
                last = delay
                #expect(await eventually { scene.service.count("isOnline") == asked })
                #expect(await eventually { scene.clock.sleeperCount == 1 })
            }
            #expect(last >= .seconds(48))
            scene.service.setOnline(true)
            await scene.wakeNext()
            #expect(await scene.reaches(.ready))
            let news = try scene.news()
            #expect(news.suffix(5) == ["offline next", "connecting", "connected", "threads 1", "ready"])
        }
    }

    @Test func twoConnectsAtOnceAreOne() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("connect", .hold(gate))
            let first = await scene.begin("connect") { try await scene.client.connect() }
            let others = (0..<5).map { _ in Task { try await scene.client.connect() } }
            // Each that waits has a deadline.
            #expect(await eventually { scene.clock.sleeperCount == 1 + others.count })
            gate.open()
            try await first.value
            for other in others { try await other.value }
            #expect(scene.service.count("connect") == 1)
            #expect(scene.client.state == .ready)
        }
    }

    @Test func connectsThatComeAtAnyMomentAllReturn() async throws {
        try await Scene.run { scene in
            for _ in 0..<30 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            await Task.yield()
                            try await scene.client.connect()
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(scene.client.state == .ready)
                try await scene.client.disconnect()
            }
            #expect(scene.service.count("connect") == 30)
        }
    }

    @Test func aConnectReturnsAlsoWhenItIsSettledWhileTheStoreIsBusy() async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script("connect", .hold(gate))
            let first = await scene.begin("connect") { try await scene.client.connect() }
            let (busy, isBusy, hasReturned) = (DispatchSemaphore(value: 0), Flag(), Flag())
            let writing = Task {
                try await scene.store.write { _ in
                    isBusy.raise()
                    busy.wait()
                    busy.signal()
                }
            }
            #expect(await eventually { isBusy.isRaised })
            let second = Task {
                try await scene.client.connect()
                hasReturned.raise()
            }
            // Both wait, each with a deadline.
            #expect(await eventually { scene.clock.sleeperCount == 2 })
            gate.open()
            try await first.value
            busy.signal()
            try await writing.value
            let isSettled = await eventually { hasReturned.isRaised }
            #expect(isSettled)
            if isSettled { try await second.value } else { second.cancel() }
        }
    }

    @Test(arguments: ["isOnline", "connect", "loadThreads"]) func disconnectEndsAConnectAtAnyStage(
        call: String
    ) async throws {
        try await Scene.run { scene in
            let gate = Gate()
            scene.service.script(call, .hold(gate))
            let connecting = await scene.begin(call) { try await scene.client.connect() }
            try await scene.client.disconnect()
            #expect(await refusal { try await connecting.value } == .notConnected)
            #expect(scene.client.state == .prepared)
            _ = try scene.news()
            // What the old attempt still has to say is ignored, and its connection is closed.
            gate.open()
            if call != "isOnline" { #expect(await eventually { scene.service.count("close") == 1 }) }
            #expect(scene.client.state == .prepared)
            #expect(try stored(scene) == false)
            // Another attempt's answers come the same way, later; nothing else is told or done.
            let opened = scene.service.count("connect")
            try await scene.client.connect()
            #expect(try scene.news() == ["connecting", "connected", "threads 3", "ready"])
            #expect(scene.service.count("connect") == opened + 1)
            #expect(scene.service.count("close") == (call == "isOnline" ? 0 : 1))
        }
    }

    @Test func aStoreThatCannotWriteFailsConnectAndNotForEver() async throws {
        try await Scene.run { scene in
            // A store that is closed refuses units, as a full disk does.
            await scene.store.close()
            #expect(await refusal { try await scene.client.connect() } == .shuttingDown)
            #expect(await refusal { try await scene.client.connect() } == .shuttingDown)
        }
    }

    @Test func signingOutEndsEverything() async throws {
        try await Scene.run(ScriptedService(isRemote: true)) { scene in
            try await scene.client.connect()
            let gate = Gate()
            scene.service.script("markRead", .hold(gate))
            let reading = await scene.begin("markRead") {
                try await scene.client.ask { try await $0.markRead("t", receipt: nil) }
            }
            _ = try scene.news()
            try await scene.sessions.delete(scene.client.id)
            #expect(await refusal { try await reading.value } == .notConnected)
            #expect(scene.client.state == .initial)
            #expect(try scene.news() == ["initial"])
            #expect(scene.service.count("close") == 1)
            gate.open()
        }
    }
}
