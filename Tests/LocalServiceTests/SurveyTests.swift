import Chat
import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

/// What channels ask before a thread begins, what custom fields may hold, and what threads begin with.
@Suite struct SurveyTests {
    private static let survey = PreChatSurvey(
        name: "About you",
        fields: [
            CustomFieldDefinition(ident: "mail", label: "E-mail", kind: .email, isRequired: true),
            CustomFieldDefinition(ident: "name", label: "Name", kind: .text, isRequired: true),
            CustomFieldDefinition(
                ident: "topic", label: "Topic", kind: .list,
                options: [.init(id: "billing", label: "Invoices"), .init(id: "tech", label: "Technical")]),
            CustomFieldDefinition(
                ident: "device", label: "Device", kind: .tree,
                options: [.init(id: "phone", label: "Phone"), .init(id: "a", label: "Model A", parentID: "phone")]),
        ])

    private func local(_ channel: String = "live", _ body: (Local) async throws -> Void) async throws {
        try await Local.run { local in
            var settings = ChannelSettings()
            settings.preChatSurvey = .some(Self.survey)
            _ = try await local.desk.update(channel: channel, settings)
            try await body(local)
        }
    }

    /// Which members a refusal points to, each with its code.
    private func faults(_ body: () async throws -> some Any) async -> [String] {
        do {
            _ = try await body()
            return []
        } catch {
            guard let error = error as? ChatError else { return ["\(error)"] }
            return ["\(error.code)"] + error.faults.map { "\($0.pointer) \($0.code)" }
        }
    }

