import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

@testable import Chat

/// Thread collections: rules 2.1 to 2.5 of collections.
@Suite struct ThreadCollectionTests {
    /// `t1`, `t2`, `t3`, each newer than the one before and with a message.
    private func threads(_ count: Int, in room: CollectionRoom) async throws {
        for number in 1...count {
            try await room.thread("t\(number)", name: "Thread \(number)")
            try await room.send("m\(number)", to: "t\(number)")
        }
    }

    @Test("2.1: three orders, each total") func orders() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("b", name: "apple")
            try await room.thread("a", name: "Apple")
            try await room.thread("c")
            try await room.thread("d", name: "Äpfel")
            try await room.send("m", to: "a")
            for (order, expected) in [
                (ThreadQuery.Order.latestLastMessage, ["a", "d", "c", "b"]), (.chronological, ["d", "c", "a", "b"]),
                (.nameAlphabetical, ["a", "b", "d", "c"]),
            ] {
                var list = try await room.threads(ThreadQuery(order: order), limit: 1)
                while try await room.fetch(list) {}
                _ = try await room.events(&list)
                #expect(list.ids == expected, "\(order)")
            }
        }
    }

    @Test("2.1: a query's filters hold for pages and at every change") func filters() async throws {
        try await CollectionRoom.run { room in
            try await threads(3, in: room)
            _ = try await room.client.ask { try await $0.archive("t1", receipt: nil) }
            try await room.answer("a2", to: "t2")
            for (query, expected) in [
                (ThreadQuery(state: .open), ["t2", "t3"]), (ThreadQuery(state: .closed), ["t1"]),
                (ThreadQuery(unreadOnly: true), ["t2"]),
                (ThreadQuery(nameContains: "READ 3"), ["t3"]), (ThreadQuery(customTypes: ["none"]), []),
            ] {
                var list = try await room.threads(query)
                try await room.fetch(list)
                _ = try await room.events(&list)
                #expect(list.ids == expected)
            }
            var unread = try await room.threads(ThreadQuery(includesEmpty: false, unreadOnly: true))
            try await room.fetch(unread)
            _ = try await room.events(&unread)
            _ = try await room.client.ask { try await $0.markRead("t2", receipt: nil) }
            #expect(try await room.events(&unread) == ["remove succeeded t2"])
            try await room.answer("a3", to: "t3")
            #expect(try await room.events(&unread) == ["insert succeeded t3 at 0"])
        }
    }

    @Test("2.2: page after page until the end") func pages() async throws {
        try await CollectionRoom.run { room in
            try await threads(5, in: room)
            var list = try await room.threads(limit: 2)
            #expect(try await room.fetch(list))
            #expect(try await room.events(&list) == ["insert succeeded t5,t4 at 0,1"])
            #expect(try await room.fetch(list))
            #expect(try await room.fetch(list) == false)
            #expect(try await room.events(&list) == ["insert succeeded t3,t2 at 2,3", "insert succeeded t1 at 4"])
            #expect(try await room.fetch(list) == false)
            #expect(try await room.events(&list) == [])
        }
    }

    @Test("2.2: limits of limit-1, limit and limit+1") func limits() async throws {
        try await CollectionRoom.run { room in
            try await threads(3, in: room)
            for (limit, hasMore) in [(2, true), (3, false), (4, false)] {
                let list = try await room.threads(limit: limit)
                #expect(try await room.fetch(list) == hasMore)
            }
        }
    }

    @Test("2.3: a new message moves its thread, one in the first thread updates it") func moveAndUpdate() async throws {
        try await CollectionRoom.run { room in
            try await threads(3, in: room)
            var list = try await room.threads()
            try await room.fetch(list)
            _ = try await room.events(&list)
            try await room.send("n1", to: "t1")
            #expect(try await room.events(&list) == ["move t1 to 0"])
            try await room.send("n2", to: "t1")
            #expect(try await room.events(&list) == ["update succeeded t1"])
            #expect(list.ids == ["t1", "t3", "t2"])
        }
    }

    @Test("2.3: beyond the last loaded row a thread leaves, and a later page brings it back") func beyondTheLastRow()
        async throws
    {
        try await CollectionRoom.run { room in
            try await threads(3, in: room)
            try await room.send("n3", to: "t3")
            var list = try await room.threads(limit: 2)
            try await room.fetch(list)
            _ = try await room.events(&list)
            #expect(list.ids == ["t3", "t2"])
            // Without its last messages t3 is older than what was loaded.
            try await room.client.remove("n3", in: "t3", ifMatch: nil)
            #expect(try await room.events(&list) == ["update succeeded t3"])
            try await room.client.remove("m2", in: "t2", ifMatch: nil)
            #expect(try await room.events(&list) == ["remove succeeded t2"])
            #expect(try await room.fetch(list) == false)
            #expect(try await room.events(&list) == ["insert succeeded t2,t1 at 1,2"])
        }
    }

    @Test("2.3: outside the loaded rows nothing happens; above them, or with everything loaded, a thread is inserted")
    func insertOrNothing() async throws {
        try await CollectionRoom.run { room in
            try await threads(4, in: room)
            var list = try await room.threads(limit: 2)
            try await room.fetch(list)
            _ = try await room.events(&list)
            _ = try await room.client.ask { try await $0.rename("t1", to: "Other", ifMatch: nil) }
            #expect(try await room.events(&list) == [])
            try await room.send("n1", to: "t1")
            #expect(try await room.events(&list) == ["insert succeeded t1 at 0"])
            try await room.fetch(list)
            _ = try await room.events(&list)
            try await room.thread("t5")
            #expect(try await room.events(&list) == ["insert succeeded t5 at 0"])
        }
    }

    @Test("2.3: what the query no longer shows leaves; clearing the cache clears") func removeAndClear() async throws {
        try await CollectionRoom.run { room in
            try await threads(2, in: room)
            var list = try await room.threads(ThreadQuery(state: .open))
            try await room.fetch(list)
            _ = try await room.events(&list)
            _ = try await room.client.ask { try await $0.archive("t1", receipt: nil) }
            #expect(try await room.events(&list) == ["remove succeeded t1"])
            room.collections.clear(account: room.client.account)
            #expect(try await room.events(&list) == ["clear"])
            try await room.fetch(list)
            #expect(try await room.events(&list) == ["insert succeeded t2 at 0"])
        }
    }

    @Test("2.3: a hidden thread leaves, and a message that un-hides it brings it back") func hidden() async throws {
        try await CollectionRoom.run { room in
            try await threads(2, in: room)
            var (list, hidden) = (try await room.threads(), try await room.threads(ThreadQuery(visibility: .hidden)))
            try await room.fetch(list)
            _ = try await room.events(&list)
            _ = try await room.client.ask { try await $0.setHidden(true, "t1", receipt: nil) }
            #expect(try await room.events(&list) == ["remove succeeded t1"])
            #expect(try await room.events(&hidden) == ["insert succeeded t1 at 0"])
            try await room.answer("a1")
            #expect(try await room.events(&list) == ["insert succeeded t1 at 0"])
            #expect(try await room.events(&hidden) == ["remove succeeded t1"])
        }
    }

    @Test("2.1, 2.3: invited and joined are told apart, and who is taken out loses the thread") func members()
        async throws
    {
        try await CollectionRoom.run { room in
            try await threads(1, in: room)
            var (all, invited) = (try await room.threads(), try await room.threads(ThreadQuery(memberState: .invited)))
            for list in [all, invited] { try await room.fetch(list) }
            _ = (try await room.events(&all), try await room.events(&invited))
            let draft = DeskThreadDraft(
                id: "d1", channel: "multi", members: [MemberDraft(id: "c1", state: .invited), MemberDraft(id: "c2")])
            _ = try await room.desk.createThread(draft, receipt: nil)
            #expect(try await room.events(&all) == ["insert succeeded d1 at 0"])
            #expect(try await room.events(&invited) == ["insert succeeded d1 at 0"])
            _ = try await room.client.ask { try await $0.join("d1", receipt: nil) }
            #expect(try await room.events(&invited) == ["remove succeeded d1"])
            _ = try await room.client.ask { try await $0.leave("d1", receipt: nil) }
            #expect(try await room.events(&all) == ["update succeeded d1", "remove succeeded d1"])
        }
    }

    @Test("2.4: typing gives no event, a changed unread count does") func typingAndUnread() async throws {
        try await CollectionRoom.run { room in
            try await threads(1, in: room)
            var list = try await room.threads()
            try await room.fetch(list)
            _ = try await room.events(&list)
            try await room.desk.reportTyping(true, as: CollectionRoom.agent, in: DeskThread(id: "t1"))
            #expect(try await room.events(&list) == [])
            try await room.answer("a1")
            _ = try await room.events(&list)
            _ = try await room.client.ask { try await $0.markRead("t1", receipt: nil) }
            #expect(try await room.events(&list) == ["update succeeded t1"])
            #expect(list.items[0].json.contains("\"unreadCount\":0"))
        }
    }

    @Test("2.5: creating a thread gives exactly one insert") func creating() async throws {
        try await CollectionRoom.run { room in
            var list = try await room.threads()
            try await room.thread("t1")
            #expect(try await room.events(&list) == ["insert succeeded t1 at 0"])
            // The first message tells the desk of the thread: nothing new for its customer.
            try await room.send("m1")
            #expect(try await room.events(&list) == ["update succeeded t1"])
        }
    }

    @Test("3.11 for threads: a full view lets its last row go, and has more again") func capacity() async throws {
        try await CollectionRoom.run { room in
            try await threads(3, in: room)
            var list = try await room.threads(limit: 3, capacity: 3)
            try await room.fetch(list)
            _ = try await room.events(&list)
            try await room.thread("t4")
            #expect(try await room.events(&list) == ["remove succeeded t1", "insert succeeded t4 at 0"])
        }
    }
}
