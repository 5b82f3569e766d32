import Chat
import ChatModel
import CXoneService
import CXoneWire
import HTTPClientPort
import TestSupport
import Testing

/// A survey with every kind of field, from the channel's configuration to the first message.
@Suite struct SurveyTests {
    /// As the platform writes it: parents after their children, a kind that nobody knows.
    static let form = #"""
        {"id": "f1", "name": "Tell us", "customFields": [
          {"isRequired": true, "definition": {"ident": "order", "label": "Order", "type": "text", "values": []}},
          {"isRequired": true, "definition": {"ident": "email", "label": "E-mail", "type": "email", "values": []}},
          {"isRequired": true, "definition": {"ident": "topic", "label": "Topic", "type": "list",
            "values": [{"name": "billing", "value": "Billing"}, {"name": "tech", "value": "Technical"}]}},
          {"isRequired": true, "definition": {"ident": "device", "label": "Device", "type": "tree", "values": [
            {"name": "n3", "value": "Model B", "parentId": "n2"}, {"name": "n2", "value": "Series", "parentId": "n1"},
            {"name": "n1", "value": "Phone"}, {"name": "n4", "value": "Other"}]}},
          {"isRequired": true, "definition": {"ident": "when", "label": "When", "type": "calendar", "values": []}}]}
        """#

    private static let answers = ["order": "17", "email": "eva@example.com", "topic": "tech", "device": "n3"]

    private func withSurvey(_ mode: ChatMode, _ body: (Fixture, ChatClient) async throws -> Void) async throws {
        try await withCXone(mode) { cxone in
            let plain = cxone.platform.state.withLock { String(decoding: $0.configuration.encoded(), as: UTF8.self) }
            let whole = plain.replacing("\"preContactForm\":null", with: "\"preContactForm\":" + Self.form)
            #expect(whole != plain)
            cxone.platform.http("/channel/") { call in
                call.url.hasSuffix("/availability")
                    ? HTTPAnswer(status: 200, body: WireAvailability(isOnline: true).encoded())
                    : HTTPAnswer(status: 200, body: Array(whole.utf8))
            }
            try await body(cxone, try await cxone.session())
        }
    }

    @Test(arguments: [ChatMode.singlethread, .multithread, .liveChat])
    func preparingReadsIt(_ mode: ChatMode) async throws {
        try await withSurvey(mode) { cxone, client in
            #expect(client.state == .ready)
            let survey = try #require(client.channel.preChatSurvey)
            #expect(survey.name == "Tell us")
            // A kind that nobody knows is skipped, though it is required.
            #expect(survey.fields.map(\.ident) == ["order", "email", "topic", "device"])
            #expect(survey.fields.map(\.kind) == [.text, .email, .list, .tree])
            #expect(survey.fields[3].options.map(\.parentID) == ["n2", "n1", nil, nil])
            // Nothing begins before it is answered.
            #expect(try cxone.threads(of: client).isEmpty)
            #expect(cxone.platform.requests("SendMessage").isEmpty)
        }
    }

    @Test(arguments: [ChatMode.singlethread, .multithread, .liveChat])
    func noThreadBeginsWithoutIt(_ mode: ChatMode) async throws {
        try await withSurvey(mode) { cxone, client in
            func create(_ change: (inout [String: String]) -> Void) async -> ChatError.Code? {
                var fields = Self.answers
                change(&fields)
                return await refusal { [fields] in
                    try await client.createThread(ThreadDraft(customFields: fields), receipt: nil)
                }
            }
            for ident in Self.answers.keys {
                #expect(await create { $0[ident] = nil } == .missingPreChatCustomFields, "\(ident) is missing")
                #expect(await create { $0[ident] = "" } == .missingPreChatCustomFields, "\(ident) is empty")
            }
            #expect(await create { $0["email"] = "eva@" } == .invalidParameter)
            #expect(await create { $0["topic"] = "sales" } == .invalidParameter)
            #expect(await create { $0["device"] = "n2" } == .invalidParameter, "a branch is no answer")
            #expect(await create { $0["device"] = "n9" } == .invalidParameter)
            let threads = try cxone.threads(of: client)
            #expect(threads.isEmpty)
            #expect(cxone.platform.requests("SendMessage").isEmpty)
            #expect(await create { _ in } == nil)
        }
    }

    @Test(arguments: [ChatMode.singlethread, .multithread, .liveChat])
    func itsAnswersTravelWithTheFirstMessage(_ mode: ChatMode) async throws {
        try await withSurvey(mode) { cxone, client in
            // A label is as good as its identifier.
            var fields = Self.answers
            (fields["topic"], fields["device"]) = ("Technical", "Model B")
            let thread = try await client.createThread(ThreadDraft(customFields: fields), receipt: nil).id
            #expect(try cxone.thread(thread, of: client)?.customFields == Self.answers)
            if mode != .liveChat { _ = try await client.send(MessageDraft(text: "hi"), to: thread, receipt: nil) }
            guard case .sendMessage(let first)? = cxone.platform.requests("SendMessage").first?.event else {
                Issue.record("nothing was sent")
                return
            }
            #expect(Dictionary(uniqueKeysWithValues: first.contactFields.map { ($0.ident, $0.value) }) == Self.answers)
        }
    }
}
