import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

@Suite struct MessageTests {
    private let thread = DeskThread(id: "t1")

    private func run(_ body: (Local, Person) async throws -> Void) async throws {
        try await Local.run { local in
            let person = try await local.person()
            try await person.create("t1")
            try await body(local, person)
        }
    }

    @Test func aSentMessageIsDeliveredAndOnTopOfItsThread() async throws {
        try await run { local, person in
            let receipt = Receipt(scope: "s", fingerprint: "f")
            let outcome = try await person.connection.send(
                MessageDraft(text: "Hi", customType: "x"), to: "t1", receipt: receipt)
            #expect(outcome.kind == .created && outcome.id.hasPrefix("id-"))
            let message = try #require(try person.messages("t1").first)
            #expect(try JSONParser.parse(outcome.body) == message)
            #expect(message["status"] == .string("delivered") && message["direction"] == .string("toAgent"))
            #expect(message["customType"] == .string("x") && message[path: "author", "kind"] == .string("customer"))
            #expect(try person.thread("t1")[path: "lastMessage", "id"] == .string(outcome.id))
            #expect(try await local.store.receipt(scope: "s")?.outcome.body == outcome.body)
            let again = try await person.connection.send(
                MessageDraft(id: outcome.id, text: "Hi", customType: "x"), to: "t1", receipt: nil)
            #expect(again.kind == .ok && again.body == outcome.body)
        }
    }

