import Chat
import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

/// What grows by being set again and again has a limit, and the refusal names it.
@Suite struct LimitTests {
    private func error(_ body: () async throws -> some Any) async -> ChatError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? ChatError
        }
    }

    private static let large = String(repeating: "x", count: 4096)

    /// Sets fields of a thread, or of its customer.
    private func set(_ fields: [String: String], _ ofCustomer: Bool, _ person: Person) async throws -> [String: String]
    {
        ofCustomer
            ? try await person.connection.setCustomerCustomFields(fields)
            : try await person.connection.setCustomFields(fields, of: "t1")
    }

    @Test(arguments: [false, true]) func customFieldsAreLimitedInNumber(ofCustomer: Bool) async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            for first in [0, 50] {
                let fields = Dictionary(uniqueKeysWithValues: (first..<first + 50).map { ("f\($0)", "\($0)") })
                #expect(try await set(fields, ofCustomer, ada).count == first + 50)
            }
            let refused = try #require(await error { try await set(["f100": "x"], ofCustomer, ada) })
            #expect(refused.code == .invalidParameter && refused.pointer == "/customFields")
            #expect(refused.detail.contains("100"))
            // What is there can be changed.
            #expect(try await set(["f99": "other"], ofCustomer, ada)["f99"] == "other")
        }
    }

    @Test(arguments: [false, true]) func customFieldsAreLimitedInTotal(ofCustomer: Bool) async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            for index in 0..<15 { _ = try await set(["f\(index)": Self.large], ofCustomer, ada) }
            let refused = try #require(await error { try await set(["f15": Self.large], ofCustomer, ada) })
            #expect(refused.code == .invalidParameter && refused.detail.contains("65536"))
            _ = try await set(["f0": "small"], ofCustomer, ada)
            #expect(try await set(["f15": Self.large], ofCustomer, ada).count == 16)
        }
    }

    @Test func oneFieldIsLimitedToo() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            let value = try #require(await error { try await set(["a/b": Self.large + "x"], false, ada) })
            #expect(value.code == .invalidParameter && value.pointer == "/customFields/a~1b")
            let name = try #require(
                await error { try await set([String(repeating: "n", count: 129): "x"], false, ada) })
            #expect(name.code == .invalidParameter && name.pointer == "/customFields")
        }
    }

    @Test func aThreadBeginsWithinTheLimits() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            let fields = Dictionary(uniqueKeysWithValues: (0..<101).map { ("f\($0)", "x") })
            let own = await error {
                try await ada.connection.createThread(ThreadDraft(id: "t1", customFields: fields), receipt: nil)
            }
            #expect(own?.code == .invalidParameter)
            let draft = DeskThreadDraft(
                id: "t2", channel: "multi", members: [MemberDraft(id: "c1")], customFields: fields)
            #expect(await error { try await local.desk.createThread(draft, receipt: nil) }?.code == .invalidParameter)
        }
    }

    /// The sandbox's clients do not pass through REST, which has limits of its own.
    @Test func namesAreLimited() async throws {
        try await Local.run { local in
            let ada = try await local.person()
            try await ada.create("t1")
            let long = String(repeating: "n", count: 257)
            #expect(await error { try await ada.create("t2", name: long) }?.pointer == "/name")
            #expect(await error { try await ada.connection.rename("t1", to: long, ifMatch: nil) }?.pointer == "/name")
            #expect(
                await error { try await ada.connection.setCustomer(CustomerDraft(lastName: long)) }?.pointer
                    == "/lastName")
            let draft = MessageDraft(text: "x", postback: String(repeating: "p", count: 4097))
            #expect(await refusal { try draft.check() } == .invalidParameter)
        }
    }

    @Test func aChannelsDefinitionIsLimited() async throws {
        try await Local.run { local in
            func fields(_ options: Int) -> [CustomFieldDefinition] {
                [
                    CustomFieldDefinition(
                        ident: "f", label: "F", kind: .list,
                        options: (0..<options).map { .init(id: "\($0)", label: String(repeating: "x", count: 250)) })
                ]
            }
            var settings = ChannelSettings()
            settings.contactFields = fields(500)
            _ = try await local.desk.update(channel: "multi", settings)
            // Each part is small; together they are too much.
            settings = ChannelSettings()
            settings.customerFields = fields(600)
            let refused = try #require(await error { try await local.desk.update(channel: "multi", settings) })
            #expect(refused.code == .invalidParameter && refused.detail.contains("262144"))
            #expect(try await local.desk.channel("multi").customerFields.isEmpty)
        }
    }

    @Test func aRichMessageIsLimited() async {
        let buttons = (0..<50).map { ReplyButton(text: "\($0)", postback: String(repeating: "€", count: 4000)) }
        let draft = MessageDraft(content: .quickReplies(QuickReplies(title: "Choose", buttons: buttons)))
        #expect(await refusal { try draft.check() } == .invalidParameter)
    }
}
