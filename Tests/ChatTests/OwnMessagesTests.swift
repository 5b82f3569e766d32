import ChatModel
import Dispatch
import Formats
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore

/// Own messages of a remote service: pending, confirmed, failed (collections 3.8, 3.9).
@Suite struct OwnMessagesTests {
    private func status(_ outcome: Outcome) throws -> String? { try JSONParser.parse(outcome.body)["status"]?.string }

    @Test(arguments: [false, true]) func aSentMessageIsPendingThenConfirmedUnderItsOwnID(
        keepsRequestIDs: Bool
    ) async throws {
        try await RemoteScene.run(messages: 3, keepsRequestIDs: keepsRequestIDs) { scene in
            try await scene.synchronize()
            let outcome = try await scene.send("mine", id: "m1")
            await scene.service.settle()
            #expect(outcome.kind == .created && outcome.id == "m1")
            #expect(try status(outcome) == "delivered")
            #expect(try scene.news() == ["created mine pending", "updated mine"])
            #expect(try scene.texts() == scene.remoteTexts())
            #expect(try scene.outgoing().isEmpty)
            #expect(try scene.rows().last?.id == "m1")
            #expect(try scene.thread().thread.lastMessage?.text == "mine")
            // What the platform says of it later is said of the same message.
            let remote = try #require(scene.platform.room("t")?.messages.last?.message.id)
            #expect((remote == "m1") == keepsRequestIDs)
            scene.platform.edit(remote, in: "t", to: "edited")
            await scene.service.settle()
            #expect(try scene.news() == ["updated edited"])
            try await scene.client.remove("m1", in: "t", ifMatch: nil)
            await scene.service.settle()
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }

    @Test func whileItIsSentItIsPendingAndCanBeRead() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let gate = Gate()
            scene.service.script("send", .hold(gate))
            let sending = Task { try await scene.send("mine", id: "m1") }
            #expect(await eventually { scene.service.count("send") == 1 })
            #expect(try scene.news() == ["created mine pending"])
            #expect(try await JSONParser.parse(scene.client.message("m1", in: "t").body)["status"]?.string == "pending")
            #expect(try scene.texts().isEmpty)
            #expect(await refusal { try await scene.client.remove("m1", in: "t", ifMatch: nil) } == .messageNotFailed)
            #expect(await refusal { try await scene.client.resend("m1", in: "t", receipt: nil) } == .messageNotFailed)
            // Sent again with the same content: the same message, once.
            #expect(try status(try await scene.send("mine", id: "m1")) == "pending")
            #expect(await refusal { try await scene.send("other", id: "m1") } == .messageIdConflict)
            gate.open()
            _ = try await sending.value
            #expect(scene.platform.room("t")?.requests == ["m1": 1])
        }
    }

    @Test func thePlatformsOwnEventMayComeBeforeItsAnswer() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let gate = Gate()
            scene.service.script("send.answer", .hold(gate))
            let sending = Task { try await scene.send("mine", id: "m1") }
            #expect(await eventually { scene.service.count("send.answer") == 1 })
            await scene.service.settle()
            #expect(try scene.news() == ["created mine pending", "updated mine"])
            gate.open()
            #expect(try status(try await sending.value) == "delivered")
            #expect(try scene.news().isEmpty)
            #expect(try scene.texts() == ["mine"])
        }
    }

    @Test func aFailedMessageIsKeptUnlessThePolicyIsNone() async throws {
        for policy in [ResendPolicy.manual, .none] {
            try await RemoteScene.run(policy: policy) { scene in
                try await scene.synchronize()
                scene.service.script("send", .fail(.serverError))
                let code = await refusal { try await scene.send("mine", id: "m1") }
                if policy == .none {
                    #expect(code == .serverError)
                    #expect(try scene.news() == ["created mine pending", "removed"])
                    #expect(try scene.outgoing().isEmpty)
                } else {
                    #expect(code == nil)
                    #expect(try scene.news() == ["created mine pending", "updated mine failed"])
                    #expect(try scene.outgoing().map(\.message.failure?.code) == ["serverError"])
                }
                #expect(try scene.texts().isEmpty && scene.remoteTexts().isEmpty)
            }
        }
    }

    @Test func withoutAConnectionItIsKeptAsFailed() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            try await scene.client.disconnect()
            #expect(try status(try await scene.send("mine")) == "failed")
            #expect(try scene.outgoing().map(\.message.failure?.code) == ["notConnected"])
        }
    }

    @Test func aFailedMessageTellsWhyUntilItIsSent() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            scene.service.script("connect", .fail(.serverError))
            scene.service.loseConnections()
            // The wait for the next try has begun, so that the clock ends it.
            #expect(
                await eventually {
                    scene.client.state == .connecting && scene.clock.nextWaking.map { $0 <= .seconds(2) } == true
                })
            scene.clock.advance(by: .seconds(2))
            #expect(await eventually { scene.client.connectionError?.code == .serverError })
            // The platform is known to be down, so nobody waits for it.
            let sent = try JSONParser.parse(try await scene.send("mine", id: "m1").body)
            #expect(sent["status"]?.string == "failed")
            #expect(sent[path: "failure", "code"]?.string == "notConnected")
            #expect(sent[path: "failure", "detail"]?.string == "The session is connecting, not connected. as scripted")
            try await scene.client.connect()
            await scene.idle()
            let again = try JSONParser.parse(try await scene.client.resend("m1", in: "t", receipt: nil).body)
            #expect(again["status"]?.string == "delivered" && again["failure"] == nil)
        }
    }

    @Test func theFirstPageOfAThreadShowsWhatIsOnItsWayAndWhatHasFailed() async throws {
        try await RemoteScene.run(messages: 3) { scene in
            try await scene.synchronize()
            scene.service.script("send", .fail(.serverError), .fail(.serverError))
            for text in ["one", "two"] { _ = try await scene.send(text) }
            let gate = Gate()
            scene.service.script("send", .hold(gate))
            let sending = Task { try await scene.send("three") }
            #expect(await eventually { scene.service.count("send") == 3 })
            func page(_ cursor: String?) async throws -> JSONValue {
                let page = try await scene.client.history(
                    of: "t", replies: .none, page: PageRequest(limit: 2, cursor: cursor))
                return try JSONParser.parse(page.body + [UInt8(ascii: "}")])
            }
            let first = try await page(nil)
            #expect(first["items"]?.array?.count == 2)
            #expect(first["failed"]?.array?.compactMap { $0["text"]?.string } == ["two", "one"])
            #expect(first["pending"]?.array?.compactMap { $0["text"]?.string } == ["three"])
            let second = try await page(try #require(first["next"]?.string))
            #expect(second["items"]?.array?.count == 1 && second["failed"] == nil && second["pending"] == nil)
            gate.open()
            _ = try await sending.value
        }
    }

    @Test(arguments: [ResendPolicy.manual, .none]) func aSendIsAnsweredAfterTenSeconds(
        policy: ResendPolicy
    ) async throws {
        try await RemoteScene.run(policy: policy) { scene in
            try await scene.synchronize()
            let gate = Gate()
            scene.service.script("send", .hold(gate))
            let sending = Task { try await scene.send("mine", id: "m1") }
            #expect(await eventually { scene.service.count("send") == 1 && scene.clock.nextWaking == .seconds(10) })
            scene.clock.advance(by: .seconds(10))
            if policy == .none {
                #expect(await refusal { try await sending.value } == .eventTimeout)
            } else {
                #expect(try status(try await sending.value) == "pending")
            }
            gate.open()
            #expect(try await eventually { try scene.texts() == ["mine"] })
        }
    }

    @Test func aMessageThatIsBeingSentIsNotTakenForALostOne() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let gate = Gate()
            scene.service.script("send", .hold(gate))
            // Between the commit and whatever follows it, somebody asks what became of messages that are pending.
            let asked = Flag()
            let subscription = scene.store.feed.subscribe { events in
                guard events.contains(where: { $0.type == .messageCreated }) else { return }
                Task {
                    _ = try? await scene.account.outbox.resolve(over: #require(scene.account.source).platform)
                    asked.raise()
                }
            }
            let sending = Task { try await scene.send("mine", id: "m1") }
            #expect(await eventually { asked.isRaised && scene.service.count("send") == 1 })
            gate.open()
            _ = try await sending.value
            subscription.cancel()
            #expect(try scene.news() == ["created mine pending", "updated mine"])
        }
    }

    /// Its unit is committed, and its sender does not know it yet.
    @Test func aMessageWhoseCommitWasNotToldYetIsNotTakenForALostOne() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let platform = try #require(scene.account.source).platform
            let (outbox, writer) = (scene.account.outbox, scene.store.writer)
            let (isHeld, isResolved) = (Flag(), Flag())
            let (hold, answer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let holding = Task {
                try await scene.store.write { _ in
                    isHeld.raise()
                    hold.wait()
                    hold.signal()
                }
            }
            #expect(await eventually { isHeld.isRaised })
            // One group: the answer to the first unit waits, and with it that to the last one.
            writer.submit(GroupCommit.Unit(run: { _ in }, finish: { _ in answer.wait() }))
            let sending = Task { try await scene.send("mine", id: "m1") }
            #expect(await eventually { writer.waitingUnitCount == 2 })
            hold.signal()
            #expect(try await eventually { try !scene.outgoing().isEmpty })
            let resolving = Task {
                try await outbox.resolve(over: platform)
                isResolved.raise()
            }
            #expect(await eventually { isResolved.isRaised || scene.service.count("lookup") > 0 })
            answer.signal()
            _ = try await sending.value
            try await resolving.value
            try await holding.value
            await scene.service.settle()
            #expect(scene.service.count("lookup") == 0)
            #expect(try scene.news() == ["created mine pending", "updated mine"])
        }
    }

    @Test func whatCanNeverBeSentIsNotKept() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            try await scene.synchronize()
            scene.service.script("send", .fail(.invalidParameter))
            #expect(await refusal { try await scene.send("mine") } == .invalidParameter)
            #expect(try scene.outgoing().isEmpty)
            #expect(try scene.news() == ["created mine pending", "removed"])
        }
    }

    @Test func afterALostAnswerThePlatformIsAsked() async throws {
        try await RemoteScene.run(policy: .none) { scene in
            try await scene.synchronize()
            scene.service.script("send.answer", .fail(.eventTimeout))
            #expect(try status(try await scene.send("mine")) == "delivered")
            #expect(scene.remoteTexts() == ["mine"])
            #expect(try scene.texts() == ["mine"])
        }
    }

    /// Who reads "not connected" sends it again, and it would be there twice.
    @Test(arguments: [ChatError.Code.notConnected, .eventTimeout, .serverError])
    func withoutAPolicyTheAnswerSaysThatNobodyKnows(code: ChatError.Code) async throws {
        try await RemoteScene.run(policy: .none) { scene in
            try await scene.synchronize()
            scene.service.script("send.answer", .fail(code))
            scene.service.script("lookup", .fail(.notConnected))
            scene.service.setDisorder(true)
            #expect(await refusal { try await scene.send("mine") } == .eventTimeout)
            #expect(scene.remoteTexts() == ["mine"])
        }
    }

    @Test(arguments: [true, false]) func whoseFateNobodyKnowsIsPendingUntilTheNextConnection(
        hasArrived: Bool
    ) async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            scene.service.script(hasArrived ? "send.answer" : "send", .fail(.eventTimeout))
            scene.service.script("lookup", .fail(.eventTimeout))
            // The device's own event is lost as well.
            scene.service.setDisorder(true)
            #expect(try status(try await scene.send("mine")) == "pending")
            try await scene.reconnect()
            scene.service.setDisorder(false)
            await scene.idle()
            #expect(try scene.news() == ["created mine pending", hasArrived ? "updated mine" : "updated mine failed"])
            #expect(try scene.outgoing().count == (hasArrived ? 0 : 1))
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }

    @Test(arguments: [true, false]) func whoseFateNobodyKnowsIsAskedForAgainOverTheSameConnection(
        hasArrived: Bool
    ) async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            scene.service.script(hasArrived ? "send.answer" : "send", .fail(.eventTimeout))
            scene.service.script("lookup", .fail(.eventTimeout), .fail(.eventTimeout))
            scene.service.setDisorder(true)
            #expect(try status(try await scene.send("mine")) == "pending")
            for count in [2, 3] {
                #expect(await eventually { scene.clock.nextWaking == .seconds(30) })
                scene.clock.advance(by: .seconds(30))
                #expect(await eventually { scene.service.count("lookup") == count })
            }
            #expect(try await eventually { try scene.outgoing().map(\.isFailed) == (hasArrived ? [] : [true]) })
            #expect(try scene.texts() == scene.remoteTexts())
        }
    }

    @Test func whatIsUnsentWhenTheCacheIsClearedIsSentLater() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            try await scene.synchronize()
            try await scene.client.disconnect()
            _ = try await scene.send("mine")
            try await scene.client.clearCache()
            #expect(try scene.outgoing().map { $0.message.text } == ["mine"])
            try await scene.synchronize()
            #expect(try await eventually { try scene.outgoing().isEmpty })
            #expect(scene.remoteTexts() == ["mine"])
        }
    }

    @Test(arguments: [true, false]) func aGatewayKilledBetweenSendAndAnswerResolvesItAtTheNextStart(
        hasArrived: Bool
    ) async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let gate = Gate()
            scene.service.setDisorder(true)
            scene.service.script(hasArrived ? "send.answer" : "send", .hold(gate, then: .fail(.notConnected)))
            let sending = Task { try await scene.send("mine", id: "m1") }
            #expect(await eventually { scene.service.count(hasArrived ? "send.answer" : "send") == 1 })
            let again = try await scene.restarted()
            try await again.synchronizeAfterRestart()
            #expect(try again.outgoing().map(\.isFailed) == (hasArrived ? [] : [true]))
            #expect(try again.texts() == scene.remoteTexts())
            #expect(try again.texts() == (hasArrived ? ["mine"] : []))
            // The old one is gone, in truth.
            scene.service.loseConnections()
            gate.open()
            _ = try? await sending.value
            try await again.sessions.delete(again.client.id)
        }
    }

    @Test func aRepeatedRequestSendsNothingTwice() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            let receipt = Receipt(scope: "key", fingerprint: "f")
            scene.service.script("send", .fail(.serverError))
            let first = try await scene.send("mine", receipt: receipt)
            #expect(try await scene.store.receipt(scope: "key")?.outcome.id == first.id)
            // One that was given up may be tried again with the same key.
            scene.service.script("send", .fail(.invalidData))
            _ = await refusal { try await scene.send("mine", receipt: Receipt(scope: "other", fingerprint: "f")) }
            #expect(try await scene.store.receipt(scope: "other") == nil)
        }
    }

    @Test func anUnsentMessagesTextLeavesTheLogWithIt() async throws {
        try await RemoteScene.run { scene in
            try await scene.synchronize()
            scene.service.script("send", .fail(.serverError))
            let sent = try await scene.send("secret")
            try await scene.client.remove(sent.id, in: "t", ifMatch: nil)
            #expect(try scene.news().last == "removed (manualAction)")
            let replay = try await scene.store.replay([.account(scene.client.account)], after: 0, limit: 1 << 20)
            #expect(!replay.events.contains { String(decoding: $0.data, as: UTF8.self).contains("secret") })
            #expect(await refusal { try await scene.client.resend(sent.id, in: "t", receipt: nil) } == .unknownMessage)
        }
    }

    @Test func aCopyThatIsOlderOrNotConfirmedChangesNothing() async throws {
        try await RemoteScene.run(messages: 1) { scene in
            try await scene.synchronize()
            let old = try #require(scene.platform.room("t")?.messages.first)
            scene.environment.advance(milliseconds: 5)
            scene.platform.edit(old.message.id, in: "t", to: "edited")
            await scene.service.settle()
            _ = try scene.news()
            var pending = old
            pending.message.status = .pending
            pending.message.updatedAt = pending.message.updatedAt.advanced(byMilliseconds: 1_000_000)
            let (copies, account) = ([old, pending], scene.client.account)
            try await scene.store.write { transaction in
                var thread = try #require(try transaction.thread("t", of: account))
                try transaction.merge(copies, by: .live, into: &thread)
            }
            #expect(try scene.news().isEmpty)
            #expect(try scene.texts() == ["edited"])
        }
    }
}