    @Test(arguments: ["live", "multi", "single"]) func aThreadNeedsItsSurvey(channel: String) async throws {
        try await local(channel) { local in
            let ada = try await local.person("ada", on: channel)
            func create(_ fields: [String: String]) async throws -> Outcome {
                try await ada.connection.createThread(ThreadDraft(id: "t1", customFields: fields), receipt: nil)
            }
            #expect(
                await faults { try await create([:]) } == [
                    "missingPreChatCustomFields", "/customFields/mail missingPreChatCustomFields",
                    "/customFields/name missingPreChatCustomFields",
                ])
            #expect(
                await faults { try await create(["mail": "nobody", "name": ""]) } == [
                    "missingPreChatCustomFields", "/customFields/name missingPreChatCustomFields",
                    "/customFields/mail invalidParameter",
                ])
            #expect(
                await faults { try await create(["mail": "a@b.cz", "name": "Ada", "topic": "x", "device": "phone"]) }
                    == [
                        "invalidParameter", "/customFields/topic invalidParameter",
                        "/customFields/device invalidParameter",
                    ])
            #expect(try ada.threads().isEmpty)
            // A label stands for its option; what is optional may be empty, and what nobody asked for is kept.
            let answers = ["mail": "a@b.cz", "name": "Ada", "topic": "Invoices", "device": "", "other": "1"]
            #expect(try await create(answers).kind == .created)
            #expect(
                try ada.thread("t1").requiredStrings("customFields")
                    == ["mail": "a@b.cz", "name": "Ada", "topic": "billing", "other": "1"])
            // Sent again: the same thread.
            #expect(try await create(answers).kind == .ok)
        }
    }

    @Test func aSessionWaitsForTheAnswers() async throws {
        try await local("single") { local in
            let sessions = Sessions(store: local.store, services: [local.service], clock: ManualClock())
            let client = try await sessions.create(
                service: "local", channel: "single", customer: CustomerDraft(id: "ada"), connect: true, receipt: nil)
            #expect(client.state == .ready)
            #expect(client.channel.preChatSurvey == Self.survey)
            #expect(try await local.person("ada", on: "single").threads().isEmpty)
            let other = try await sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "ada"), connect: true, receipt: nil)
            #expect(other.channel.preChatSurvey == nil)
        }
    }

    @Test func aSurveyThatTheChannelGetsLaterIsWaitedForToo() async throws {
        try await Local.run { local in
            let sessions = Sessions(store: local.store, services: [local.service], clock: ManualClock())
            let client = try await sessions.create(
                service: "local", channel: "single", customer: CustomerDraft(id: "ada"), connect: false, receipt: nil)
            var settings = ChannelSettings()
            settings.preChatSurvey = .some(Self.survey)
            _ = try await local.desk.update(channel: "single", settings)
            try await client.connect()
            #expect(client.state == .ready)
            #expect(try await local.person("ada", on: "single").threads().isEmpty)
        }
    }

    @Test func fieldsAreCheckedWhenTheyAreSet() async throws {
        try await local("multi") { local in
            var settings = ChannelSettings()
            settings.contactFields = [CustomFieldDefinition(ident: "cc", label: "Copy", kind: .email)]
            settings.customerFields = [
                CustomFieldDefinition(
                    ident: "plan", label: "Plan", kind: .list, options: [.init(id: "free", label: "Free of charge")])
            ]
            _ = try await local.desk.update(channel: "multi", settings)
            let ada = try await local.person()
            _ = try await ada.connection.createThread(
                ThreadDraft(id: "t1", customFields: ["mail": "a@b.cz", "name": "Ada"]), receipt: nil)
            _ = local.recorder.take()
            let wrong = ["cc": "x", "topic": "y", "free": "z"]
            #expect(
                await faults { try await ada.connection.setCustomFields(wrong, of: "t1") } == [
                    "invalidParameter", "/customFields/topic invalidParameter", "/customFields/cc invalidParameter",
                ])
            #expect(local.recorder.take().isEmpty)
            #expect(
                try await ada.connection.setCustomFields(["cc": "c@d.cz", "topic": "Technical"], of: "t1")
                    == ["mail": "a@b.cz", "name": "Ada", "cc": "c@d.cz", "topic": "tech"])
            #expect(
                await faults { try await ada.connection.setCustomerCustomFields(["plan": "gold"]) } == [
                    "invalidParameter", "/customFields/plan invalidParameter",
                ])
            let set = try await ada.connection.setCustomerCustomFields(["plan": "Free of charge", "vip": "yes"])
            #expect(set == ["plan": "free", "vip": "yes"])
        }
    }

    @Test func settingsSayWhatTheyChangeAndLeaveTheRest() async throws {
        try await local { local in
            var settings = ChannelSettings()
            settings.name = "Help"
            settings.welcomeMessage = .some("Hello")
            var channel = try await local.desk.update(channel: "live", settings)
            #expect(channel.name == "Help" && channel.preChatSurvey == Self.survey && channel.mode == .liveChat)
            settings = ChannelSettings()
            settings.preChatSurvey = .some(nil)
            channel = try await local.desk.update(channel: "live", settings)
            #expect(channel.preChatSurvey == nil && channel.welcomeMessage == "Hello")
            #expect(try await LocalService(store: local.store).channel("live") == channel)
            settings.inactivity = .some(InactivityLimits(secondsUntilPopup: 1, secondsUntilEnd: 1))
            #expect(
                await refusal { try await local.desk.update(channel: "multi", settings) } == .unsupportedChannelConfig)
            #expect(await refusal { try await local.desk.update(channel: "none", settings) } == .unknownChannel)
        }
    }

    // MARK: Welcome

    private func welcoming(_ channel: String, _ body: (Local, Person) async throws -> Void) async throws {
        try await Local.run { local in
            var settings = ChannelSettings()
            settings.welcomeMessage = .some("Dear {{customer.firstName|customer}}, about {{topic|what}}?")
            _ = try await local.desk.update(channel: channel, settings)
            let ada = try await local.person("ada", on: channel)
            _ = try await ada.connection.setCustomer(CustomerDraft(firstName: "Ada"))
            try await body(local, ada)
        }
    }

    /// What a receipt repeats has nothing of a message that was removed.
    @Test func aRemovedWelcomeLeavesTheReceiptOfItsThread() async throws {
        try await welcoming("multi") { local, ada in
            let receipt = Receipt(scope: "s", fingerprint: "f")
            let made = try await ada.connection.createThread(
                ThreadDraft(id: "t1", customFields: ["topic": "engines"]), receipt: receipt)
            #expect(try await local.store.receipt(scope: "s")?.outcome.body == made.body)
            try await ada.send("m1", to: "t1")
            let welcome = try #require(try ada.messages("t1").last?["id"]?.string)
            try await local.desk.remove(welcome, in: DeskThread(id: "t1"), ifMatch: nil)
            let kept = try #require(try await local.store.receipt(scope: "s")?.outcome)
            #expect(kept.kind == .created && kept.id == "t1")
            #expect(!String(decoding: kept.body, as: UTF8.self).contains("engines"))
        }
    }

    @Test func aThreadBeginsWithItsWelcome() async throws {
        try await welcoming("multi") { local, ada in
            _ = try await ada.connection.createThread(
                ThreadDraft(id: "t1", customFields: ["topic": "engines"]), receipt: nil)
            let message = try #require(try ada.messages("t1").first)
            #expect(message["text"] == .string("Dear Ada, about engines?"))
            #expect(message["direction"] == .string("toClient"))
            #expect(message[path: "author", "kind"] == .string("system"))
            let thread = try ada.thread("t1")
            #expect(thread["unreadCount"]?.integer == 0)
            #expect(thread["state"] == .string("pending"))
            #expect(thread[path: "lastMessage", "text"] == .string("Dear Ada, about engines?"))
            // Nobody at the desk hears of it before the customer has said something.
            #expect(try local.deskThreads().isEmpty)
            #expect(try local.log().allSatisfy { $0.hasSuffix(" c") || $0.hasPrefix("customer.updated") })
            try await ada.send("m1", to: "t1")
            #expect(try local.deskThreads().count == 1)
            #expect(try ada.messages("t1").map { $0["id"] }.last == message["id"])
        }
    }

    @Test func aLiveChatBeginsWithItToo() async throws {
        try await welcoming("live") { local, ada in
            try await ada.create("t1")
            #expect(try ada.messages("t1").map { $0["text"] } == [.string("Dear Ada, about what?")])
            #expect(try local.deskThread("t1")["queuePosition"]?.integer == 1)
        }
    }
}
