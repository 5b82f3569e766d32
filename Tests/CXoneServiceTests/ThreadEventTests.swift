import Chat
import ChatModel
import ChatStore
import CXoneWire
import Formats
import HTTPClientPort
import TestSupport
import Testing

/// What each push does to a thread.
@Suite struct ThreadEventTests {
    private static let origin = PushOrigin(brandID: 4711, channelID: "chat_1")

    /// A ready thread `t1` of a channel with many.
    private func withThread(
        _ mode: ChatMode = .multithread, _ body: (Fixture, ChatClient) async throws -> Void
    ) async throws {
        try await withCXone(mode) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            if mode == .multithread { _ = try await client.ask { try await $0.load("t1", receipt: nil) } }
            try await body(cxone, client)
        }
    }

    @Test("2.9 MessageCreated: written, and counted") func aMessageIsWrittenAndCounted() async throws {
        try await withThread { cxone, client in
            cxone.platform.write("news", in: "t1")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "news")
            #expect(try await cxone.messages("t1", of: client).map(\.text) == ["hello", "news"])
            let unread = try await cxone.store.read {
                try $0.thread("t1", of: client.account)?.members.first?.unreadCount
            }
            #expect(unread == 1)
        }
    }

    @Test("2.9 MessageCreated: of an unknown thread, where there is one alone: passed over")
    func aMessageOfAnUnknownThreadIsPassedOver() async throws {
        try await withThread(.singlethread) { cxone, client in
            cxone.platform.write("nobody's", in: "t9")
            try await cxone.platform.heard()
            #expect(cxone.notices.entries.contains { $0.contains("MessageCreated") })
            try await cxone.leave(client)
            #expect(try cxone.thread("t9", of: client) == nil)
        }
    }

    /// The SDK passes it over until the list is read again.
    @Test(
        "2.9 MessageCreated, CaseCreated: a thread that another device has made is read",
        arguments: ["MessageCreated", "CaseCreated"])
    func aThreadOfAnotherDeviceIsRead(_ type: String) async throws {
        try await withThread { cxone, client in
            cxone.platform.add("one", to: "t9")
            let contact = try #require(cxone.platform.room("t9")?.contact)
            for _ in 1...2 {
                if type == "MessageCreated" {
                    cxone.platform.write("more", in: "t9")
                } else {
                    cxone.platform.push(.caseCreated(CaseChanged(origin: Self.origin, contact: contact)))
                }
            }
            // It is read in the background.
            #expect(try await eventually { try cxone.thread("t9", of: client)?.state == .ready })
            cxone.platform.write("after", in: "t9")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t9", of: client)?.lastMessage?.text == "after")
            let expected = type == "MessageCreated" ? ["one", "more", "more", "after"] : ["one", "after"]
            #expect(try await cxone.messages("t9", of: client).map(\.text) == expected)
            #expect(
                cxone.platform.requests("RecoverThread").count { $0.event == .recoverThread(ThreadReference(id: "t9")) }
                    == 1)
        }
    }

    @Test(
        "2.9 MessageCreated: the only thread, made by another device, takes the place of an empty one",
        arguments: [true, false])
    func anEmptyThreadGivesWayToTheOneOfAnotherDevice(isEmpty: Bool) async throws {
        try await withCXone(.singlethread) { cxone in
            let client = try await cxone.session()
            let mine = try #require(try cxone.threads(of: client).first?.id)
            if !isEmpty {
                cxone.platform.script("SendMessage") { _ in [] }
                Task { try? await client.send(MessageDraft(id: "m1", text: "mine"), to: mine, receipt: nil) }
                #expect(await eventually { !cxone.platform.requests("SendMessage").isEmpty })
            }
            cxone.platform.add("one", to: "t9")
            cxone.platform.write("more", in: "t9")
            if isEmpty {
                #expect(try await eventually { try cxone.threads(of: client).map(\.id) == ["t9"] })
                #expect(try await cxone.messages("t9", of: client).map(\.text) == ["one", "more"])
            } else {
                try await cxone.platform.heard()
                try await cxone.leave(client)
                #expect(try cxone.threads(of: client).map(\.id) == [mine])
                // A reading that was begun would have been sent, or noticed when the connection was gone.
                #expect(cxone.platform.requests("RecoverThread").count == 1, "on connecting")
                #expect(!cxone.notices.entries.contains { $0.contains("could not be read") })
            }
        }
    }

    @Test("2.9: threads that the platform names and does not have harm nothing")
    func threadsThatArentThereAreGivenUp() async throws {
        try await withThread { cxone, client in
            for index in 0..<100 {
                let contact = WireContact(
                    id: "\(index)", threadID: "x\(index)", status: .open, createdAt: Timestamp(milliseconds: 1000))
                cxone.platform.push(.caseCreated(CaseChanged(origin: Self.origin, contact: contact)))
            }
            cxone.platform.write("after", in: "t1")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "after")
            #expect(client.state == .ready)
            try await cxone.leave(client)
            #expect(try cxone.threads(of: client).map(\.id) == ["t1"])
        }
    }

    @Test("2.9 MessageCreated: a pending thread is ready, and has a contact")
    func aMessageMakesAPendingThreadReady() async throws {
        try await withThread { cxone, client in
            let thread = try await client.createThread(ThreadDraft(name: "Invoice"), receipt: nil).id
            _ = try await client.send(MessageDraft(id: "m1", text: "Where is my order?"), to: thread, receipt: nil)
            let now = try #require(try cxone.thread(thread, of: client))
            #expect(now.state == .ready)
            #expect(now.contactID != nil)
            #expect(cxone.platform.room(thread)?.name == "Invoice")
        }
    }

    @Test("2.9 MessageCreated: a listed thread is ready, a closed one stays closed")
    func aMessageMakesAListedThreadReady() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("one", to: "t1")
            cxone.platform.add("two", to: "t2")
            cxone.platform.change("t2") { $0.isOpen = false }
            let client = try await cxone.session()
            #expect(try cxone.thread("t1", of: client)?.state == .loaded)
            cxone.platform.write("news", in: "t1")
            cxone.platform.write("news", in: "t2")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t2", of: client)?.lastMessage?.text == "news")
            #expect(try cxone.thread("t1", of: client)?.state == .ready)
            #expect(try cxone.thread("t2", of: client)?.state == .closed)
        }
    }

    @Test("2.9 MessageCreated: the same message twice is there once")
    func aMessageThatIsToldTwiceIsThereOnce() async throws {
        try await withThread { cxone, client in
            let message = cxone.platform.write("news", in: "t1")
            cxone.platform.push(.messageCreated(cxone.platform.created(message)))
            cxone.platform.write("after", in: "t1")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "after")
            let messages = try await cxone.messages("t1", of: client)
            #expect(messages.map(\.text) == ["hello", "news", "after"])
        }
    }

    @Test("2.9 MessageCreated: hidden messages are skipped") func hiddenMessagesAreNotWritten() async throws {
        try await withThread { cxone, client in
            let content = MessageContent(
                .text("x"), parameters: MessageParameters(isUnsupportedMessageTypeAnswer: true))
            cxone.platform.write("x", in: "t1", content: content)
            cxone.platform.write("after", in: "t1")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "after")
            #expect(try await cxone.messages("t1", of: client).map(\.text) == ["hello", "after"])
        }
    }

    @Test("2.9 MessageCreated: unknown content is shown by its fallback, and answered hidden")
    func unknownContentIsShownByItsFallbackAndAnswered() async throws {
        try await withThread { cxone, client in
            let frame = """
                {"eventId":"p","eventObject":"Message","eventType":"MessageCreated","data":{"thread":{"idOnExternalPlatform":"t1"},\
                "message":{"idOnExternalPlatform":"m9","threadIdOnExternalPlatform":"t1","messageContent":{"type":"ADAPTIVE_CARD",\
                "payload":{"elements":[{"type":"CARD"}]},"fallbackText":"A card"},"createdAt":"2026-03-02T09:16:04+00:00",\
                "direction":"outbound","attachments":[]}}}
                """
            cxone.platform.sendRaw(frame)
            #expect(await eventually { !cxone.platform.requests("SendMessage").isEmpty })
            guard case .sendMessage(let reply) = cxone.platform.requests("SendMessage")[0].event else { return }
            #expect(reply.content.parameters.isUnsupportedMessageTypeAnswer)
            #expect(reply.content.body == .text("The last agent's message is not supported in the mobile SDK: A card"))
            let shown = try await cxone.messages("t1", of: client)
            #expect(shown.last?.type == .unknown)
            #expect(shown.last?.text == "A card:\nADAPTIVE_CARD – CARD")
            #expect(shown.count == 2)
        }
    }

    @Test func richContentIsWritten() async throws {
        try await withThread { cxone, client in
            let replies = CXoneWire.QuickReplies(
                title: "Which day?", buttons: [CXoneWire.ReplyButton(text: "Today", postback: "{\"id\":1}")])
            cxone.platform.write(
                "", in: "t1", content: MessageContent(.quickReplies(replies), fallbackText: "Which day?"))
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.type == .quickReplies)
            let message = try #require(try await cxone.messages("t1", of: client).last)
            #expect(
                message.content
                    == .quickReplies(
                        ChatModel.QuickReplies(
                            title: "Which day?", buttons: [ChatModel.ReplyButton(text: "Today", postback: "{\"id\":1}")]
                        )))
            _ = try await client.send(
                MessageDraft(id: "a1", text: "Today", postback: "{\"id\":1}"), to: "t1", receipt: nil)
            guard case .sendMessage(let answer)? = cxone.platform.requests("SendMessage").last?.event else { return }
            #expect(answer.content.postback == "{\"id\":1}")
        }
    }

    @Test(
        "2.9 MessageReadChanged, MessageSeenChanged: the message is replaced",
        arguments: ["MessageReadChanged", "MessageSeenChanged"])
    func whatTheAgentReadIsSeen(_ type: String) async throws {
        try await withThread { cxone, client in
            _ = try await client.send(MessageDraft(id: "m1", text: "hi"), to: "t1", receipt: nil)
            var message = try #require(cxone.platform.room("t1")?.messages.last)
            message.agentStatistics = MessageStatistics(
                readAt: Timestamp(milliseconds: message.createdAt.milliseconds + 5000))
            let changed = MessageChanged(origin: Self.origin, message: message)
            cxone.platform.push(
                type == "MessageReadChanged" ? .messageReadChanged(changed) : .messageSeenChanged(changed))
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.status == .seen)
        }
    }

    /// The time is from the iOS SDK's own tests.
    @Test("A member that is optional and cannot be read is left out, and told")
    func anUnreadableOptionalMemberRefusesNoFrame() async throws {
        try await withCXone(.multithread) { cxone in
            cxone.platform.add("hello", to: "t1")
            cxone.platform.script("FetchThreadList") { request in
                cxone.platform.sendRaw(
                    """
                    {"eventId":"\(request.eventID)","postback":{"eventType":"ThreadListFetched","data":{"threads":[\
                    {"id":"s1","idOnExternalPlatform":"t1","channelId":"chat_1","threadName":"One","canAddMoreMessages":true,\
                    "updatedAt":"+0,0:00"}]}}}
                    """)
                return []
            }
            let client = try await cxone.session()
            #expect(client.state == .ready)
            #expect(try cxone.thread("t1", of: client)?.name == "One")
            #expect(cxone.notices.entries.contains { $0.contains("updatedAt") && !$0.contains("0,0:00") })
        }
    }

    @Test("MessageUpdated: the text is the new one, in the history and in the list")
    func anEditedMessageHasItsNewText() async throws {
        try await withThread { cxone, client in
            var message = cxone.platform.write("before", in: "t1")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "before")
            message.content = .text("after")
            cxone.platform.push(.messageUpdated(MessageChanged(origin: Self.origin, message: message)))
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "after")
            let shown = try await cxone.messages("t1", of: client)
            #expect(shown.map(\.text) == ["hello", "after"])
        }
    }

    @Test("A streamed message is shown by its fallback, and by its text once that is complete")
    func aStreamedTextIsShownAtItsEnd() async throws {
        try await withThread { cxone, client in
            let mayAnswer = Gate()
            cxone.platform.hold("/stream/1") { await mayAnswer.pass() }
            cxone.platform.http("/stream/1") { _ in
                let events = ["One ", "two"].map { "data: {\"delta\":{\"content\":\"\($0)\"}}\n\n" }.joined()
                return HTTPAnswer(
                    status: 200, body: Array((events + "data: {\"delta\":{\"finish_reason\":\"stop\"}}\n\n").utf8))
            }
            func tell() {
                cxone.platform.sendRaw(
                    """
                    {"eventId":"p","eventObject":"Message","eventType":"MessageCreated","data":{"thread":{"idOnExternalPlatform":"t1"},\
                    "message":{"idOnExternalPlatform":"m9","threadIdOnExternalPlatform":"t1","messageContent":{"type":\
                    "STREAMED","fallbackText":"One moment","payload":{"protocol":"sse","sourceUrl":"http://platform.test/stream/1"}},\
                    "createdAt":"2026-03-02T09:16:04+00:00","direction":"outbound"}}}
                    """)
            }
            tell()
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text?.hasPrefix("One moment") == true)
            mayAnswer.open()
            #expect(try await eventually { try cxone.thread("t1", of: client)?.lastMessage?.text == "One two" })
            // The same copy again, as history brings it.
            tell()
            try await cxone.platform.heard()
            try await cxone.leave(client)
            #expect(cxone.platform.calls("/stream/1").count == 2)
            let shown = try await cxone.messages("t1", of: client)
            #expect(shown.map(\.text) == ["hello", "One two"])
            #expect(shown.last?.type == .text)
            #expect(cxone.platform.requests("SendMessage").isEmpty, "it can be shown")
        }
    }

    @Test("MessageSent: the message is shown, and is the same one when it is created")
    func aMessageThatComesAheadIsShownOnce() async throws {
        try await withThread { cxone, client in
            func tell(_ type: String) {
                cxone.platform.sendRaw(
                    """
                    {"eventId":"p","eventObject":"Message","eventType":"\(type)","data":{"thread":{"idOnExternalPlatform":"t1"},\
                    "message":{"idOnExternalPlatform":"m9","threadIdOnExternalPlatform":"t1","messageContent":{"type":\
                    "MENU","payload":{}},"createdAt":"2026-03-02T09:16:04+00:00","direction":"outbound"}}}
                    """)
            }
            tell("MessageSent")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.id == "m9")
            tell("MessageCreated")
            // The answer to what an app cannot show follows once.
            #expect(await eventually { !cxone.platform.requests("SendMessage").isEmpty })
            let unread = try await cxone.store.read {
                try $0.thread("t1", of: client.account)?.members.first?.unreadCount
            }
            #expect(unread == 1)
            #expect(try await cxone.messages("t1", of: client).count == 2)
            try await cxone.leave(client)
            #expect(cxone.platform.requests("SendMessage").count == 1)
        }
    }

    @Test("2.9 CaseInboxAssigneeChanged: agent and former agent") func anAssigneeIsTheThreadsAgent() async throws {
        try await withThread { cxone, client in
            let contact = try #require(cxone.platform.room("t1")?.contact)
            func assign(_ agent: WireAgent?, _ previous: WireAgent?) {
                cxone.platform.push(
                    .caseInboxAssigneeChanged(
                        CaseInboxAssigneeChanged(
                            origin: Self.origin, contact: contact, inboxAssignee: agent,
                            previousInboxAssignee: previous, routingQueue: nil)))
            }
            assign(ScriptedPlatform.agent, nil)
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.agent?.id == "4021")
            assign(nil, ScriptedPlatform.agent)
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.agent == nil)
            #expect(try cxone.thread("t1", of: client)?.previousAgent?.id == "4021")
        }
    }

    @Test("2.9 CaseStatusChanged: no change of a messaging thread")
    func aClosedContactOfAMessagingThreadChangesNothing() async throws {
        try await withThread { cxone, client in
            let before = try cxone.thread("t1", of: client)
            var contact = try #require(cxone.platform.room("t1")?.contact)
            contact.status = .closed
            cxone.platform.push(.caseStatusChanged(CaseChanged(origin: Self.origin, contact: contact)))
            cxone.platform.push(.unknown(type: "UserStatusChanged"))
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client) == before)
        }
    }

    @Test("2.9 SenderTypingStarted, SenderTypingEnded: told where an agent is named")
    func agentsTypeWhereTheyAreNamed() async throws {
        try await withThread { cxone, client in
            let recorder = EventRecorder(cxone.store.feed)
            let thread = ThreadReference(id: "t1")
            cxone.platform.push(
                .senderTypingStarted(SenderTyping(origin: Self.origin, thread: thread, agent: nil, direction: .inbound))
            )
            cxone.platform.push(
                .senderTypingStarted(SenderTyping(origin: Self.origin, thread: thread, agent: ScriptedPlatform.agent)))
            cxone.platform.push(
                .senderTypingEnded(SenderTyping(origin: Self.origin, thread: thread, agent: ScriptedPlatform.agent)))
            try await cxone.platform.heard()
            #expect(recorder.types(for: .account(client.account)).count { $0 == "typing" } == 2)
        }
    }

    @Test func theEndOfTheCustomersTypingIsToldToThePlatform() async throws {
        for way in ["message", "disconnect"] {
            try await withThread { cxone, client in
                try await client.ask { try await $0.reportTyping(true, in: "t1") }
                #expect(cxone.platform.requests("SenderTypingStarted").count == 1)
                if way == "message" {
                    _ = try await client.send(MessageDraft(text: "Hello"), to: "t1", receipt: nil)
                } else {
                    try await client.disconnect()
                }
                #expect(await eventually { cxone.platform.requests("SenderTypingEnded").count == 1 }, "\(way)")
            }
        }
    }

    /// The platform tells the end of what it told, or not.
    @Test func theEndOfAnAgentsTypingIsToldWithTheirMessageOrWithTheConnection() async throws {
        for way in ["message", "loss"] {
            try await withThread { cxone, client in
                let recorder = EventRecorder(cxone.store.feed)
                cxone.platform.push(
                    .senderTypingStarted(
                        SenderTyping(
                            origin: Self.origin, thread: ThreadReference(id: "t1"), agent: ScriptedPlatform.agent)))
                try await cxone.platform.heard()
                #expect(recorder.types(for: .account(client.account)).contains("typing"))
                if way == "message" { cxone.platform.write("news", in: "t1") } else { try await client.disconnect() }
                #expect(
                    await eventually { recorder.types(for: .account(client.account)).count { $0 == "typing" } == 2 })
                let typing = recorder.events.filter { $0.type == .typing }
                #expect(try typing.map { try JSONParser.parse($0.data)["isTyping"]?.bool } == [true, false], "\(way)")
            }
        }
    }

    @Test("2.9: pushes of unknown threads and without an agent tell nothing, and harm nothing")
    func pushesOfUnknownThreadsAreNothing() async throws {
        try await withThread(.singlethread) { cxone, client in
            let recorder = EventRecorder(cxone.store.feed)
            let contact = WireContact(id: "1", threadID: "t9", status: .open, createdAt: Timestamp(milliseconds: 1000))
            let message = WireMessage(
                id: "m9", threadID: "t9", content: .text("x"), createdAt: Timestamp(milliseconds: 1000),
                direction: .outbound)
            cxone.platform.push(.messageReadChanged(MessageChanged(origin: Self.origin, message: message)))
            cxone.platform.push(
                .caseInboxAssigneeChanged(
                    CaseInboxAssigneeChanged(
                        origin: Self.origin, contact: contact, inboxAssignee: ScriptedPlatform.agent,
                        previousInboxAssignee: nil, routingQueue: nil)))
            cxone.platform.push(.caseStatusChanged(CaseChanged(origin: Self.origin, contact: contact)))
            cxone.platform.push(
                .senderTypingStarted(
                    SenderTyping(
                        origin: Self.origin, thread: ThreadReference(id: "t9"), agent: ScriptedPlatform.agent)))
            cxone.platform.write("after", in: "t1")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "after")
            #expect(await eventually { recorder.types(for: .account(client.account)).contains("message.created") })
            #expect(Set(recorder.types(for: .account(client.account))) == ["message.created", "thread.updated"])
            #expect(client.state == .ready)
        }
    }

    @Test("2.9 EventInS3: as the event behind it") func aLargeEventIsFetched() async throws {
        try await withThread { cxone, client in
            let message = cxone.platform.add("large", to: "t1")
            let body = ServerFrame.push(
                ServerPush(eventID: "p", createdAt: nil, event: .messageCreated(cxone.platform.created(message))))
            cxone.platform.http("large.example") { _ in .init(status: 200, body: body.encoded()) }
            cxone.platform.push(
                .eventInS3(EventInS3(url: "https://large.example/1", originEventType: "MessageCreated")))
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "large")
        }
    }

    @Test("2.9 EventInS3: one that cannot be had is an error") func aLargeEventThatCannotBeHadIsAnError() async throws {
        try await withThread { cxone, client in
            let recorder = EventRecorder(cxone.store.feed)
            cxone.platform.http("large.example") { _ in .init(status: 403) }
            cxone.platform.push(
                .eventInS3(EventInS3(url: "https://large.example/1", originEventType: "MessageCreated")))
            try await cxone.platform.heard()
            #expect(recorder.types(for: .account(client.account)).contains("error"))
            #expect(client.state == .ready)
        }
    }

    @Test("2.9 EventInS3: one that does not come keeps the others waiting no longer than any answer")
    func aLargeEventThatDoesNotComeIsGivenUp() async throws {
        try await withThread { cxone, client in
            let recorder = EventRecorder(cxone.store.feed)
            cxone.platform.state.withLock { $0.silent = "large.example" }
            cxone.platform.push(
                .eventInS3(EventInS3(url: "https://large.example/1", originEventType: "MessageCreated")))
            cxone.platform.write("after", in: "t1")
            #expect(await eventually { cxone.clock.nextWaking == .seconds(8) })
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text != "after")
            cxone.clock.advance(by: .seconds(8))
            try await cxone.platform.heard()
            #expect(cxone.platform.calls("large.example").count == 1)
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "after")
            #expect(recorder.types(for: .account(client.account)).contains("error"))
        }
    }

    @Test("2.9 FireProactiveAction: a welcome message is kept, with its fields")
    func aWelcomeMessageBeginsTheThreadsThatCome() async throws {
        try await withThread { cxone, client in
            cxone.platform.push(
                .fireProactiveAction(
                    FireProactiveAction(
                        destinationID: nil, actionID: "a", actionName: "Greeting", actionType: .welcomeMessage,
                        content: ProactiveContent(
                            bodyText: "Dear {{customer.firstName|customer}}, hello from {{campaign}}"),
                        handoverFields: [
                            CustomField(ident: "campaign", value: "spring", updatedAt: Timestamp(milliseconds: 5))
                        ])))
            try await cxone.platform.heard()
            #expect(try await client.customer().customFields == ["campaign": "spring"])
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            #expect(try await cxone.messages(thread, of: client).map(\.text) == ["Dear Eva, hello from spring"])
            _ = try await client.send(MessageDraft(id: "m1", text: "hi"), to: thread, receipt: nil)
            #expect(cxone.platform.types.suffix(2) == ["SendOutbound", "SendMessage"])
            try await cxone.platform.heard()
            #expect(try await cxone.messages(thread, of: client).map(\.text) == ["Dear Eva, hello from spring", "hi"])
        }
    }

    @Test(
        "A frame that cannot be read is noticed by its kind, without its text, and harms nothing",
        arguments: [
            ("nonsense", "notJSON"), ("", "notJSON"), ("{\"eventId\":\"x\"", "notJSON"), ("[\"secret\"", "notJSON"),
            ("[]", "no known kind"),
            ("{\"a\":\"\u{0}\"}", "notJSON"), ("{\"eventType\":\"MessageCreated\",\"data\":{}}", "missing"),
            ("{\"eventType\":\"MessageCreated\",\"data\":\"secret\"}", ""), ("{\"eventType\":7}", ""),
            ("{\"eventId\":[]}", ""),
            (String(repeating: "[", count: 100_000), "notJSON"),
            ("{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}", "tooLarge"),
            ("{\"eventId\":\"1\",\"error\":\"secret\"}", ""),
            ("{\"eventId\":\"1\",\"postback\":{\"eventType\":\"ThreadRecovered\"}}", ""),
        ])
    func aBrokenFrameHarmsNothing(_ text: String, _ kind: String) async throws {
        try await withThread { cxone, client in
            cxone.platform.sendRaw(text)
            cxone.platform.write("after", in: "t1")
            try await cxone.platform.heard()
            #expect(try cxone.thread("t1", of: client)?.lastMessage?.text == "after")
            #expect(kind.isEmpty || cxone.notices.entries.contains { $0.contains(kind) })
            #expect(!cxone.notices.entries.contains { $0.contains("secret") })
            #expect(client.state == .ready)
        }
    }

    @Test(
        "A time outside the years 0000 to 9999 harms nothing",
        arguments: [
            "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59",
        ])
    func aTimeOutsideTheYearsHarmsNothing(_ text: String) async throws {
        try await withThread { cxone, client in
            var message = cxone.platform.add("when", to: "t2", id: "odd")
            message.threadID = "t1"
            let frame = ServerFrame.push(
                ServerPush(
                    eventID: "p", createdAt: nil, event: .messageCreated(cxone.platform.created(message))))
            // Wherever the frame tells a time.
            let time = try Regex(#"\d{4}-\d\d-\d\dT[0-9:.]+(Z|\+00:00)"#)
            cxone.platform.sendRaw(String(decoding: frame.encoded(), as: UTF8.self).replacing(time, with: text))
            let written: @Sendable () throws -> MessageRecord? = {
                try cxone.store.readBlocking { transaction in
                    try transaction.thread("t1", of: client.account).flatMap {
                        try transaction.storedMessage("odd", in: $0)
                    }
                }
            }
            try await cxone.platform.heard()
            let year = try written()?.message.createdAt.rfc3339.prefix(4)
            #expect(year == text.prefix(4))
            cxone.platform.write("after", in: "t1")
            try await cxone.platform.heard()
            #expect(try await cxone.messages("t1", of: client).contains { $0.text == "after" })
            #expect(client.state == .ready)
        }
    }

    @Test func anAnswerThatCannotBeReadFailsItsRequestAlone() async throws {
        try await withThread { cxone, client in
            cxone.platform.script("RecoverThread") { [platform = cxone.platform] request in
                platform.sendRaw(
                    "{\"eventId\":\"\(request.eventID)\",\"postback\":{\"eventType\":\"ThreadRecovered\",\"data\":{\"thread\":7}}}"
                )
                return []
            }
            #expect(await refusal { try await client.ask { try await $0.load("t1", receipt: nil) } } == .serverError)
            #expect(client.state == .ready)
            let outcome = try await client.send(MessageDraft(id: "m1", text: "hi"), to: "t1", receipt: nil)
            #expect(outcome.kind == .created)
        }
    }
}
