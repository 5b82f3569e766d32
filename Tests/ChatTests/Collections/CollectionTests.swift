import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

@testable import Chat

/// What all collections have in common: rules 1.2 to 1.7 of collections.
@Suite struct CollectionTests {
    @Test("1.2: the first fetch is version 1, and until then nothing is inserted") func firstPageIsVersionOne()
        async throws
    {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            try await room.send("m1", "m2")
            var list = try await room.messages()
            try await room.send("m3")
            #expect(try await room.events(&list) == [])
            #expect(list.version == 0)
            try await room.fetch(list, .previous)
            #expect(try await room.events(&list) == ["insert succeeded m1,m2,m3 at 0,1,2"])
            #expect(list.version == 1)
        }
    }

    @Test("1.2: a list that is truly empty takes live inserts before its first fetch") func emptyListsAreLive()
        async throws
    {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            var list = try await room.messages()
            try await room.send("m1")
            #expect(try await room.events(&list) == ["insert succeeded m1 at 0", "new"])
        }
    }

    @Test("1.2: a change that changes nothing gives no event; an item outside is never updated")
    func nothingForNothing() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            try await room.send("m1", "m2", "m3")
            var list = try await room.messages(limit: 2)
            try await room.fetch(list, .previous)
            _ = try await room.events(&list)
            _ = try await room.client.edit("m1", in: "t1", text: "outside", ifMatch: nil)
            _ = try await room.client.edit("m2", in: "t1", text: "text of m2", ifMatch: nil)
            #expect(try await room.events(&list) == [])
            _ = try await room.client.edit("m2", in: "t1", text: "inside", ifMatch: nil)
            #expect(try await room.events(&list) == ["update succeeded m2"])
        }
    }

    @Test("1.4: a second fetch in one direction is refused, the other direction is independent") func fetchInProgress()
        async throws
    {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            try await room.send("m1", "m2")
            let list = try await room.messages(viewpoint: room.time(of: "m1"))
            list.collection.state.withLock { _ = $0.fetching.insert(.previous) }
            #expect(await refusal { try await room.fetch(list, .previous) } == .fetchInProgress)
            #expect(try await room.fetch(list, .next) == false)
        }
    }

    @Test("1.5: removing a collection ends its events, also those of a fetch in flight") func removing() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            try await room.send("m1")
            let list = try await room.messages()
            async let fetched = room.fetch(list, .previous)
            try await room.collections.remove(list.collection.id, of: room.client.collectionOwner)
            _ = try? await fetched
            try await room.send("m2")
            await room.collections.settle()
            if case .removed = list.collection.events(after: 0) {} else { Issue.record("it goes on") }
            #expect(await refusal { try await room.fetch(list, .previous) } == .unknownCollection)
        }
    }

    @Test("1.6: any call is legal from inside an event handler") func callsInsideHandlers() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            let list = try await room.messages()
            let removed = Flag()
            room.collections.setListener { [collections = room.collections] news in
                guard case .changed(let changed) = news else { return }
                for collection in changed {
                    _ = collection.snapshot()
                    _ = collection.events(after: 0)
                    collections.clear(account: -1)
                    Task {
                        try await collections.remove(collection.id, of: collection.owner)
                        removed.raise()
                    }
                }
            }
            try await room.send("m1")
            #expect(await eventually { removed.isRaised })
            #expect(list.collection.isRemoved)
        }
    }

    @Test("1.7: a refresh is a new collection, or for messages a new viewpoint") func refresh() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            try await room.send("m1")
            var list = try await room.messages()
            try await room.fetch(list, .previous)
            try await room.collections.resetViewpoint(list.collection.id, of: room.client.collectionOwner, to: nil)
            try await room.fetch(list, .previous)
            #expect(try await room.events(&list) == ["insert succeeded m1 at 0", "clear", "insert succeeded m1 at 0"])
        }
    }

    @Test("A fetch joins the log exactly: what is sent meanwhile comes once") func fetchWhileOthersWrite() async throws
    {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            try await room.send("m0")
            var list = try await room.messages(limit: 5)
            let reader = list
            await withTaskGroup(of: Void.self) { group in
                for number in 1...40 { group.addTask { try? await room.send("m\(number)") } }
                for _ in 0..<8 { group.addTask { _ = try? await room.fetch(reader, .previous) } }
            }
            while try await room.fetch(list, .previous) {}
            _ = try await room.events(&list)
            #expect(Set(list.ids).count == 41)
            #expect(list.ids.count == 41)
        }
    }

    @Test("Collections survive a restart with a new incarnation, and go with their session") func restart() async throws
    {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            let list = try await room.messages()
            let again = Sessions(
                store: room.store, services: [try await LocalService(store: room.store)], clock: ManualClock())
            try await again.load()
            await again.finishLoading()
            let client = try #require(try await again.session(room.client.id))
            let restored = try again.collections.collection(list.collection.id, of: room.client.collectionOwner)
            #expect(restored.incarnation != list.collection.incarnation)
            #expect(restored.definition == list.collection.definition)
            // It was seen to be empty, and takes what comes.
            try await room.send("m1")
            await again.collections.settle()
            #expect(restored.version == 2)
            try await again.delete(room.client.id)
            #expect(restored.isRemoved)
            #expect(try await room.store.read { try $0.collections(of: client.id) }.isEmpty)
        }
    }

    @Test func theSnapshotShowsWhatTheEventsTold() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            try await room.send("m1", "m2")
            var list = try await room.messages(limit: 1)
            try await room.fetch(list, .previous)
            _ = try await room.events(&list)
            let json = String(decoding: list.collection.snapshot(), as: UTF8.self)
            #expect(json.contains("\"version\":1,"))
            #expect(
                json.contains(
                    "\"items\":[\(list.items[0].json)],\"pending\":[],\"failed\":[],\"hasPrevious\":true,\"hasNext\":false"
                ))
            #expect(json.hasSuffix("\"cursor\":\"\(list.collection.incarnation)-1\"}"))
        }
    }

    @Test func aSessionHoldsALimitedNumber() async throws {
        try await CollectionRoom.run { room in
            for _ in 0..<room.client.collectionOwner.limit { _ = try await room.threads() }
            #expect(await refusal { try await room.threads() } == .tooManyCollections)
            try await room.collections.remove(
                room.collections.all(of: room.client.collectionOwner)[0].id, of: room.client.collectionOwner)
            #expect(await refusal { try await room.threads() } == nil)
        }
    }

    @Test func aRemovedMessagesTextLeavesTheEventsThatAreKept() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            var messages = try await room.messages()
            var threads = try await room.threads()
            try await room.send("m1")
            try await room.fetch(threads)
            await room.collections.settle()
            try await room.client.remove("m1", in: "t1", ifMatch: nil)
            await room.collections.settle()
            for list in [messages, threads] {
                guard case .events(let events) = list.collection.events(after: 0) else {
                    Issue.record("lost"); continue
                }
                #expect(
                    !events.isEmpty
                        && !"\(events.map { $0.change.items.map { String(decoding: $0.json, as: UTF8.self) } })"
                            .contains("text of m1")
                )
            }
            // Who follows only now still gets a list that is true.
            #expect(try await room.events(&messages).count == 3)
            _ = try await room.events(&threads)
            #expect(messages.items.isEmpty)
        }
    }

    @Test func whoIsTooFarBehindIsToldSo() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            let list = try await room.messages()
            for _ in 0...LiveCollection.keptEvents / 2 {
                room.collections.clear(account: room.client.account)
                room.collections.clear(account: room.client.account)
            }
            if case .lost(let now) = list.collection.events(after: 0) {
                #expect(now == 1002)
            } else {
                Issue.record("not lost")
            }
            if case .events(let events) = list.collection.events(after: 2) {
                #expect(events.first?.version == 3)
            } else {
                Issue.record("lost")
            }
        }
    }
}
