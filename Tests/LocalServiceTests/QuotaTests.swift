import Chat
import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

/// What a customer's own token may keep on the embedded service.
@Suite struct QuotaTests {
    private static func run(_ body: (Local, Person) async throws -> Void) async throws {
        var options = StoreOptions()
        options.quotas.texts = 2000
        try await Local.run(options: options) { local in
            let ada = try await local.person()
            try await ada.create("t1")
            try await body(local, ada)
        }
    }

    private static let large = String(repeating: "x", count: 1000)

    private static func draft(_ id: String, _ text: String = large, isCounted: Bool = true) -> MessageDraft {
        var draft = MessageDraft(id: id, text: text)
        draft.isCounted = isCounted
        return draft
    }

    private static func send(_ draft: MessageDraft, _ person: Person) async throws -> Outcome {
        try await person.connection.send(draft, to: "t1", receipt: nil)
    }

    @Test func whoHasReachedItWritesNoMoreUntilSomethingIsRemoved() async throws {
        try await Self.run { local, ada in
            _ = try await Self.send(Self.draft("m1"), ada)
            _ = try await Self.send(Self.draft("m2"), ada)
            #expect(await refusal { try await Self.send(Self.draft("m3", "x"), ada) } == .quotaExceeded)
            #expect(await refusal { try await Self.send(Self.draft("m3", "x"), ada) } == .quotaExceeded)
            #expect(try ada.messages("t1").count == 2)
            // A repetition is no new message.
            #expect(try await Self.send(Self.draft("m2"), ada).kind == .ok)
            try await ada.connection.remove("m1", in: "t1", ifMatch: nil)
            _ = try await Self.send(Self.draft("m3", "x"), ada)
            #expect(try local.store.faults() == [])
        }
    }

    @Test func nobodyElseIsRefused() async throws {
        try await Self.run { local, ada in
            for id in ["m1", "m2"] { _ = try await Self.send(Self.draft(id), ada) }
            _ = try await Self.send(Self.draft("gateway", isCounted: false), ada)
            _ = try await local.send("agent", to: "t1")
            let ben = try await local.person("c2")
            try await ben.create("t1")
            _ = try await Self.send(Self.draft("m1"), ben)
        }
    }

    @Test func anEditThatGrowsIsRefusedLikeAMessage() async throws {
        try await Self.run { local, ada in
            for id in ["m1", "m2"] { _ = try await Self.send(Self.draft(id), ada) }
            func edit(_ text: String) async throws -> Outcome {
                try await ada.connection.edit("m1", in: "t1", text: text, ifMatch: nil)
            }
            #expect(await refusal { try await edit(Self.large + "more") } == .quotaExceeded)
            _ = try await edit("less")
            _ = try await edit("a little more")
            #expect(try local.store.faults() == [])
        }
    }
}
