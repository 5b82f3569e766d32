import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct ReplayTests {
    /// Two customers and the desk, and some history.
    private func history(in store: ChatStore, count: Int = 30) async throws -> (Room, Room) {
        let first = try await Room.make(in: store, thread: "t1", customer: "c1")
        let second = try await Room.make(in: store, thread: "t2", customer: "c2", withDesk: false)
        for index in 0..<count {
            try await (index % 3 == 0 ? second : first).send(
                "m\(index)", "text \(index)", index % 2 == 0 ? .toAgent : .toClient)
        }
        return (first, second)
    }

    /// Everything after an offset, by steps.
    private func all(
        _ audiences: [Audience], after offset: Int64, limit: Int, in store: ChatStore
    ) async throws -> (events: [LogEvent], steps: Int) {
        var (events, position, steps): ([LogEvent], Int64, Int) = ([], offset, 0)
        while position < store.feed.head {
            let step = try await store.replay(audiences, after: position, limit: limit)
            #expect(step.through > position)
            #expect(step.events.allSatisfy { ($0.offset ?? 0) > position && ($0.offset ?? 0) <= step.through })
            events += step.events
            position = step.through
            steps += 1
        }
        return (events, steps)
    }

    @Test func anAudienceSeesOnlyItsOwn() async throws {
        try await withStore { store in
            let (first, second) = try await history(in: store)
            let (events, _) = try await all([first.audience], after: 0, limit: 1 << 20, in: store)
            #expect(
                events.allSatisfy { $0.audiences.contains(first.audience) && !$0.audiences.contains(second.audience) })
            let threads = Set(
                try events.map { try $0.json(for: first.audience) }.map {
                    $0["threadId"]?.string ?? $0[path: "thread", "id"]?.string
                })
            #expect(threads == ["t1"])
            // The desk does not know the second thread.
            let desk = try await all([.desk], after: 0, limit: 1 << 20, in: store).events
            #expect(
                try desk.allSatisfy {
                    try $0.json(for: .desk)[path: "customer", "id"]
                        ?? $0.json(for: .desk)[path: "thread", "customer", "id"] == .string("c1")
                })
            #expect(!desk.isEmpty)
        }
    }

    @Test(arguments: [1, 700, 5000, 1 << 20]) func theDatabaseSaysWhatTheRingSays(limit: Int) async throws {
        try await withStore { store in
            let (first, second) = try await history(in: store)
            for audiences in [[first.audience], [second.audience, .desk], [.desk, first.audience, second.audience]] {
                guard case .events(let ring, _) = store.feed.read(audiences, after: 0, limit: 1 << 20) else {
                    Issue.record("behind")
                    return
                }
                let (events, steps) = try await all(audiences, after: 0, limit: limit, in: store)
                #expect(events.map(\.offset) == ring.map(\.offset))
                #expect(events.map(\.id) == ring.map(\.id))
                #expect(events.map(\.type) == ring.map(\.type))
                #expect(events.map(\.members) == ring.map(\.members))
                for audience in audiences {
                    #expect(events.map { $0.data(for: audience) } == ring.map { $0.data(for: audience) })
                }
                if limit == 1 { #expect(steps >= events.count / audiences.count) }
            }
        }
    }

    @Test func aStepHasABoundedNumberOfRows() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.unit { transaction, record in
                for index in 0..<300 { try Room.send("m\(index)", to: &record, in: transaction) }
            }
            let step = try await store.replay([room.audience, .desk], after: 0, limit: 1 << 30)
            #expect(step.events.count <= 512)
            #expect(step.through < store.feed.head)
            #expect(
                try await all([room.audience, .desk], after: 0, limit: 1 << 30, in: store).events.compactMap(\.offset)
                    == Array(1...store.feed.head))
        }
    }

    @Test func aReaderAtTheHeadGetsNothing() async throws {
        try await withStore { store in
            let (first, _) = try await history(in: store)
            let step = try await store.replay([first.audience], after: store.feed.head, limit: 1)
            #expect(step.events.isEmpty && step.through == store.feed.head)
        }
    }

    @Test func readersThatFollowWhileOthersWriteSeeEachEventOnceInOrder() async throws {
        var options = StoreOptions()
        options.ringCapacity = 4000  // So small that readers fall behind it.
        try await withStore(options: options) { store in
            let room = try await Room.make(in: store)
            let start = store.feed.head
            let (news, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let subscription = store.feed.subscribe { _ in tell.yield() }
            let reader = Task { () throws -> [Int64] in
                var (position, seen) = (start, [Int64]())
                func catchUp() async throws {
                    while position < store.feed.head {
                        let events: [LogEvent]
                        switch store.feed.read([room.audience], after: position, limit: 1500) {
                        case .events(let found, let through): (events, position) = (found, through)
                        case .behind:
                            let step = try await store.replay([room.audience], after: position, limit: 1500)
                            (events, position) = (step.events, step.through)
                        }
                        seen += events.compactMap(\.offset)
                    }
                }
                for await _ in news { try await catchUp() }
                try await catchUp()
                return seen
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<300 { group.addTask { try await room.send("m\(index)") } }
                try await group.waitForAll()
            }
            tell.finish()
            subscription.cancel()
            #expect(try await reader.value == Array((start + 1)...store.feed.head))
        }
    }
}
