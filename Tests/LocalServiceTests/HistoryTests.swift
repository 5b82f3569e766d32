import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Histories that are reset: by a customer for the own view, at the desk for all.
@Suite struct HistoryTests {
    private let thread = DeskThread(id: "g1")

    private func run(_ body: (Local, _ ann: Person, _ bob: Person) async throws -> Void) async throws {
        try await Local.run { local in
            let ann = try await local.person("ann"), bob = try await local.person("bob")
            let draft = DeskThreadDraft(
                id: "g1", channel: "multi", members: [MemberDraft(id: "ann"), MemberDraft(id: "bob")])
            _ = try await local.desk.createThread(draft, receipt: nil)
            try await ann.send("m1", "old", to: "g1")
            try await bob.reply("r1", to: "m1", in: "g1", alsoInThread: false)
            _ = try await local.send("m2", "old", to: "g1")
            _ = try local.log()
            try await body(local, ann, bob)
        }
    }

    private func all(_ local: Local, _ person: Person) throws -> [String?] {
        let request = PageRequest(limit: 9, cursor: nil)
        return try items(
            blocking {
                try await local.store.messagePage(of: person.account, thread: "g1", replies: .all, request)
            }
        )
        .map { $0["id"]?.string }
    }

    @Test func aCustomerResetsTheOwnViewAlone() async throws {
        try await run { local, ann, bob in
            let before = try await local.store.messagePage(
                of: ann.account, thread: "g1", PageRequest(limit: 9, cursor: nil))
            _ = try await ann.connection.resetHistory("g1", receipt: nil)
            #expect(try local.log() == ["thread.updated g1 c"])
            #expect(try all(local, ann) == [] && ann.messages("g1").isEmpty)
            #expect(
                try await local.store.messagePage(of: ann.account, thread: "g1", PageRequest(limit: 9, cursor: nil))
                    .version > before.version)
            #expect(try all(local, bob) == ["m2", "r1", "m1"])
            let own = try ann.thread("g1")
            #expect(own["lastMessage"] == nil && own["unreadCount"] == .integer(0))
            #expect(try ann.threads().first == own)
            #expect(own["historyResetAt"]?.string == local.environment.now.rfc3339)
            #expect(try bob.thread("g1")["historyResetAt"] == nil)
            #expect(try bob.thread("g1")[path: "lastMessage", "id"] == .string("m2"))
            #expect(try local.deskThread("g1")[path: "lastMessage", "id"] == .string("m2"))
        }
    }

    @Test func whatComesAfterTheLineIsThereAtOnce() async throws {
        try await run { local, ann, bob in
            _ = try await ann.connection.resetHistory("g1", receipt: nil)
            try await bob.send("m3", "new", to: "g1")  // In the same millisecond by the clock.
            #expect(try all(local, ann) == ["m3"])
            #expect(try ann.thread("g1")[path: "lastMessage", "id"] == .string("m3"))
            #expect(try ann.thread("g1")["unreadCount"] == .integer(1))
            let line = try #require(try ann.thread("g1")["historyResetAt"]?.string)
            let time = try #require(try ann.message("m3", in: "g1")?["createdAt"]?.string)
            #expect(time > line)
        }
    }

    @Test func eventsOfWhatStandsBeforeTheLineDoNotReachTheAccount() async throws {
        try await run { local, ann, bob in
            _ = try await ann.connection.resetHistory("g1", receipt: nil)
            let recorder = EventRecorder(local.store.feed)
            _ = try await local.desk.edit("m2", in: thread, text: "edited", ifMatch: nil)
            try await bob.reply("r2", to: "m1", in: "g1")
            let events = recorder.take().filter { $0.audiences.contains(.account(ann.account)) }
            #expect(events.map(\.type) == [.threadUpdated, .messageCreated, .threadUpdated])
            #expect(try all(local, ann) == ["r2"])
            // The parent is behind the line: its replies stay readable.
            let page = try await local.store.read { transaction in
                try transaction.replyPage(of: "m1", in: transaction.thread("g1", of: ann.account)!, ReplyRequest())
            }
            let json = try JSONParser.parse(page.body + Array("}".utf8))
            #expect(
                json["parent"]
                    == .object([
                        JSONMember(name: "unavailable", value: .bool(true)),
                        JSONMember(name: "id", value: .string("m1")),
                    ]))
            #expect(json["items"]?.array?.map { $0["id"] } == [.string("r2")])
            #expect(await refusal { try await ann.reply("r3", to: "m1", in: "g1") } == .unknownParent)
            #expect(
                await refusal { try await ann.connection.edit("m1", in: "g1", text: "x", ifMatch: nil) }
                    == .unknownMessage)
            // Sent again it is still the same message.
            let again = try await ann.send("m1", "old", to: "g1")
            #expect(again.kind == .ok)
        }
    }

    @Test func theDeskResetsTheHistoryForAll() async throws {
        try await run { local, ann, bob in
            _ = try await ann.connection.resetHistory("g1", receipt: nil)
            local.environment.advance(milliseconds: 10)
            _ = try local.log()
            _ = try await local.desk.resetHistory(thread, receipt: nil)
            #expect(try local.log() == ["thread.updated g1 ccd"])
            for person in [ann, bob] {
                #expect(try all(local, person) == [])
                let own = try person.thread("g1")
                #expect(
                    own["lastMessage"] == nil && own["unreadCount"] == .integer(0)
                        && own["deskUnreadCount"] == .integer(0))
                #expect(own["historyResetAt"]?.string == local.environment.now.rfc3339)
            }
            #expect(try local.deskThread("g1")["historyResetAt"]?.string == local.environment.now.rfc3339)
            #expect(await refusal { try await local.desk.message("m2", in: thread) } == .unknownMessage)
            let replay = try await local.store.replay([.account(bob.account), .desk], after: 0, limit: 1 << 20)
            #expect(replay.events.allSatisfy { !String(decoding: $0.data, as: UTF8.self).contains("old") })
            // What is gone stays gone.
            #expect(await refusal { try await ann.send("m1", "old", to: "g1") } == .messageIdConflict)
            try await ann.send("m3", "new", to: "g1")
            #expect(try all(local, bob) == ["m3"])
            #expect(try bob.thread("g1")["unreadCount"] == .integer(1))
        }
    }

    @Test func aSearchFindsNothingFromBeforeTheLine() async throws {
        try await run { local, ann, bob in
            func found(_ scope: SearchScope) async throws -> [String?] {
                try await local.store.catchUpSearch()
                let page = try await local.store.search(scope, for: "old", page: PageRequest(limit: 9, cursor: nil))
                return try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array?.map {
                    $0[path: "message", "id"]?.string
                } ?? []
            }
            #expect(try await found(.account(ann.account)) == ["m2", "m1"])
            _ = try await ann.connection.resetHistory("g1", receipt: nil)
            #expect(try await found(.account(ann.account)) == [])
            #expect(try await found(.thread("g1", of: ann.account)) == [])
            #expect(try await found(.account(bob.account)) == ["m2", "m1"])
            #expect(try await found(.desk(service: "local")) == ["m2", "m1"])
            try await bob.send("m3", "old and new", to: "g1")
            #expect(try await found(.account(ann.account)) == ["m3"])
            _ = try await local.desk.resetHistory(thread, receipt: nil)
            #expect(try await found(.account(bob.account)) == [])
            #expect(try await found(.desk(service: "local")) == [])
            _ = try await bob.connection.leave("g1", receipt: nil)
            _ = try await local.desk.send(
                MessageDraft(id: "m4", text: "old no more"), as: Local.agent, to: thread, receipt: nil)
            #expect(try await found(.account(bob.account)) == [])
            #expect(try await found(.account(ann.account)) == ["m4"])
        }
    }

    @Test func aLongHistoryIsOutOfSightAtOnceAndErasedInBoundedUnits() async throws {
        try await run { local, ann, bob in
            for index in 0..<450 { try await ann.send("x\(index)", "old", to: "g1") }
            _ = try await local.store.write { transaction in
                guard var record = try transaction.thread("g1", of: ann.account) else {
                    throw ChatError.unknownThread("g1")
                }
                try transaction.resetHistory(in: &record, withDesk: true)
            }
            // As after a kill: nobody has gone on yet.
            #expect(try all(local, bob) == [] && bob.thread("g1")["lastMessage"] == nil)
            #expect(await refusal { try await local.desk.message("x449", in: thread) } == .unknownMessage)
            var units = 1
            while try await local.store.write({ try $0.eraseHistory() }) { units += 1 }
            #expect(units >= 3)
            #expect(await refusal { try await ann.send("x449", "old", to: "g1") } == .messageIdConflict)
            let replay = try await local.store.replay([.account(bob.account), .desk], after: 0, limit: 1 << 20)
            #expect(replay.events.allSatisfy { !String(decoding: $0.data, as: UTF8.self).contains("old") })
        }
    }
}
