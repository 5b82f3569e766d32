import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

@testable import Chat

/// Message collections on the embedded service: rules 3.1 to 3.3, 3.6 to 3.8, 3.11 to 3.13, and 4.5.
@Suite struct MessageCollectionTests {
    private func run(_ count: Int, _ body: (CollectionRoom) async throws -> Void) async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            for number in 0..<count { try await room.send("m\(number)") }
            try await body(room)
        }
    }

    private func ids(_ range: Range<Int>) -> [String] { range.map { "m\($0)" } }

    @Test("3.1: a filter chooses by type, custom type and sender, now and later") func filter() async throws {
        try await run(1) { room in
            try await room.send("x", customType: "odd")
            try await room.answer("a")
            var odd = try await room.messages(MessageFilter(customTypes: ["odd"]))
            var agents = try await room.messages(MessageFilter(senderIDs: ["a1"]))
            var files = try await room.messages(MessageFilter(kind: .file))
            for list in [odd, agents, files] { try await room.fetch(list, .previous) }
            try await room.send("y", customType: "odd")
            try await room.answer("b")
            #expect(try await room.events(&odd) == ["insert succeeded x at 0", "insert succeeded y at 1", "new"])
            #expect(try await room.events(&agents) == ["insert succeeded a at 0", "insert succeeded b at 1", "new"])
            #expect(try await room.events(&files) == [])
        }
    }

    @Test("3.1: two messages with one timestamp at a page's edge are both there, once") func equalTimes() async throws {
        try await run(1) { room in
            let now = room.environment.now
            for id in ["a", "b", "c", "d"] {
                room.environment.now = now
                _ = try await room.client.send(MessageDraft(id: id, text: id), to: "t1", receipt: nil)
            }
            var list = try await room.messages(limit: 2)
            while try await room.fetch(list, .previous) {}
            _ = try await room.events(&list)
            #expect(list.ids == ["m0", "a", "b", "c", "d"])
        }
    }

    @Test("3.3: what was read last, as the viewpoint, parts what was read from what was not") func lastReadAsViewpoint()
        async throws
    {
        try await run(2) { room in
            try await room.answer("a1")
            room.environment.advance(milliseconds: 5000)
            _ = try await room.client.ask { try await $0.markRead("t1", receipt: nil) }
            for id in ["a2", "a3"] { try await room.answer(id) }
            let thread = try JSONParser.parse(try await room.client.thread("t1").body)
            let read = try #require(thread["lastReadAt"]?.string.flatMap(Timestamp.init(rfc3339:)))
            var list = try await room.messages(viewpoint: read)
            try await room.fetch(list, .next)
            #expect(try await room.events(&list) == ["insert succeeded a2,a3 at 0,1"])
            try await room.fetch(list, .previous)
            #expect(try await room.events(&list) == ["insert succeeded m0,m1,a1 at 0,1,2"])
        }
    }

    @Test("3.3: the viewpoint's own message belongs to previous") func viewpointsOwnMessage() async throws {
        try await run(5) { room in
            var list = try await room.messages(viewpoint: room.time(of: "m2"), limit: 2)
            #expect(try await room.fetch(list, .previous))
            #expect(try await room.events(&list) == ["insert succeeded m1,m2 at 0,1"])
            #expect(try await room.fetch(list, .next) == false)
            #expect(try await room.events(&list) == ["insert succeeded m3,m4 at 2,3"])
        }
    }

    @Test(
        "3.3: with nothing beyond the viewpoint either direction gives the page that ends at the newest",
        arguments: FetchDirection.allCases)
    func nothingBeyond(direction: FetchDirection) async throws {
        try await run(5) { room in
            var list = try await room.messages(limit: 3)
            try await room.fetch(list, direction)
            #expect(try await room.events(&list) == ["insert succeeded m2,m3,m4 at 0,1,2"])
            #expect(Snapshot(list.collection).hasPrevious)
            #expect(!Snapshot(list.collection).hasNext)
        }
    }

    @Test("An empty thread: both directions end") func emptyThread() async throws {
        try await run(0) { room in
            var list = try await room.messages()
            #expect(try await room.fetch(list, .previous) == false)
            #expect(try await room.fetch(list, .next) == false)
            #expect(try await room.events(&list) == [])
        }
    }

    @Test("Limits of limit-1, limit and limit+1", arguments: [(2, true), (3, false), (4, false)]) func limits(
        limit: Int, hasMore: Bool
    ) async throws {
        try await run(3) { room in
            let list = try await room.messages(limit: limit)
            #expect(try await room.fetch(list, .previous) == hasMore)
        }
    }

    @Test("Ten fetches in a row give ten pages") func tenPages() async throws {
        try await run(25) { room in
            var list = try await room.messages(limit: 2)
            for _ in 0..<10 { try await room.fetch(list, .previous) }
            let events = try await room.events(&list)
            #expect(events.count == 10)
            #expect(list.ids == ids(5..<25))
        }
    }

    @Test("230 messages with the viewpoint at the 116th: fetching both ways shows 230, none twice") func bothWays()
        async throws
    {
        try await run(230) { room in
            var list = try await room.messages(viewpoint: room.time(of: "m115"), limit: 50)
            while try await room.fetch(list, .previous) {}
            while try await room.fetch(list, .next) {}
            _ = try await room.events(&list)
            #expect(list.ids == ids(0..<230))
        }
    }

    @Test("3.6: adjacent to the newest row a message is inserted, and new; not adjacent it is only new")
    func newMessages() async throws {
        try await run(3) { room in
            var top = try await room.messages()
            var past = try await room.messages(viewpoint: room.time(of: "m0"))
            for list in [top, past] { try await room.fetch(list, .previous) }
            _ = (try await room.events(&top), try await room.events(&past))
            try await room.answer("a")
            #expect(try await room.events(&top) == ["insert succeeded a at 3", "new"])
            #expect(try await room.events(&past) == ["new"])
            try await room.fetch(past, .next)
            #expect(try await room.events(&past) == ["insert succeeded m1,m2,a at 1,2,3"])
        }
    }

    @Test("3.7: a new viewpoint clears always, and begins anew there") func resetViewpoint() async throws {
        try await run(4) { room in
            var list = try await room.messages(limit: 2)
            try await room.collections.resetViewpoint(
                list.collection.id, of: room.client.collectionOwner, to: room.time(of: "m1"))
            try await room.fetch(list, .next)
            #expect(try await room.events(&list) == ["clear", "insert succeeded m2,m3 at 0,1"])
            #expect(Snapshot(list.collection).hasPrevious)
            await #expect(throws: ChatError.self) {
                try await room.collections.resetViewpoint(
                    room.threads().collection.id, of: room.client.collectionOwner, to: nil)
            }
        }
    }

    @Test("3.8, 3.12: an edit updates, a deletion removes, and no later page brings it back") func editAndDelete()
        async throws
    {
        try await run(4) { room in
            var list = try await room.messages(limit: 2)
            try await room.fetch(list, .previous)
            _ = try await room.events(&list)
            _ = try await room.client.edit("m3", in: "t1", text: "edited", ifMatch: nil)
            try await room.client.remove("m2", in: "t1", ifMatch: nil)
            try await room.client.remove("m1", in: "t1", ifMatch: nil)
            #expect(try await room.events(&list) == ["update succeeded m3", "remove succeeded m2"])
            try await room.fetch(list, .previous)
            #expect(try await room.events(&list) == ["insert succeeded m0 at 0"])
        }
    }

    @Test("3.11: capacity 200 with 200 in view, fetch next 50: remove of the 50 oldest, insert of 50") func capacity()
        async throws
    {
        try await run(260) { room in
            var list = try await room.messages(viewpoint: room.time(of: "m199"), limit: 50, capacity: 200)
            for _ in 0..<4 { try await room.fetch(list, .previous) }
            _ = try await room.events(&list)
            #expect(list.ids == ids(0..<200))
            #expect(!Snapshot(list.collection).hasPrevious)
            try await room.fetch(list, .next)
            let events = try await room.events(&list)
            #expect(
                events == [
                    "remove succeeded \(ids(0..<50).joined(separator: ","))",
                    "insert succeeded \(ids(200..<250).joined(separator: ",")) at \((150..<200).map(String.init).joined(separator: ","))",
                ])
            #expect(Snapshot(list.collection).hasPrevious)
            try await room.fetch(list, .previous)
            _ = try await room.events(&list)
            #expect(list.ids == ids(0..<200))
            #expect(Snapshot(list.collection).hasNext)
        }
    }

    @Test("3.11: a live message lets the oldest row go") func liveCapacity() async throws {
        try await run(3) { room in
            var list = try await room.messages(limit: 3, capacity: 3)
            try await room.fetch(list, .previous)
            _ = try await room.events(&list)
            try await room.answer("a")
            #expect(try await room.events(&list) == ["remove succeeded m0", "insert succeeded a at 2", "new"])
        }
    }

    @Test(
        "3.12: a history reset removes everything at or before the line, for the one who resets, or for all",
        arguments: [true, false])
    func historyReset(isOwn: Bool) async throws {
        try await run(3) { room in
            try await room.send("r", replyTo: "m0")
            var list = try await room.messages()
            var replies = try await room.messages(MessageFilter(parentID: "m0"))
            for list in [list, replies] { try await room.fetch(list, .previous) }
            _ = (try await room.events(&list), try await room.events(&replies))
            if isOwn {
                _ = try await room.client.ask { try await $0.resetHistory("t1", receipt: nil) }
            } else {
                _ = try await room.desk.resetHistory(DeskThread(id: "t1"), receipt: nil)
            }
            #expect(try await room.events(&list) == ["remove succeeded m0,m1,m2,r"])
            #expect(try await room.events(&replies) == ["remove succeeded r", "parent removed m0"])
            try await room.send("x")
            #expect(try await room.events(&list) == ["insert succeeded x at 0", "new"])
            #expect(try await room.fetch(list, .previous) == false)
        }
    }

    @Test("3.14: on the embedded service only the views are cleared") func clearCache() async throws {
        try await run(2) { room in
            var list = try await room.messages()
            try await room.fetch(list, .previous)
            room.collections.clear(account: room.client.account)
            try await room.fetch(list, .previous)
            #expect(
                try await room.events(&list) == [
                    "insert succeeded m0,m1 at 0,1", "clear", "insert succeeded m0,m1 at 0,1",
                ])
        }
    }

    @Test("3.15: a view opens without a connection") func offline() async throws {
        try await run(2) { room in
            try await room.client.disconnect()
            var list = try await room.messages()
            try await room.fetch(list, .previous)
            #expect(try await room.events(&list) == ["insert succeeded m0,m1 at 0,1"])
        }
    }

    @Test("3.16: a huge gap is one event") func hugeGap() async throws {
        try await run(1) { room in
            var list = try await room.messages()
            try await room.fetch(list, .previous)
            _ = try await room.events(&list)
            room.collections.reportHugeGap(account: room.client.account, thread: "t1", after: room.environment.now)
            #expect(try await room.events(&list) == ["hugeGap"])
        }
    }

    @Test("4.5: a reply collection has the replies, and tells of its parent") func replies() async throws {
        try await run(2) { room in
            try await room.send("r0", replyTo: "m0")
            var list = try await room.messages(MessageFilter(parentID: "m0"))
            try await room.fetch(list, .previous)
            #expect(try await room.events(&list) == ["insert succeeded r0 at 0"])
            try await room.send("r1", replyTo: "m0", isAside: true)
            try await room.send("x")
            #expect(try await room.events(&list) == ["insert succeeded r1 at 1", "new", "parent updated m0"])
            #expect(list.parent?.json.contains("\"count\":2") == true)
            _ = try await room.client.edit("m0", in: "t1", text: "edited", ifMatch: nil)
            #expect(try await room.events(&list) == ["parent updated m0"])
            #expect(list.parent?.json.contains("\"count\":2") == true)
        }
    }

    @Test("4.2, 4.3: the conversation shows replies that are sent to it too, and what its parents tell of theirs")
    func parentsInTheConversation() async throws {
        try await run(2) { room in
            var list = try await room.messages()
            try await room.fetch(list, .previous)
            _ = try await room.events(&list)
            try await room.send("r0", replyTo: "m0")
            #expect(try await room.events(&list) == ["insert succeeded r0 at 2", "new", "update succeeded m0"])
            try await room.send("r1", replyTo: "m0", isAside: true)
            #expect(try await room.events(&list) == ["update succeeded m0"])
            #expect(list.items[0].json.contains("\"count\":2"))
        }
    }
}
