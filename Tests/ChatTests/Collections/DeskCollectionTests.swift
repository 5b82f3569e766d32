import ChatModel
import LocalService
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore

/// Collections of the desk: all customers' threads, with what the desk sees of them.
@Suite struct DeskCollectionTests {
    /// The room, and another customer on it.
    private func run(_ body: (CollectionRoom, _ other: ChatClient) async throws -> Void) async throws {
        try await CollectionRoom.run { room in
            let other = try await room.sessions.create(
                service: "local", channel: "multi", customer: CustomerDraft(id: "c2", firstName: "Cleo"), connect: true,
                receipt: nil)
            try await body(room, other)
        }
    }

    private func send(_ id: String, to thread: String, by client: ChatClient, _ room: CollectionRoom) async throws {
        room.environment.advance(milliseconds: 10)
        _ = try await client.send(MessageDraft(id: id, text: "text of \(id)"), to: thread, receipt: nil)
    }

    @Test func threadsOfAllCustomersAreThereOnceTheDeskKnowsThem() async throws {
        try await run { room, other in
            var list = try await room.deskThreads()
            try await room.thread("t1")
            #expect(try await room.events(&list) == [])
            try await room.send("m1")
            #expect(try await room.events(&list) == ["insert succeeded t1 of c1 at 0", "update succeeded t1 of c1"])
            room.environment.advance(milliseconds: 10)
            _ = try await other.createThread(ThreadDraft(id: "t2"), receipt: nil)
            try await send("n1", to: "t2", by: other, room)
            #expect(try await room.events(&list).first == "insert succeeded t2 of c2 at 0")
            try await room.send("m2")
            #expect(try await room.events(&list) == ["move t1 of c1 to 0"])
            #expect(try list.items.map(\.json) == room.deskRows())
            #expect(list.items[0].json.contains("\"deskUnreadCount\":2"))
            #expect(
                list.items[1].json.hasSuffix(
                    "\"channel\":\"multi\",\"customer\":{\"id\":\"c2\",\"firstName\":\"Cleo\"}}"))
            #expect(!list.items[0].json.contains("\"unreadCount\""))
        }
    }

    @Test func aPageIsTheDesksOwnList() async throws {
        try await run { room, other in
            for index in 1...5 {
                try await room.thread("t\(index)")
                try await room.send("m\(index)", to: "t\(index)")
                _ = try await other.createThread(ThreadDraft(id: "t\(index)"), receipt: nil)
                try await send("n\(index)", to: "t\(index)", by: other, room)
            }
            var list = try await room.deskThreads(limit: 3)
            var rounds = 1
            while try await room.fetch(list) { rounds += 1 }
            try list.catchUp()
            #expect(rounds == 4)
            #expect(try list.items.map(\.json) == room.deskRows())
        }
    }

    @Test func oneIdOfTwoCustomersIsTwoThreads() async throws {
        try await run { room, other in
            // In one moment: id and time are the same.
            for client in [room.client, other] {
                _ = try await client.createThread(ThreadDraft(id: "same"), receipt: nil)
                _ = try await client.send(MessageDraft(id: "m", text: "text"), to: "same", receipt: nil)
            }
            var list = try await room.deskThreads(limit: 1)
            #expect(try await room.fetch(list))
            #expect(try await !room.fetch(list))
            try list.catchUp()
            #expect(list.ids == ["same of c1", "same of c2"])
            try await send("n", to: "same", by: other, room)
            #expect(try await room.events(&list) == ["move same of c2 to 0"])

            #expect(await refusal { try await room.deskMessages(of: DeskThread(id: "same")) } == .ambiguousThread)
            var mine = try await room.deskMessages(of: DeskThread(id: "same", customer: "c1"))
            var theirs = try await room.deskMessages(of: DeskThread(id: "same", channel: "multi", customer: "c2"))
            for follower in [mine, theirs] { try await room.fetch(follower, .previous) }
            #expect(try await room.events(&mine) == ["insert succeeded m at 0"])
            #expect(try await room.events(&theirs) == ["insert succeeded m,n at 0,1"])
            try await send("o", to: "same", by: other, room)
            #expect(try await room.events(&mine) == [])
            #expect(try await room.events(&theirs) == ["insert succeeded o at 2", "new"])
        }
    }

    @Test func stateAndChannelChooseThreads() async throws {
        try await run { room, other in
            for (client, id) in [(room.client, "t1"), (other, "t2")] {
                _ = try await client.createThread(ThreadDraft(id: id), receipt: nil)
                try await send("m", to: id, by: client, room)
            }
            let single = try await room.sessions.create(
                service: "local", channel: "single", customer: CustomerDraft(id: "c1"), connect: true, receipt: nil)
            let only = try #require(
                try await room.store.read { try $0.openThreads(of: single.account, limit: 1) }.first?.thread.id)
            try await send("m", to: only, by: single, room)
            var open = try await room.deskThreads(ThreadQuery(state: .open))
            var closed = try await room.deskThreads(ThreadQuery(state: .closed))
            var ofChannel = try await room.deskThreads(ThreadQuery(channel: "single"))
            for follower in [open, closed, ofChannel] { try await room.fetch(follower) }
            try open.catchUp()
            try ofChannel.catchUp()
            #expect(open.ids == ["\(only) of c1", "t2 of c2", "t1 of c1"])
            #expect(ofChannel.ids == ["\(only) of c1"])
            _ = try await room.desk.close(DeskThread(id: "t2"), receipt: nil)
            #expect(try await room.events(&open) == ["remove succeeded t2 of c2"])
            #expect(try await room.events(&closed) == ["insert succeeded t2 of c2 at 0"])
            #expect(try await room.events(&ofChannel) == [])
        }
    }

    @Test func theDeskReadsEverythingThatACustomerHasHiddenOrReset() async throws {
        try await run { room, _ in
            try await room.thread("t1")
            try await room.send("m1", "m2")
            var threads = try await room.deskThreads()
            var messages = try await room.deskMessages(of: DeskThread(id: "t1"))
            try await room.fetch(threads)
            try await room.fetch(messages, .previous)
            _ = try await room.events(&threads)
            _ = try await room.events(&messages)
            _ = try await room.client.ask { try await $0.setHidden(true, "t1", receipt: nil) }
            _ = try await room.client.ask { try await $0.resetHistory("t1", receipt: nil) }
            #expect(try await room.events(&threads) == [])
            #expect(try await room.events(&messages) == [])
            _ = try await room.desk.resetHistory(DeskThread(id: "t1"), receipt: nil)
            #expect(try await room.events(&messages) == ["remove succeeded m1,m2"])
            #expect(try await room.events(&threads) == ["update succeeded t1 of c1"])
        }
    }

    @Test func repliesAreACollectionAtTheDeskToo() async throws {
        try await run { room, _ in
            try await room.thread("t1")
            try await room.send("p")
            var replies = try await room.deskMessages(of: DeskThread(id: "t1"), MessageFilter(parentID: "p"))
            #expect(
                await refusal { try await room.deskMessages(of: DeskThread(id: "t1"), MessageFilter(parentID: "no")) }
                    == .unknownMessage)
            try await room.send("r1", replyTo: "p", isAside: true)
            #expect(try await room.events(&replies) == ["insert succeeded r1 at 0", "new", "parent updated p"])
        }
    }

    @Test func theyAreTheDesksAlone() async throws {
        try await run { room, _ in
            let list = try await room.deskThreads()
            #expect(room.collections.all(of: room.client.collectionOwner).isEmpty)
            #expect(
                await refusal {
                    try await room.collections.fetch(list.collection.id, of: room.client.collectionOwner, .next)
                } == .unknownCollection)
            let own = try await room.threads()
            #expect(
                await refusal { try await room.collections.fetch(own.collection.id, of: .desk, .next) }
                    == .unknownCollection)
            try await room.sessions.delete(room.client.id)
            #expect(room.collections.all(of: .desk).map(\.id) == [list.collection.id])
        }
    }

    @Test func theirDefinitionsSurviveARestart() async throws {
        try await run { room, other in
            for client in [room.client, other] {
                _ = try await client.createThread(ThreadDraft(id: "same"), receipt: nil)
                _ = try await client.send(MessageDraft(id: "m of \(client.id)", text: "text"), to: "same", receipt: nil)
            }
            let threads = try await room.deskThreads(ThreadQuery(state: .open, channel: "multi"), limit: 3)
            let messages = try await room.deskMessages(of: DeskThread(id: "same", customer: "c2"))
            let again = Sessions(store: room.store, services: room.sessions.services, clock: ManualClock())
            try await again.load()
            await again.finishLoading()
            for old in [threads.collection, messages.collection] {
                let restored = try again.collections.collection(old.id, of: .desk)
                #expect(restored.definition == old.definition && restored.version == 0)
                _ = try await again.collections.fetch(old.id, of: .desk, .next)
            }
            var follower = Follower(try again.collections.collection(messages.collection.id, of: .desk))
            try follower.catchUp()
            #expect(follower.ids == ["m of \(other.id)"])
        }
    }

    @Test func aRemovedMessagesTextLeavesTheirKeptEvents() async throws {
        try await run { room, other in
            var list = try await room.deskThreads()
            for client in [room.client, other] {
                _ = try await client.createThread(ThreadDraft(id: "same"), receipt: nil)
                try await send("m", to: "same", by: client, room)
            }
            _ = try await room.events(&list)
            try await other.remove("m", in: "same", ifMatch: nil)
            await room.collections.settle()
            guard case .events(let events) = list.collection.events(after: 0, limit: 1000) else {
                return #expect(Bool(false))
            }
            let told = events.flatMap(\.change.items).filter {
                String(decoding: $0.json, as: UTF8.self).contains("text of m")
            }
            // The other customer's message of that id says what it said.
            #expect(!told.isEmpty && told.allSatisfy { $0.owner?.customer == "c1" })
            let redacted = events.flatMap(\.change.items).filter { $0.owner?.customer == "c2" }
            #expect(
                redacted.allSatisfy {
                    String(decoding: $0.json, as: UTF8.self).hasSuffix(
                        "\"channel\":\"multi\",\"customer\":{\"id\":\"c2\",\"firstName\":\"Cleo\"}}")
                })
        }
    }
}
