import Chat
import ChatModel
import CXoneWire
import Formats
import TestSupport
import Testing

/// What follows when nothing can be recovered, in the order in which it is looked at; and what is recovered.
@Suite struct RecoveryTests {
    @Test("2.6 row 1: a live chat that must not fail fails the connection")
    func aLiveChatThatMustNotFailFailsTheConnection() async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.fail("RecoverLivechat", "RecoveringLivechatFailed")
            let client = try await cxone.session(connect: false)
            #expect(await refusal { try await client.connect() } == .serverError)
            #expect(client.state == .connecting)
        }
    }

    @Test("2.6 row 2: a pending thread is ready without the platform") func aPendingThreadIsReadyWithoutTheServer()
        async throws
    {
        try await withCXone(.singlethread) { cxone in
            let client = try await cxone.session()
            let thread = try #require(try cxone.threads(of: client).first)
            #expect(thread.state == .pending)
            try await client.disconnect()
            try await client.connect()
            #expect(client.state == .ready)
            #expect(try cxone.threads(of: client) == [thread])
            #expect(cxone.platform.requests("RecoverThread").count == 1)
        }
    }

    @Test("2.6 row 3: a survey is waited for") func aSurveyIsWaitedFor() async throws {
        try await withCXone(.singlethread) { cxone in
            cxone.platform.configure { $0.survey = .tell }
            let client = try await cxone.session()
            #expect(client.state == .ready)
            #expect(try cxone.threads(of: client).isEmpty)
        }
    }

    @Test("2.6 row 3: with a survey, threads that the platform forgot are forgotten, and none is made")
    func aSurveyIsWaitedForOnceTheThreadIsForgotten() async throws {
        try await withCXone(.singlethread) { cxone in
            cxone.platform.configure { $0.survey = .tell }
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            #expect(try cxone.threads(of: client).map(\.id) == ["t1"])
            try await client.disconnect()
            cxone.platform.state.withLock { $0.rooms = [:] }
            try await client.connect()
            #expect(client.state == .ready)
            #expect(try cxone.threads(of: client).isEmpty)
        }
    }

    @Test("2.6 row 4: otherwise a thread is made") func otherwiseAThreadIsMade() async throws {
        try await withCXone(.singlethread) { cxone in
            let client = try await cxone.session()
            #expect(client.state == .ready)
            #expect(try cxone.threads(of: client).map(\.state) == [.pending])
            #expect(cxone.platform.requests("SendMessage").isEmpty)
        }
    }

    @Test("2.6 row 4: threads that the platform forgot are forgotten")
    func aThreadThatThePlatformForgotIsForgotten() async throws {
        try await withCXone(.singlethread) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session()
            #expect(try cxone.threads(of: client).map(\.id) == ["t1"])
            try await client.disconnect()
            cxone.platform.state.withLock { $0.rooms = [:] }
            try await client.connect()
            #expect(try cxone.threads(of: client).map(\.state) == [.pending])
        }
    }

    @Test(
        "2.6 row 4: what was not sent outlives a thread that the platform forgot, and begins it anew",
        arguments: [
            ChatMode.singlethread, .multithread,
        ])
    func whatWasNotSentOutlivesItsThread(mode: ChatMode) async throws {
        try await withCXone(mode) { cxone in
            cxone.platform.add("hello", to: "t1")
            let client = try await cxone.session(resendPolicy: .automatic(attempts: 5))
            cxone.platform.script("SendMessage") { _ in [] }
            async let outcome = client.send(MessageDraft(id: "m1", text: "unsent"), to: "t1", receipt: nil)
            #expect(await eventually { !cxone.platform.requests("SendMessage").isEmpty })
            try await client.disconnect()
            _ = try await outcome
            cxone.platform.state.withLock { $0.rooms = [:] }
            cxone.platform.script("SendMessage", nil)
            try await client.connect()
            #expect(client.state == .ready)
            #expect(
                await eventually {
                    cxone.clock.advance(by: .seconds(1))
                    return cxone.platform.room("t1")?.messages.map(\.id) == ["m1"]
                })
            #expect(try await eventually { try cxone.thread("t1", of: client)?.state == .ready })
            #expect(try cxone.threads(of: client).map(\.id) == ["t1"])
        }
    }

    @Test("2.6 row 4: a live chat that may fail makes a thread") func aLiveChatThatMayFailMakesAThread() async throws {
        try await withCXone(.liveChat) { cxone in
            cxone.platform.configure { $0.settings.features["isRecoverLivechatDoesNotFailEnabled"] = false }
            cxone.platform.fail("RecoverLivechat", "RecoveringLivechatFailed")
            let client = try await cxone.session()
            #expect(client.state == .ready)
            #expect(try cxone.threads(of: client).map(\.state) == [.ready])
        }
    }

    @Test("2.6: any other error fails the connection") func anyOtherErrorFailsTheConnection() async throws {
        try await withCXone(.singlethread) { cxone in
            cxone.platform.fail("RecoverThread", "SomethingNew")
            let client = try await cxone.session(connect: false)
            #expect(await refusal { try await client.connect() } == .serverError)
            #expect(client.state == .connecting)
        }
    }

    @Test func aRecoveredThreadHasMessagesAgentContactAndFields() async throws {
        try await withCXone(.singlethread) { cxone in
            cxone.platform.add("hello", to: "t1")
            cxone.platform.change("t1") { room in
                room.agent = ScriptedPlatform.agent
                room.contact?.customFields = [
                    CustomField(ident: "topic", value: "billing", updatedAt: Timestamp(milliseconds: 1000))
                ]
            }
            let client = try await cxone.session()
            let thread = try #require(try cxone.thread("t1", of: client))
            #expect(thread.state == .ready)
            #expect(thread.agent?.id == "4021")
            #expect(thread.contactID == "70012346")
            #expect(thread.customFields == ["topic": "billing"])
            #expect(try await cxone.messages("t1", of: client).map(\.text) == ["hello"])
            #expect(cxone.platform.requests("RecoverThread").count == 1)
        }
    }

    @Test("2.10 Recover after close: a live chat without data is over") func aLiveChatWithoutDataIsOver() async throws {
        try await withCXone(.liveChat) { cxone in
            let client = try await cxone.session()
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.contactID != nil)
            try await client.disconnect()
            cxone.platform.state.withLock { $0.rooms = [:] }
            try await client.connect()
            #expect(client.state == .ready)
            #expect(try cxone.thread(thread, of: client)?.state == .closed)
        }
    }

    @Test("2.10 Recover after close: a live chat whose contact is closed is over")
    func aLiveChatWhoseContactIsClosedIsOver() async throws {
        try await withCXone(.liveChat) { cxone in
            let client = try await cxone.session()
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.contactID != nil)
            try await client.disconnect()
            cxone.platform.change(thread) { $0.contact?.status = .closed }
            try await client.connect()
            #expect(try cxone.thread(thread, of: client)?.state == .closed)
        }
    }
}

extension PreContactForm {
    /// A required e-mail address, a list and a tree.
    static let tell = PreContactForm(
        id: nil, name: "Tell us", channelIDs: [],
        fields: [
            SurveyField(ident: "email", label: "E-mail", isRequired: true, kind: .email),
            SurveyField(
                ident: "topic", label: "Topic", isRequired: false,
                kind: .list([SurveyOption(name: "billing", label: "Billing")])),
            SurveyField(
                ident: "device", label: "Device", isRequired: false,
                kind: .tree([
                    SurveyOption(name: "n2", label: "Model A", parentID: "n1"),
                    SurveyOption(name: "n1", label: "Phone"),
                ])),
        ])
}
