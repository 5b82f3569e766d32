import ChatModel
import ChatStore
import LocalService
import TestSupport
import Testing

@testable import Chat

/// Rules of collections that need no story of their own, on the embedded service.
@Suite struct CollectionRuleTests {
    private func run(_ count: Int, _ body: (CollectionRoom) async throws -> Void) async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            for number in 0..<count { try await room.send("m\(number)") }
            try await body(room)
        }
    }

    @Test("1.1: a collection is bound to one view: what happens elsewhere is no event of it") func oneView()
        async throws
    {
        try await run(1) { room in
            try await room.thread("t2")
            var (messages, threads) = (try await room.messages(), try await room.threads())
            for (list, direction) in [(messages, FetchDirection.previous), (threads, .next)] {
                try await room.fetch(list, direction)
            }
            _ = (try await room.events(&messages), try await room.events(&threads))
            try await room.send("elsewhere", to: "t2")
            #expect(try await room.events(&messages) == [])
            #expect(try await room.events(&threads) == ["update succeeded t2"])
        }
    }

    @Test("1.3: events alone change a view; the answer to a fetch says only whether there may be more")
    func eventsAlone() async throws {
        try await run(3) { room in
            var list = try await room.messages(limit: 2)
            #expect(try await room.fetch(list, .previous))
            // Answered; who follows has nothing until the event.
            #expect(list.ids == [])
            #expect(try await room.events(&list) == ["insert succeeded m1,m2 at 0,1"])
            #expect(try await room.fetch(list, .previous) == false)
            #expect(try await room.events(&list) == ["insert succeeded m0 at 0"])
            // With nothing more there is an answer and no event.
            #expect(try await room.fetch(list, .previous) == false)
            #expect(try await room.events(&list) == [])
        }
    }

    @Test("1.4: a refused fetch gives no event") func refusedFetch() async throws {
        try await run(2) { room in
            var list = try await room.messages()
            list.collection.state.withLock { _ = $0.fetching.insert(.previous) }
            #expect(await refusal { try await room.fetch(list, .previous) } == .fetchInProgress)
            #expect(try await room.events(&list) == [])
        }
    }

    @Test("2.1: ties are broken by the thread's id") func ties() async throws {
        try await CollectionRoom.run { room in
            for id in ["b", "a", "c"] {
                _ = try await room.client.createThread(ThreadDraft(id: id, name: "Same"), receipt: nil)
            }
            for order in [ThreadQuery.Order.latestLastMessage, .chronological, .nameAlphabetical] {
                var list = try await room.threads(ThreadQuery(order: order), limit: 2)
                while try await room.fetch(list) {}
                _ = try await room.events(&list)
                #expect(list.ids == ["a", "b", "c"], "\(order)")
            }
        }
    }

    @Test("2.1, 3.11: a view holds at most 1,000 rows and not less than 200 may be asked for") func capacities() {
        #expect(CollectionDefinition(.threads(ThreadQuery())).capacity == 1000)
        #expect(CollectionDefinition(.messages(thread: "t", MessageFilter(), viewpoint: nil)).capacity == 1000)
        #expect(CollectionDefinition(.threads(ThreadQuery())).limit == 20)
        #expect(CollectionDefinition(.messages(thread: "t", MessageFilter(), viewpoint: nil)).limit == 50)
    }

    @Test("3.7: a new viewpoint of an empty view clears it too") func clearsAlways() async throws {
        try await run(1) { room in
            var list = try await room.messages()
            try await room.collections.resetViewpoint(list.collection.id, of: room.client.collectionOwner, to: nil)
            #expect(try await room.events(&list) == ["clear"])
        }
    }
}
