import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Chat

/// Resend policies and how long failed messages are kept (collections 3.10).
@Suite struct ResendingTests {
    private func fail(_ texts: String..., in scene: RemoteScene) async throws {
        for text in texts {
            scene.service.script("send", .fail(.serverError))
            _ = try await scene.send(text, id: text)
        }
        _ = try scene.news()
    }

    @Test func aFailedMessageIsResentByHand() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            try await fail("a", in: scene)
            scene.service.script("send", .fail(.serverError))
            #expect(await refusal { try await scene.client.resend("a", in: "t", receipt: nil) } == .serverError)
            #expect(try scene.news() == ["updated a failed (resendFailed)"])
            let outcome = try await scene.client.resend("a", in: "t", receipt: nil)
            #expect(outcome.kind == .ok && outcome.id == "a")
            #expect(try scene.news() == ["updated a (resendSucceeded)"])
            #expect(try scene.texts() == ["a"])
            #expect(scene.platform.room("t")?.requests == ["a": 1])
            #expect(await refusal { try await scene.client.resend("a", in: "t", receipt: nil) } == .messageNotFailed)
        }
    }

    @Test func whatAResendIsRefusedWithLosesNothing() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            try await scene.synchronize()
            scene.service.script("send", .fail(.serverError), .fail(.invalidData), .fail(.invalidData))
            _ = try await scene.send("a", id: "a")
            for seconds in [2, 4] {
                #expect(await eventually { scene.clock.nextWaking == .seconds(seconds) })
                scene.clock.advance(by: .seconds(seconds))
            }
            #expect(await eventually { (try? scene.outgoing().isEmpty) == true })
            #expect(try scene.texts() == ["a"])
            #expect(try scene.news().filter { $0.contains("resendFailed") }.count == 2)
        }
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            try await fail("a", in: scene)
            scene.service.script("send", .fail(.invalidData))
            #expect(await refusal { try await scene.client.resend("a", in: "t", receipt: nil) } == .invalidData)
            #expect(try scene.news() == ["updated a failed (resendFailed)"])
            #expect(try scene.outgoing().map(\.isFailed) == [true])
        }
    }

    @Test func beforeItIsSentAgainThePlatformIsAskedWhetherItHasIt() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            try await fail("a", in: scene)
            // It arrives; the answer, the next question and the event are all lost.
            scene.service.setDisorder(true)
            scene.service.script("send.answer", .fail(.eventTimeout))
            scene.service.script("lookup", .go, .fail(.eventTimeout))
            #expect(await refusal { try await scene.client.resend("a", in: "t", receipt: nil) } == .eventTimeout)
            #expect(try scene.outgoing().count == 1)
            _ = try await scene.client.resend("a", in: "t", receipt: nil)
            #expect(scene.platform.room("t")?.requests == ["a": 1])
            #expect(try scene.texts() == ["a"])
        }
    }

    /// The customer does not have its thread any more: it keeps no other message from being sent again.
    @Test func aFailedMessageOfAThreadThatIsGone() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            scene.platform.makeThread("u")
            try await scene.synchronize()
            scene.service.setChance { $0 == "send" ? .fail(.serverError) : .go }
            _ = try await scene.send("a", id: "a")
            _ = try await scene.client.send(MessageDraft(id: "b", text: "b"), to: "u", receipt: nil)
            scene.platform.removeThread("t")
            let account = scene.client.account
            try await scene.reconnect {
                while try await scene.store.write({ try $0.clearCache(of: account, limit: 500) }) {}
                scene.service.setChance(nil)
            }
            await scene.idle()
            for _ in 0..<20 where scene.remoteTexts("u").isEmpty {
                await scene.outboxRests()
                if let delay = scene.clock.nextWaking, delay <= .seconds(10) { scene.clock.advance(by: delay) }
            }
            #expect(await eventually { scene.remoteTexts("u") == ["b"] })
        }
    }

    @Test func nothingIsResentByItselfUnlessThePolicyIsAutomatic() async throws {
        try await RemoteScene.run(policy: .manual) { scene in
            try await scene.synchronize()
            try await fail("a", in: scene)
            try await scene.reconnect()
            await scene.idle()
            await scene.outboxRests()
            #expect(scene.service.count("send") == 1)
        }
    }

    @Test func twoFailuresAreStoredTheServiceRecoversAndBothAreSentOnce() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            try await scene.synchronize()
            scene.service.setChance { $0 == "send" ? .fail(.serverError) : .go }
            _ = try await scene.send("a", id: "a")
            _ = try await scene.send("b", id: "b")
            #expect(await eventually { scene.service.count("send") >= 3 })
            #expect(try scene.outgoing().count == 2)
            scene.service.setChance(nil)
            for _ in 0..<20 where try !scene.outgoing().isEmpty {
                await scene.outboxRests()
                if let delay = scene.clock.nextWaking, delay <= .seconds(10) { scene.clock.advance(by: delay) }
            }
            #expect(try scene.outgoing().isEmpty)
            await scene.service.settle()
            // Serialised: in the order in which they were written.
            #expect(scene.remoteTexts() == ["a", "b"])
            #expect(try scene.texts() == ["a", "b"])
            #expect(scene.platform.room("t")?.requests == ["a": 1, "b": 1])
        }
    }

    @Test func theWaitsGrowUpToTenSecondsAndTheAttemptsEnd() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 8)) { scene in
            try await scene.synchronize()
            scene.service.setChance { $0 == "send" ? .fail(.serverError) : .go }
            _ = try await scene.send("a", id: "a")
            // The first resend follows at once.
            #expect(await eventually { scene.service.count("send") == 2 })
            for (index, seconds) in [2, 4, 6, 8, 10, 10, 10].enumerated() {
                // An attempt in flight has a deadline of its own.
                #expect(
                    await eventually {
                        scene.account.outbox.inFlight.isEmpty && scene.clock.nextWaking == .seconds(seconds)
                    })
                scene.clock.advance(by: .seconds(seconds))
                #expect(await eventually { scene.service.count("send") == 3 + index })
            }
            #expect(await eventually { (try? scene.outgoing().first?.attempts) == 8 })
            await scene.outboxRests()
            #expect(scene.service.count("send") == 9)
            #expect(scene.clock.nextWaking ?? .seconds(99) > .seconds(10))
        }
    }

    @Test func whatWasNeverSentIsSentWithoutAskingForIt() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            try await scene.synchronize()
            try await scene.client.disconnect()
            for text in ["a", "b", "c"] { _ = try await scene.send(text, id: text) }
            try await scene.synchronize()
            #expect(await eventually { scene.remoteTexts() == ["a", "b", "c"] })
            #expect(try await eventually { try scene.outgoing().isEmpty })
            #expect(scene.service.count("lookup") == 0)
            // This one reached the platform, perhaps: its answer is lost with the connection.
            scene.service.setDisorder(true)
            scene.service.script("send.answer", .fail(.eventTimeout))
            scene.service.script("lookup", .fail(.eventTimeout))
            _ = try await scene.send("d", id: "d")
            try await scene.reconnect()
            #expect(try await eventually { try scene.outgoing().isEmpty })
            #expect(scene.service.count("lookup") > 1)
            #expect(scene.platform.room("t")?.requests == ["a": 1, "b": 1, "c": 1, "d": 1])
        }
    }

    /// A client repeats its request until it hears more. Each repetition marks the message for a moment.
    @Test func aMessageThatIsSentOnceMoreAtThatMomentIsAskedForLater() async throws {
        try await RemoteScene.run(policy: .manual) { scene in
            try await scene.synchronize()
            scene.service.setDisorder(true)
            scene.service.script("send.answer", .fail(.eventTimeout))
            scene.service.script("lookup", .fail(.eventTimeout))
            _ = try await scene.send("a", id: "a")
            #expect(await eventually { scene.clock.nextWaking == .seconds(30) })
            let key = try Outbox.Key(#require(scene.outgoing().first))
            let inFlight = scene.account.outbox.inFlight
            inFlight.join(key)
            scene.clock.advance(by: .seconds(30))
            #expect(await eventually { scene.clock.nextWaking == .seconds(30) }, "it is asked for again")
            inFlight.leave(key)
            scene.clock.advance(by: .seconds(30))
            #expect(try await eventually { try scene.outgoing().isEmpty })
            #expect(scene.platform.room("t")?.requests == ["a": 1])
        }
    }

    /// When the cache was cleared, nobody can ask for a pending message before its thread is back.
    @Test func aPendingMessageIsAskedForAfterTheCacheWasCleared() async throws {
        try await RemoteScene.run(policy: .manual) { scene in
            try await scene.synchronize()
            scene.service.setDisorder(true)
            scene.service.script("send.answer", .fail(.eventTimeout))
            scene.service.script("lookup", .fail(.eventTimeout))
            _ = try await scene.send("a", id: "a")
            #expect(await eventually { scene.clock.nextWaking == .seconds(30) })
            let account = scene.client.account
            try await scene.reconnect {
                while try await scene.store.write({ try $0.clearCache(of: account, limit: 500) }) {}
            }
            await scene.idle()
            #expect(await eventually { scene.clock.nextWaking == .seconds(30) })
            scene.clock.advance(by: .seconds(30))
            #expect(try await eventually { try scene.outgoing().isEmpty })
            #expect(scene.platform.room("t")?.requests == ["a": 1])
        }
    }

    @Test func resendingBeginsAfterTheFirstSynchronizationSucceeded() async throws {
        try await RemoteScene.run(messages: 5, policy: .automatic(attempts: 10)) { scene in
            try await scene.synchronize()
            try await scene.client.disconnect()
            _ = try await scene.send("a", id: "a")
            scene.service.script("messages", .fail(.serverError))
            try await scene.synchronize()
            await scene.outboxRests()
            #expect(scene.service.count("send") == 0)
            scene.client.setSynchronization(isPaused: false)
            #expect(await eventually { (try? scene.texts().last) == "a" })
            #expect(scene.platform.room("t")?.requests == ["a": 1])
        }
    }

    @Test func atMostTwentyFailedMessagesOfAThreadAreKept() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            for index in 0..<20 { try await fail("m\(index)", in: scene) }
            scene.service.script("send", .fail(.serverError))
            _ = try await scene.send("one more")
            #expect(
                try scene.news() == [
                    "created one more pending", "updated one more failed", "removed (exceededMaxCount)",
                ])
            #expect(try scene.outgoing().map { $0.message.text } == (1..<20).map { "m\($0)" } + ["one more"])
        }
    }

    @Test func whatIsResentByItselfIsNotPushedOutByNewerOnes() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            try await scene.synchronize()
            try await scene.client.disconnect()
            let texts = (0..<30).map { "m\($0)" }
            for text in texts { _ = try await scene.send(text, id: text) }
            #expect(try scene.outgoing().map { $0.message.text } == texts)
            try await scene.synchronize()
            #expect(try await eventually { try scene.outgoing().isEmpty })
            #expect(scene.remoteTexts() == texts)
            #expect(try scene.texts() == texts)
        }
    }

    @Test func aThreadWithTwoHundredUnsentMessagesTakesNoMore() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            try await scene.synchronize()
            try await scene.client.disconnect()
            for index in 0..<200 { _ = try await scene.send("m\(index)") }
            #expect(await refusal { try await scene.send("one more") } == .tooManyUnsent)
            try await scene.synchronize()
            // The first that is sent makes room.
            #expect(try await eventually { try scene.outgoing().count < 200 })
            _ = try await scene.send("one more")
        }
    }

    @Test func whatWasAnsweredAsPendingStaysWhenItIsRefusedLater() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let gate = Gate()
            scene.service.script("send", .hold(gate, then: .fail(.invalidData)))
            let sending = Task { try await scene.send("a", id: "a") }
            #expect(await eventually { scene.service.count("send") == 1 })
            scene.clock.advance(by: .seconds(10))
            #expect(try JSONParser.parse(try await sending.value.body)["status"]?.string == "pending")
            gate.open()
            #expect(try await eventually { try scene.outgoing().map(\.isFailed) == [true] })
        }
    }

    @Test func aFailedMessageIsKeptForSevenDays() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            try await fail("a", in: scene)
            let days = Duration.seconds(7 * 86_400)
            #expect(await eventually { scene.clock.nextWaking == days })
            scene.environment.advance(milliseconds: 7 * 86_400_000)
            scene.clock.advance(by: days)
            // Told after the commit.
            #expect(await eventually { (try? scene.news()) == ["removed (retentionExpired)"] })
            #expect(try scene.outgoing().isEmpty)
        }
    }

    @Test func policiesAreStoredWithTheirSessions() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 3)) { scene in
            let again = try await scene.restarted()
            #expect(again.client.resendPolicy == .automatic(attempts: 3))
        }
        #expect(ResendPolicy(text: "automatic:51") == nil && ResendPolicy(text: "sometimes") == nil)
        for policy in [ResendPolicy.none, .manual, .automatic(attempts: 50)] {
            #expect(ResendPolicy(text: policy.text) == policy)
        }
    }
}
