import Chat
import ChatModel
@testable import CXoneSandbox
import CXoneWire
import TestSupport
import Testing

/// What one client hears, over a socket in memory.
@Suite struct SessionTests {
    @Test func theAnswerToAMessageLeavesTogetherWithItsPush() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            try await ada.heard("CaseCreated")
            let before = ada.socket.flushCount
            _ = try await ada.ask(ada.text("Hello", id: "m2", in: "t1"))
            try await ada.heard("MessageCreated", count: 2)
            #expect(ada.socket.flushCount == before + 1)
        }
    }

    @Test func theAnswerToAMessageComesBeforeItsPushes() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            let answer = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            #expect(answer.isAcknowledged)
            try await ada.heard("CaseCreated")
            #expect(ada.pushTypes == ["MessageCreated", "CaseCreated"])
            let place = try #require(ada.frames.firstIndex(of: answer))
            #expect(place < (ada.frames.firstIndex { if case .push = $0 { true } else { false } } ?? 0))
        }
    }

    /// A client that sends its last message and closes need not wait for the answer; but nobody waits for hundreds.
    @Test(arguments: [(CloseReason.client, 7), (.refused(.tooLarge), 0), (.server, 0)])
    func ofWhatAClientHasLeftOnlyTheFirstFramesAreDone(_ reason: CloseReason, _ count: Int) async throws {
        try await Scene.run { scene in
            let bob = try await scene.client("bob")
            _ = try await bob.ask(bob.text("Hello", id: "m", in: "t0"))
            let ada = try scene.prepare("ada")
            let authorize = ClientEvent.authorizeCustomer(AuthorizeCustomer(sdkPlatform: "ios", sdkVersion: "3.3.1"))
            for event in [authorize] + (0..<100).map({ ada.text("\($0)", id: "m\($0)", in: "t1") }) {
                ada.session.inbox.put(.text(ClientFrame.request(ada.request(event)).encoded()))
            }
            ada.session.inbox.put(.closed(reason))
            scene.sandbox.begin(ada.session, on: ada.socket)
            try #require(await eventually { scene.sandbox.sessionCount == 1 })
            let again = try await scene.client("ada")
            let answer = try await again.ask(.recoverThread(ThreadReference(id: "t1")))
            guard case .answer(.threadRecovered(let thread), _) = answer else {
                #expect(count == 0)
                return
            }
            #expect(thread.messages.count == count)
        }
    }

    @Test func aLiveChatIsToldAsThePlatformTellsIt() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada", on: "live")
            let begin = try await ada.ask(
                ada.text("Begin Conversation", id: "m1", in: "t1", MessageParameters(isInitialMessage: true)))
            #expect(begin.isAcknowledged)
            try await ada.heard("SetPositionInQueue")
            #expect(
                ada.pushTypes == [
                    "MessageCreated", "CaseCreated", "CaseToRoutingQueueAssignmentChanged", "SetPositionInQueue",
                ])
            _ = try await scene.desk.assign(Scene.agent, to: DeskThread(id: "t1"), receipt: nil)
            try await ada.heard("CaseInboxAssigneeChanged")
            _ = try await scene.desk.close(DeskThread(id: "t1"), receipt: nil)
            try await ada.heard("CaseStatusChanged")
            #expect(ada.pushTypes.suffix(2) == ["CaseInboxAssigneeChanged", "CaseStatusChanged"])
        }
    }

    @Test func placesInTheQueueMoveUp() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada", on: "live"), bob = try await scene.client("bob", on: "live")
            for (person, thread) in [(ada, "t1"), (bob, "t2")] {
                _ = try await person.ask(
                    person.text("Begin", id: "m", in: thread, MessageParameters(isInitialMessage: true)))
            }
            try await bob.heard("SetPositionInQueue")
            _ = try await scene.desk.assign(Scene.agent, to: DeskThread(id: "t1"), receipt: nil)
            try await bob.heard("SetPositionInQueue", count: 2)
            let places = bob.pushes.compactMap {
                if case .setPositionInQueue(let data) = $0 { data.position } else { nil }
            }
            #expect(places == [2, 1])
            #expect(bob.pushTypes.count { $0 == "CaseToRoutingQueueAssignmentChanged" } == 1)
        }
    }

    @Test(arguments: [
        ("ios", nil), ("android", ErrorCode.recoveringLivechatFailed), ("web", .recoveringLivechatFailed),
    ])
    func whereThereIsNoChatEachFamilyGetsWhatItUnderstands(_ platform: String, _ code: ErrorCode?) async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada", on: "live", platform)
            let answer = try await ada.ask(.recoverLivechat(nil))
            #expect(answer.errorCode == code)
            if case .answer(let answer, _) = answer { #expect(answer == .livechatRecovered(nil)) }
        }
    }

    @Test func aClientThatTakesNothingIsNotWrittenTo() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            try await ada.heard("CaseCreated")
            ada.socket.setBacklog(1 << 30)
            for number in 0..<50 {
                _ = try await scene.desk.send(
                    MessageDraft(text: "\(number)"), as: Scene.agent, to: DeskThread(id: "t1"), receipt: nil)
            }
            // Nor is it listened to.
            let before = ada.socket.handledCount
            let request = ada.request(.fetchThreadList)
            ada.session.inbox.put(.text(ClientFrame.request(request).encoded()))
            // Live news after it. They hold their bytes until the session has taken them, and it has dealt with the
            // request then.
            let held = ada.session.memory.used
            ada.session.inbox.put(live: .push(.unknown(type: "News"), byteCount: 1000))
            try #require(await eventually { ada.session.memory.used == held })
            #expect(ada.socket.handledCount == before)
            #expect(ada.pushTypes == ["MessageCreated", "CaseCreated"])
            ada.socket.setBacklog(0)
            ada.session.inbox.put(.drained)
            try await ada.heard("MessageCreated", count: 51)
            _ = try await ada.answer(to: request.eventID)
            #expect(ada.socket.handledCount == before + 1)
        }
    }

    /// Its requests that wait are many, and nobody is there for their answers.
    @Test func nothingMoreIsHandledOfAClientThatReadNothing() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            for number in 0..<20 { _ = try await ada.ask(ada.text("Hello", id: "m\(number)", in: "t1")) }
            let before = ada.socket.handledCount
            let request = ClientFrame.request(ada.request(.recoverThread(ThreadReference(id: "t1")))).encoded()
            for _ in 0..<1000 { ada.session.inbox.put(.text(request)) }
            ada.session.inbox.put(.closed(.refused(.policyViolation)))
            try #require(await eventually { scene.sandbox.sessionCount == 0 })
            #expect(ada.socket.handledCount < before + 1000)
        }
    }

    /// Its contact and its customer are those of the event that follows it.
    @Test func aMessageIsToldWithItsContactAndItsCustomersName() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            for (number, name) in ["Ada", "Augusta"].enumerated() {
                var request = ada.request(ada.text("Hello", id: "m\(number)", in: "t1"))
                request.customer = WireCustomer(id: "ada", firstName: name)
                ada.session.inbox.put(.text(ClientFrame.request(request).encoded()))
                try await ada.heard("MessageCreated", count: number + 1)
                let told = ada.pushes.compactMap { push -> MessageCreated? in
                    if case .messageCreated(let created) = push { created } else { nil }
                }
                let created = try #require(told.last)
                #expect(created.message.id == "m\(number)" && created.message.authorCustomer?.firstName == name)
                #expect(created.contact?.threadID == "t1" && created.contact?.status == .new)
            }
        }
    }

    @Test func anotherCustomersClientHearsNothing() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada"), bob = try await scene.client("bob")
            _ = try await ada.ask(ada.text("Hello", id: "m1", in: "t1"))
            try await ada.heard("CaseCreated")
            _ = try await bob.ask(.fetchThreadList)
            #expect(bob.pushes.isEmpty)
        }
    }

    @Test func aPopupIsShownOnceAndAnsweredByItsPostback() async throws {
        try await Scene.run { scene in
            var settings = Chat.ChannelSettings()
            settings.inactivity = .some(InactivityLimits(secondsUntilPopup: 60, secondsUntilEnd: 30))
            _ = try await scene.desk.update(channel: "live", settings)
            let ada = try await scene.client("ada", on: "live")
            _ = try await ada.ask(ada.text("Begin", id: "m1", in: "t1", MessageParameters(isInitialMessage: true)))
            _ = try await scene.desk.assign(Scene.agent, to: DeskThread(id: "t1"), receipt: nil)
            try await ada.heard("CaseInboxAssigneeChanged")
            try #require(await eventually { scene.clock.sleeperCount == 1 })
            scene.environment.advance(milliseconds: 60_000)
            scene.clock.advance(by: .seconds(60))
            try #require(await eventually { ada.popup != nil })
            let popup = try #require(ada.popup)
            #expect(popup.numberOfSeconds == 30)
            let answer = ada.text(
                popup.refresh.text, id: "m2", in: "t1", MessageParameters(isInactivityPopupAnswer: true),
                postback: popup.refresh.postback)
            #expect(try await ada.ask(answer).isAcknowledged)
            let thread = try await scene.store.read {
                try $0.thread(
                    "t1",
                    of: try #require(try $0.account(AccountKey(service: "local", channel: "live", customer: "ada")))
                        .number)
            }
            #expect(thread?.thread.inactivityPopup == nil && thread?.thread.canAddMoreMessages == true)
        }
    }

    @Test(arguments: ["{", "[]", #"{"eventId":"e1"}"#, #"{"eventId":"e1","payload":{"eventType":"SendMessage"}}"#])
    func whatIsNoRequestIsLoggedByItsKindAndAnswered(_ text: String) async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            let before = ada.frames.count
            ada.say(text)
            try #require(await eventually { ada.frames.count > before })
            switch ada.frames.last {
            case .error(let error): #expect(error.eventID == "e1" && error.code == .inconsistentData)
            case .gatewayError: #expect(!text.contains("e1"))
            default: Issue.record("an error was expected")
            }
            #expect(scene.logged.entries.contains { $0.hasPrefix("frame refused") && $0.contains("kind=") })
            _ = try await ada.ask(.fetchThreadList)
        }
    }

    @Test func aLostClientIsForgotten() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            #expect(scene.sandbox.sessionCount == 1)
            ada.session.inbox.put(.closed(.client))
            try #require(await eventually { scene.sandbox.sessionCount == 0 })
        }
    }
}

extension SceneClient {
    fileprivate var popup: CXoneWire.InactivityPopup? {
        pushes.compactMap { event in
            if case .messageCreated(let data) = event, case .inactivityPopup(let popup) = data.message.content.body {
                popup
            } else {
                nil
            }
        }.first
    }
}
