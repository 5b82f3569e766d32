import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// What members find and open follows what they see now, not what they saw when it was written.
@Suite struct FindingTests {
    private func run(_ body: (Local, _ ann: Person, _ bob: Person) async throws -> Void) async throws {
        try await Local.run { local in
            let ann = try await local.person("ann"), bob = try await local.person("bob")
            let draft = DeskThreadDraft(
                id: "g1", channel: "multi", members: [MemberDraft(id: "ann"), MemberDraft(id: "bob")])
            _ = try await local.desk.createThread(draft, receipt: nil)
            let file = try local.store.stageFile()
            try Array("bytes".utf8).withUnsafeBytes { try file.write($0) }
            let upload = FileUpload(file: file, name: "a.txt", mimeType: "text/plain", size: 5, digest: [])
            let id = try await ann.connection.attach(upload, receipt: nil).id
            _ = try await ann.connection.send(
                MessageDraft(id: "m1", text: "word", attachments: [id]), to: "g1", receipt: nil)
            try await body(local, ann, bob)
        }
    }

    private func found(_ local: Local, by person: Person) async throws -> [String?] {
        try await local.store.catchUpSearch()
        let page = try await local.store.search(
            .account(person.account), for: "word", page: PageRequest(limit: 9, cursor: nil))
        return try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array?.map {
            $0[path: "message", "id"]?.string
        } ?? []
    }

    /// Whether the reader may open what the message `m1` carries, whose id comes from any of those who see it.
    private func opens(_ local: Local, _ id: String, _ reader: Audience) -> Bool {
        (try? local.store.readBlocking { try $0.attachment(id, for: reader) }) != nil
    }

    private func attachment(_ local: Local, _ person: Person) throws -> String {
        try #require(try person.message("m1", in: "g1")?["attachments"]?.array?.first?["id"]?.string)
    }

    @Test func whoLeavesFindsAndOpensNothingMore() async throws {
        try await run { local, ann, bob in
            let id = try attachment(local, ann)
            #expect(try await found(local, by: bob) == ["m1"])
            #expect(opens(local, id, .account(bob.account)) && opens(local, id, .desk))
            _ = try await bob.connection.leave("g1", receipt: nil)
            #expect(try await found(local, by: bob) == [])
            #expect(try await found(local, by: ann) == ["m1"])
            #expect(!opens(local, id, .account(bob.account)) && opens(local, id, .account(ann.account)))
        }
    }

    @Test func whatIsBeforeTheOwnLineIsNeitherFoundNorOpened() async throws {
        try await run { local, ann, bob in
            let id = try attachment(local, ann)
            _ = try await ann.connection.resetHistory("g1", receipt: nil)
            try await bob.send("m2", "word again", to: "g1")
            #expect(try await found(local, by: ann) == ["m2"])
            #expect(try await found(local, by: bob) == ["m2", "m1"])
            #expect(!opens(local, id, .account(ann.account)) && opens(local, id, .account(bob.account)))
        }
    }

    @Test func aHistoryThatIsResetForAllIsForgotten() async throws {
        try await run { local, ann, bob in
            let id = try attachment(local, ann)
            #expect(try await found(local, by: ann) == ["m1"])
            _ = try await local.desk.resetHistory(DeskThread(id: "g1"), receipt: nil)
            try await ann.send("m3", "word once more", to: "g1")
            #expect(try await found(local, by: ann) == ["m3"])
            #expect(try await found(local, by: bob) == ["m3"])
            for reader in [Audience.account(ann.account), .account(bob.account), .desk] {
                #expect(!opens(local, id, reader))
            }
        }
    }

    @Test func repliesAreFoundAndCarryFiles() async throws {
        try await run { local, ann, bob in
            try await bob.reply("r1", to: "m1", in: "g1", alsoInThread: false)
            let file = try local.store.stageFile()
            try Array("bytes".utf8).withUnsafeBytes { try file.write($0) }
            let id = try await bob.connection.attach(
                FileUpload(file: file, name: "a.png", mimeType: "image/png", size: 5, digest: []), receipt: nil
            ).id
            _ = try await bob.connection.send(
                MessageDraft(id: "r2", text: "word", parentID: "m1", alsoInThread: false, attachments: [id]), to: "g1",
                receipt: nil)
            #expect(try await found(local, by: ann) == ["r2", "m1"])
            #expect(opens(local, id, .account(ann.account)))
        }
    }
}
