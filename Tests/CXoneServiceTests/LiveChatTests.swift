import Chat
import ChatModel
import CXoneWire
import Formats
import TestSupport
import Testing

/// What live chats do besides.
@Suite struct LiveChatTests {
    private static let origin = PushOrigin(brandID: 4711, channelID: "chat_1")

    private func withChat(_ body: (Fixture, ChatClient, String) async throws -> Void) async throws {
        try await withCXone(.liveChat) { cxone in
            let client = try await cxone.session()
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.contactID != nil)
            try await body(cxone, client, thread)
        }
    }

    @Test("2.11: a new chat begins with a hidden message") func aNewChatBeginsWithAHiddenMessage() async throws {
        try await withChat { cxone, client, thread in
            guard case .sendMessage(let opening)? = cxone.platform.requests("SendMessage").first?.event else { return }
            #expect(opening.content.body == .text("Begin Conversation"))
            #expect(opening.content.parameters.isInitialMessage)
            let holds = try await cxone.messages(thread, of: client).isEmpty
            #expect(holds)
            #expect(try cxone.thread(thread, of: client)?.state == .ready)
        }
    }

    /// The configuration says offline, as old as the preparation; the availability says online by now.
    @Test(arguments: [false, true])
    func aSessionThatWasOpenedOutsideTheHoursBeginsAChatWithinThem(connects: Bool) async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.state.withLock { $0.isOnline = false }
            cxone.platform.configure { $0.availability = WireAvailability(isOnline: false) }
            let client = try await cxone.session(connect: connects)
            #expect(client.state == (connects ? .offline : .prepared))
            #expect(!client.channel.isOnline)
            cxone.platform.state.withLock { $0.isOnline = true }
            cxone.environment.advance(milliseconds: 62_000)
            // An offline session asks by itself, or when it is told to.
            try await client.connect()
            #expect(await eventually { client.state == .ready })
            #expect(client.channel.isOnline)
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.state == .ready)
        }
    }

    @Test func aChatThatThePlatformRefusesIsNone() async throws {
        try await withCXone(.liveChat) { cxone in
            let client = try await cxone.session()
            cxone.platform.fail("SendMessage", "SendingMessageFailed")
            #expect(await refusal { try await client.createThread(ThreadDraft(), receipt: nil) } == .serverError)
            #expect(try cxone.threads(of: client).isEmpty)
        }
    }

    @Test("2.10 Queue: the place is told until an agent comes") func thePlaceInTheQueueIsToldUntilAnAgentComes()
        async throws
    {
        try await withChat { cxone, client, thread in
            let recorder = EventRecorder(cxone.store.feed)
            let contact = try #require(cxone.platform.room(thread)?.contact)
            cxone.platform.push(
                .setPositionInQueue(
                    SetPositionInQueue(
                        contactID: contact.id, routingQueue: nil, position: 3, isAnyAgentOnline: true)))
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.queuePosition == 3)
            #expect(recorder.types(for: .account(client.account)).contains("queue.updated"))
            cxone.platform.push(
                .caseInboxAssigneeChanged(
                    CaseInboxAssigneeChanged(
                        origin: Self.origin, contact: contact, inboxAssignee: ScriptedPlatform.agent,
                        previousInboxAssignee: nil, routingQueue: nil)))
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.queuePosition == nil)
            #expect(try cxone.thread(thread, of: client)?.agent?.name == "Marta Novak")
        }
    }

    @Test("2.9 SetPositionInQueue: kept until its contact is known") func aPlaceThatComesBeforeItsContactIsKept()
        async throws
    {
        try await withCXone(.liveChat) { cxone in
            let client = try await cxone.session()
            cxone.platform.push(
                .setPositionInQueue(
                    SetPositionInQueue(
                        contactID: "70012346", routingQueue: nil, position: 2, isAnyAgentOnline: true)))
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.queuePosition == 2)
        }
    }

    @Test("2.10 End by agent: the thread is closed, the session stays ready; New conversation")
    func anEndByTheAgentClosesTheThread() async throws {
        try await withChat { cxone, client, thread in
            var contact = try #require(cxone.platform.room(thread)?.contact)
            contact.status = .closed
            cxone.platform.push(.caseStatusChanged(CaseChanged(origin: Self.origin, contact: contact)))
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.state == .closed)
            #expect(client.state == .ready)
            _ = try await client.createThread(ThreadDraft(), receipt: nil)
            #expect(try cxone.threads(of: client).count == 2)
        }
    }

    @Test("2.10 Survey: ready, and answered before the chat") func aSurveyMustBeAnswered() async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.configure { $0.survey = .tell }
            let client = try await cxone.session()
            #expect(client.state == .ready)
            #expect(client.channel.preChatSurvey?.fields.map(\.kind) == [.email, .list, .tree])
            func create(_ fields: [String: String]) async -> ChatError.Code? {
                await refusal { try await client.createThread(ThreadDraft(customFields: fields), receipt: nil) }
            }
            #expect(await create([:]) == .missingPreChatCustomFields)
            #expect(await create(["email": "nobody"]) == .invalidParameter)
            #expect(await create(["email": "a@example.com", "topic": "other"]) == .invalidParameter)
            #expect(await create(["email": "a@example.com", "device": "n1"]) == .invalidParameter)
            #expect(await create(["email": "a@example.com", "topic": "Billing", "device": "n2"]) == nil)
            guard case .sendMessage(let opening)? = cxone.platform.requests("SendMessage").last?.event else { return }
            #expect(
                opening.contactFields.map { "\($0.ident)=\($0.value)" } == [
                    "device=n2", "email=a@example.com", "topic=billing",
                ])
        }
    }

    @Test(
        "2.9 CaseInboxAssigneeChanged: with a closed contact the thread is closed; of an unknown thread nothing happens"
    )
    func anAssigneeOfAClosedContactClosesTheThread() async throws {
        try await withChat { cxone, client, thread in
            func assign(_ contact: WireContact) {
                cxone.platform.push(
                    .caseInboxAssigneeChanged(
                        CaseInboxAssigneeChanged(
                            origin: Self.origin, contact: contact, inboxAssignee: nil,
                            previousInboxAssignee: ScriptedPlatform.agent,
                            routingQueue: nil)))
            }
            var contact = try #require(cxone.platform.room(thread)?.contact)
            (contact.status, contact.threadID) = (.closed, "t9")
            assign(contact)
            try await cxone.platform.heard()
            #expect(cxone.notices.entries.contains { $0.contains("CaseInboxAssigneeChanged") })
            #expect(try cxone.thread(thread, of: client)?.state == .ready)
            contact.threadID = thread
            assign(contact)
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.state == .closed)
            #expect(client.state == .ready)
        }
    }

    @Test("2.9 CaseStatusChanged: an earlier contact's end says nothing of the open one")
    func anEarlierContactsEndChangesNothing() async throws {
        try await withChat { cxone, client, thread in
            var contact = try #require(cxone.platform.room(thread)?.contact)
            (contact.id, contact.status) = ("1", .closed)
            cxone.platform.push(.caseStatusChanged(CaseChanged(origin: Self.origin, contact: contact)))
            cxone.platform.write("after", in: thread)
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.lastMessage?.text == "after")
            #expect(try cxone.thread(thread, of: client)?.state == .ready)
        }
    }

    @Test("2.10 Inactivity: the chat is given up by the popup's other button")
    func aPopupsOtherButtonGivesUp() async throws {
        try await withChat { cxone, client, thread in
            #expect(
                await refusal {
                    try await client.ask { try await $0.answerInactivity(.expire, in: thread, receipt: nil) }
                }
                    == .illegalThreadState)
            cxone.platform.write("", in: thread, content: MessageContent(.inactivityPopup(Self.popup)))
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.inactivityPopup != nil)
            _ = try await client.ask { try await $0.answerInactivity(.expire, in: thread, receipt: nil) }
            guard case .sendMessage(let answer)? = cxone.platform.requests("SendMessage").last?.event else { return }
            #expect(answer.content.body == .text("End chat"))
            #expect(answer.content.postback == "{\"isExpired\":true}")
        }
    }

    static let popup = CXoneWire.InactivityPopup(
        id: "p1", title: "Your chat will expire in", text: "You were inactive.", callToAction: "Continue?",
        startedAt: Timestamp(milliseconds: 1_772_443_800_000), numberOfSeconds: 60,
        refresh: .init(id: "5", text: "Continue", postback: "{\"isExpired\":false}"),
        expire: .init(id: "6", text: "End chat", postback: "{\"isExpired\":true}"))

    @Test("2.10 Inactivity: a popup is shown, and answered by a hidden message")
    func aPopupIsShownAndAnsweredHidden() async throws {
        try await withChat { cxone, client, thread in
            let recorder = EventRecorder(cxone.store.feed)
            cxone.platform.write("", in: thread, content: MessageContent(.inactivityPopup(Self.popup)))
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.inactivityPopup != nil)
            #expect(await eventually { recorder.types(for: .account(client.account)).contains("proactive") })
            #expect(try await cxone.messages(thread, of: client).isEmpty)
            _ = try await client.ask { try await $0.answerInactivity(.refresh, in: thread, receipt: nil) }
            guard case .sendMessage(let answer)? = cxone.platform.requests("SendMessage").last?.event else { return }
            #expect(answer.content.parameters.isInactivityPopupAnswer)
            #expect(answer.content.postback == "{\"isExpired\":false}")
            #expect(try cxone.thread(thread, of: client)?.inactivityPopup == nil)
        }
    }

    @Test("2.10 Inactivity: a popup is recovered") func aPopupIsRecovered() async throws {
        try await withChat { cxone, client, thread in
            try await client.disconnect()
            cxone.platform.add("", to: thread, content: MessageContent(.inactivityPopup(Self.popup)))
            try await client.connect()
            #expect(try cxone.thread(thread, of: client)?.inactivityPopup?.numberOfSeconds == 60)
        }
    }

    @Test("2.10 Not available: names, archives, several threads") func namesArchivesAndManyThreadsAreNotThere()
        async throws
    {
        try await withChat { cxone, client, thread in
            #expect(
                await refusal { try await client.ask { try await $0.rename(thread, to: "x", ifMatch: nil) } }
                    == .unsupportedChannelConfig)
            #expect(
                await refusal { try await client.ask { try await $0.archive(thread, receipt: nil) } }
                    == .unsupportedChannelConfig)
            #expect(
                await refusal { try await client.createThread(ThreadDraft(), receipt: nil) }
                    == .unsupportedChannelConfig)
        }
    }
}