    @Test func eachSideCountsWhatItHasNotRead() async throws {
        try await run { local, person in
            func counts() throws -> [JSONValue?] {
                [try person.thread("t1")["unreadCount"], try local.deskThread("t1")["deskUnreadCount"]]
            }
            try await person.send("m1", to: "t1")
            try await person.send("m2", to: "t1")
            _ = try await local.send("m3", to: "t1")
            #expect(try counts() == [.integer(1), .integer(2)])
            local.environment.advance(milliseconds: 1000)
            _ = try await local.desk.markRead(thread, receipt: nil)
            #expect(try counts() == [.integer(1), .integer(0)])
            let time = JSONValue.string(local.environment.now.rfc3339)
            #expect(
                try person.message("m1", in: "t1")?["seenAt"] == time
                    && person.message("m2", in: "t1")?["status"] == .string("seen"))
            #expect(try person.message("m3", in: "t1")?["status"] == .string("delivered"))
            _ = try await person.connection.markRead("t1", receipt: nil)
            #expect(try counts() == [.integer(0), .integer(0)])
            #expect(try person.message("m3", in: "t1")?["status"] == .string("seen"))
            #expect(try person.thread("t1")[path: "lastMessage", "status"] == .string("seen"))
            _ = try await local.send("m4", to: "t1")
            #expect(try counts() == [.integer(1), .integer(0)])
            #expect(try person.message("m4", in: "t1")?["status"] == .string("delivered"))
        }
    }

    @Test func aRemovedMessageTakesItsPlaceInCountsAndPreviewWithIt() async throws {
        try await run { local, person in
            for id in ["m1", "m2", "m3"] { try await person.send(id, id, to: "t1") }
            _ = try await local.desk.markRead(thread, receipt: nil)
            try await person.send("m4", "m4", to: "t1")
            try await person.send("m5", "m5", to: "t1")
            try await person.connection.remove("m2", in: "t1", ifMatch: nil)  // Read: counts stay.
            #expect(try local.deskThread("t1")["deskUnreadCount"] == .integer(2))
            #expect(try local.deskThread("t1")[path: "lastMessage", "id"] == .string("m5"))
            try await person.connection.remove("m5", in: "t1", ifMatch: nil)
            #expect(try local.deskThread("t1")["deskUnreadCount"] == .integer(1))
            #expect(try local.deskThread("t1")[path: "lastMessage", "text"] == .string("m4"))
            for id in ["m4", "m3", "m1"] { try await person.connection.remove(id, in: "t1", ifMatch: nil) }
            #expect(try local.deskThread("t1")["deskUnreadCount"] == .integer(0))
            #expect(try local.deskThread("t1")["lastMessage"] == nil)
            _ = try await local.send("m6", to: "t1")
            try await local.desk.remove("m6", in: thread, ifMatch: nil)
            #expect(try person.thread("t1")["unreadCount"] == .integer(0))
        }
    }

    @Test func anEditedMessageKeepsItsPlaceAndIsNewInThePreview() async throws {
        try await run { local, person in
            try await person.send("m1", "old", to: "t1")
            let version = try await local.desk.message("m1", in: thread).version
            _ = try await person.connection.edit("m1", in: "t1", text: "new", ifMatch: version)
            #expect(try person.thread("t1")[path: "lastMessage", "text"] == .string("new"))
            let message = try #require(try person.message("m1", in: "t1"))
            #expect(message["updatedAt"] != message["createdAt"])
            #expect(try await local.desk.message("m1", in: thread).version > version)
            #expect(try local.deskThread("t1")["deskUnreadCount"] == .integer(1))
        }
    }

    @Test func timeNeverRunsBackwardsInAThread() async throws {
        try await run { local, person in
            try await person.send("m1", to: "t1")
            local.environment.advance(milliseconds: -60_000)
            try await person.send("m2", to: "t1")
            local.environment.advance(milliseconds: 60_001)
            _ = try await local.send("m3", to: "t1")
            local.environment.advance(milliseconds: -1)
            try await person.send("m4", to: "t1")
            let messages = try person.messages("t1")
            let times = messages.compactMap { $0["createdAt"]?.string }
            #expect(messages.compactMap { $0["id"]?.string } == ["m4", "m3", "m2", "m1"])
            #expect(times.count == 4 && times == times.sorted(by: >))
        }
    }

    @Test func notEvenWhenTheNewestMessageWasRemoved() async throws {
        try await run { local, person in
            try await person.send("m1", to: "t1")
            local.environment.advance(milliseconds: 1000)
            try await person.send("m2", to: "t1")
            _ = try await local.desk.markRead(thread, receipt: nil)
            try await person.connection.remove("m2", in: "t1", ifMatch: nil)
            local.environment.advance(milliseconds: -500)
            try await person.send("m3", to: "t1")
            // Unread, and seen once it is read.
            #expect(try local.deskThread("t1")["deskUnreadCount"] == .integer(1))
            #expect(try person.message("m3", in: "t1")?["status"] == .string("delivered"))
            _ = try await local.desk.markRead(thread, receipt: nil)
            #expect(try person.message("m3", in: "t1")?["status"] == .string("seen"))
            try await person.send("m4", to: "t1")
            try await person.connection.remove("m4", in: "t1", ifMatch: nil)
            #expect(try local.deskThread("t1")["deskUnreadCount"] == .integer(0))
        }
    }

    @Test func typingIsHeardByTheOtherSideAlone() async throws {
        try await run { local, person in
            let recorder = EventRecorder(local.store.feed)
            try await person.connection.reportTyping(true, in: "t1")
            #expect(recorder.take().isEmpty)  // The desk does not know the thread yet.
            try await person.send("m1", to: "t1")
            _ = recorder.take()
            try await person.connection.reportTyping(true, in: "t1")
            try await local.desk.reportTyping(false, as: Local.agent, in: thread)
            let events = recorder.take()
            #expect(events.map(\.type) == [.typing, .typing])
            #expect(events.map(\.audiences) == [[.desk], [.account(person.account)]])
            #expect(events.allSatisfy { $0.offset == nil })
            let first = try events[0].json(for: .desk)
            #expect(
                first["isTyping"] == .bool(true) && first[path: "customer", "id"] == .string("c1")
                    && first["channel"] == .string("multi"))
            let second = try events[1].json(for: .account(person.account))
            #expect(second["isTyping"] == .bool(false) && second[path: "author", "name"] == .string("Bob"))
        }
    }
}
