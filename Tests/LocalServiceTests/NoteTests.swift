import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Notes among agents: what they change, and whom they reach.
@Suite struct NoteTests {
    private let thread = DeskThread(id: "t1")

    private func run(_ body: (Local, Person) async throws -> Void) async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await person.send("m1", "Hello", to: "t1")
            _ = try local.log()
            try await body(local, person)
        }
    }

    private func note(_ text: String, _ local: Local, receipt: Receipt? = nil) async throws -> JSONValue {
        try JSONParser.parse(
            try await local.desk.addNote(text, by: Local.agent, to: thread, receipt: receipt).body)
    }

    private func texts(_ local: Local) async throws -> [String] {
        try items(await local.desk.notes(of: thread, page: PageRequest(limit: 200, cursor: nil))).compactMap {
            $0["text"]?.string
        }
    }

    @Test func itIsTheDesksAlone() async throws {
        try await run { local, person in
            let before = (try person.thread("t1"), try person.threads(), try person.messages("t1"))
            let deskBefore = try local.deskThread("t1")
            let made = try await note("Has called twice", local)
            #expect(made["author"]?["id"] == .string("a1") && made["threadId"] == .string("t1"))
            #expect(try local.log() == ["note.created t1 d"])
            try await local.desk.removeNote(try #require(made["id"]?.string), of: thread)
            #expect(try local.log() == ["note.removed t1 d"])
            #expect(try (person.thread("t1"), person.threads(), person.messages("t1")) == before)
            #expect(try local.deskThread("t1") == deskBefore)
            let replay = try await local.store.replay([.account(person.account)], after: 0, limit: 1 << 20)
            #expect(replay.events.allSatisfy { $0.type != .noteCreated && $0.type != .noteRemoved })
        }
    }

    @Test func notesArePagedFromTheNewest() async throws {
        try await run { local, person in
            for number in 1...5 {
                local.environment.advance(milliseconds: 10)
                _ = try await note("n\(number)", local)
            }
            #expect(try await texts(local) == ["n5", "n4", "n3", "n2", "n1"])
            var (seen, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await local.desk.notes(of: thread, page: PageRequest(limit: 2, cursor: cursor))
                seen += try items(page).compactMap { $0["text"]?.string }
                cursor = page.next
            } while cursor != nil
            #expect(seen == ["n5", "n4", "n3", "n2", "n1"])
            for foreign in ["m1o1.1", "n1n1.1", "n99o1.1", "d"] {
                await #expect(throws: ChatError.self) {
                    try await local.desk.notes(of: thread, page: PageRequest(limit: 2, cursor: foreign))
                }
            }
        }
    }

    /// A note stands behind what it is about, even if the clock was set back.
    @Test func itsTimeIsNotBeforeTheLastMessages() async throws {
        try await run { local, person in
            let last = try #require(try person.message("m1", in: "t1")?["createdAt"])
            local.environment.advance(milliseconds: -60_000)
            #expect(try await note("later", local)["createdAt"] == last)
        }
    }

    @Test func aRemovedNotesTextIsNowhere() async throws {
        try await run { local, person in
            let receipt = Receipt(scope: "s", fingerprint: "f")
            let id = try #require(try await note("kaleidoscope", local, receipt: receipt)["id"]?.string)
            _ = try await note("stays", local)
            try await local.desk.removeNote(id, of: thread)
            #expect(try await texts(local) == ["stays"])
            let replay = try await local.store.replay([.desk], after: 0, limit: 1 << 20)
            #expect(replay.events.map(\.type).suffix(2) == [.noteCreated, .noteRemoved])
            #expect(!replay.events.contains { String(decoding: $0.data, as: UTF8.self).contains("kaleidoscope") })
            guard case .events(let events, _) = local.store.feed.read([.desk], after: 0, limit: .max) else {
                Issue.record("the ring has lost events")
                return
            }
            #expect(!events.contains { String(decoding: $0.data, as: UTF8.self).contains("kaleidoscope") })
            let answer = try await local.store.receipt(scope: "s")?.outcome.body
            #expect(answer.map { String(decoding: $0, as: UTF8.self) } == #"{"threadId":"t1","noteId":"\#(id)"}"#)
            await #expect(throws: ChatError.self) { try await local.desk.removeNote(id, of: thread) }
        }
    }

    @Test func aClosedThreadTakesNotes() async throws {
        try await run { local, person in
            _ = try await local.desk.close(thread, receipt: nil)
            _ = try await note("sent a lamp", local)
            #expect(try await texts(local) == ["sent a lamp"])
            await #expect(throws: ChatError.self) {
                try await local.desk.addNote("x", by: Local.agent, to: DeskThread(id: "none"), receipt: nil)
            }
        }
    }
}
