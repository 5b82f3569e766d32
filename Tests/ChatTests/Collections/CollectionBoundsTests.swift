import Bounds
import ChatModel
import LocalService
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore

/// What collections keep and how long they wait has a bound, and what belongs to a session leaves with it.
@Suite struct CollectionBoundsTests {
    @Test func theEventsThatAreKeptAreLimitedInBytes() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            let list = try await room.messages()
            let text = String(repeating: "x", count: 60_000)
            let count = ByteBound.collectionEvents.bytes / 60_000 + 10
            for number in 0..<count {
                room.environment.advance(milliseconds: 10)
                _ = try await room.client.send(MessageDraft(id: "m\(number)", text: text), to: "t1", receipt: nil)
            }
            await room.collections.settle()
            #expect(list.collection.version < Int64(LiveCollection.keptEvents))
            let (kept, bytes) = list.collection.state.withLock { ($0.events.count, $0.eventBytes) }
            #expect(kept > 10 && bytes <= ByteBound.collectionEvents.bytes)
            // Who is too far behind is told so, and loads a snapshot.
            if case .lost = list.collection.events(after: 0) {} else { Issue.record("not lost") }
            if case .events(let events) = list.collection.events(after: list.collection.version - 1) {
                #expect(events.count == 1)
            } else {
                Issue.record("the newest is lost")
            }
        }
    }

    /// Of a removed message the bytes count no longer.
    @Test func removedTextsLeaveTheCount() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            let list = try await room.messages()
            _ = try await room.client.send(
                MessageDraft(id: "m1", text: String(repeating: "x", count: 60_000)), to: "t1", receipt: nil)
            await room.collections.settle()
            #expect(list.collection.state.withLock { $0.eventBytes } > 60_000)
            try await room.client.remove("m1", in: "t1", ifMatch: nil)
            await room.collections.settle()
            let (bytes, sum) = list.collection.state.withLock { state in
                (state.eventBytes, state.events.reduce(0) { $0 + $1.change.byteCount })
            }
            #expect(bytes == sum && bytes < 5000)
        }
    }

    /// Messages m0, m1, ... of 60,000 bytes each.
    private func fill(_ room: CollectionRoom, _ count: Int, in thread: String = "t1") async throws {
        try await room.thread(thread)
        let text = String(repeating: "x", count: 60_000)
        for number in 0..<count {
            room.environment.advance(milliseconds: 10)
            _ = try await room.client.send(MessageDraft(id: "m\(number)", text: text), to: thread, receipt: nil)
        }
    }

    /// A page ends by its bytes, and rows leave at the far end, so that the view slides along.
    @Test func theRowsOfACollectionAreLimitedInBytes() async throws {
        try await CollectionRoom.run { room in
            try await fill(room, 120)
            var list = try await room.messages(limit: 200)
            var seen: Set<String> = []
            while try await room.fetch(list, .previous) {
                _ = try await room.events(&list)
                seen.formUnion(list.ids)
                let bytes = list.collection.state.withLock { $0.messages?.byteCount ?? 0 }
                #expect(bytes <= ByteBound.collectionRows.bytes)
            }
            _ = try await room.events(&list)
            seen.formUnion(list.ids)
            #expect(seen.count == 120)
            #expect(list.ids.first == "m0" && list.ids.last != "m119")
            while try await room.fetch(list, .next) { _ = try await room.events(&list) }
            _ = try await room.events(&list)
            #expect(list.ids.last == "m119" && list.ids.first != "m0")
        }
    }

    /// So are those of a list of threads, which ends there.
    @Test func theRowsOfAThreadListAreLimitedInBytes() async throws {
        try await CollectionRoom.run { room in
            let fields = Dictionary(
                uniqueKeysWithValues: (0..<15).map { ("f\($0)", String(repeating: "x", count: 4000)) })
            for number in 0..<90 {
                room.environment.advance(milliseconds: 10)
                _ = try await room.client.createThread(
                    ThreadDraft(id: "t\(number)", customFields: fields), receipt: nil)
            }
            var list = try await room.threads(limit: 200)
            while try await room.fetch(list) {}
            _ = try await room.events(&list)
            let (bytes, isFull) = list.collection.state.withLock { state in
                (state.threads?.rows.byteCount ?? 0, state.threads?.isFull == true)
            }
            #expect(bytes <= ByteBound.collectionRows.bytes && isFull)
            #expect(list.ids.first == "t89" && list.ids.count > 60)
        }
    }

    /// All collections of one account share an eighth of what there is, in however many sessions.
    @Test func theCollectionsOfAnAccountAreLimitedTogether() async throws {
        try await CollectionRoom.run { room in
            try await fill(room, 80)
            let counter = room.collections.memory.counter(of: room.client.collectionOwner.holder)
            var lists: [Follower] = []
            var refused = 0
            for _ in 0..<10 {
                let list = try await room.messages(limit: 200)
                do {
                    while try await room.fetch(list, .previous) {}
                } catch {
                    #expect((error as? ChatError)?.code == .tooManyCollections)
                    refused += 1
                }
                lists.append(list)
                #expect(counter.used <= ByteBound.collections.bytes / 8)
            }
            #expect(refused > 0)
            // What comes then finds room: older rows leave for it.
            _ = try await room.client.send(MessageDraft(id: "new", text: "new"), to: "t1", receipt: nil)
            await room.collections.settle()
            #expect(counter.used <= ByteBound.collections.bytes / 8)
            for list in lists { try await room.collections.remove(list.collection.id, of: list.collection.owner) }
            lists = []
            #expect(counter.used == 0)
        }
    }

    @Test func whatWaitsWhileTheStoreIsReadIsLimited() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            let list = try await room.messages()
            let collection = list.collection
            let generation = collection.state.withLock { state in
                state.readings += 1
                return state.generation
            }
            let offset = room.store.feed.head
            for number in 1...Int64(LiveCollection.waitingLimit) {
                #expect(
                    !collection.applyChange(
                        LogChange(offset: offset + number, kind: .messageRemoved("m", reason: nil)), .whole))
            }
            let last = LogChange(
                offset: offset + Int64(LiveCollection.waitingLimit) + 1, kind: .messageRemoved("m", reason: nil))
            #expect(collection.applyChange(last, .whole))
            let (waiting, now) = collection.state.withLock { ($0.waiting.count, $0.generation) }
            #expect(waiting == 0 && now == generation + 1)
        }
    }

    @Test func nothingOfASessionsCollectionsStays() async throws {
        try await CollectionRoom.run { room in
            for number in 0..<200 {
                let client = try await room.sessions.create(
                    service: "local", channel: "multi", customer: CustomerDraft(id: "own\(number)"), connect: true,
                    receipt: nil)
                _ = try await client.createThread(ThreadDraft(id: "t"), receipt: nil)
                let definition = CollectionDefinition(.messages(thread: "t", MessageFilter(), viewpoint: nil))
                let outcome = try await room.collections.create(definition, owner: client.collectionOwner, receipt: nil)
                _ = try await room.collections.fetch(outcome.id, of: client.collectionOwner, .previous)
                try await room.sessions.delete(client.id)
            }
            room.collections.directory.withLock { directory in
                #expect(directory.owners.isEmpty && directory.audiences.isEmpty && directory.reserved.isEmpty)
            }
        }
    }

    /// While it is read whether there is a hole, nobody waits for the view.
    @Test func aViewIsFreeWhileTheStoreIsAsked() async throws {
        try await RemoteScene.run(messages: 5) { scene in
            try await scene.synchronize()
            var list = try await scene.messages()
            try await scene.fetch(list, .previous)
            while try await scene.fetch(list, .next) {}
            _ = try await scene.events(&list)
            let gate = Gate()
            let history = SlowHistory(history: scene.history, gate: gate)
            scene.sessions.collections.directory.withLock { directory in
                directory.audiences[.account(scene.client.account)]?.histories = Collections.Histories(
                    messages: history, threads: CompleteHistory(), isComplete: false)
            }
            scene.environment.advance(milliseconds: 10)
            scene.platform.write("live", in: "t")
            await scene.service.settle()
            #expect(await eventually { history.isAsked.isRaised })
            #expect(!list.collection.snapshot().isEmpty)
            #expect(list.collection.version == list.version)
            gate.open()
            _ = try await scene.events(&list)
            #expect(list.texts.last == "live")
        }
    }

    @Test func nobodyWaitsForTheLogForEver() async throws {
        try await withStore { store in
            let clock = ManualClock()
            let reader = LogReader(store.feed, clock: clock, isWanted: { _ in true }, handler: { _ in })
            // Nothing of it comes.
            let reached = Task { await reader.reach(store.feed.head + 1) }
            #expect(await eventually { clock.nextWaking == .seconds(10) })
            clock.advance(by: .seconds(10))
            #expect(await reached.value == false)
            #expect(await reader.reach(store.feed.head))
        }
    }
}

/// A history whose answers wait for a gate.
private struct SlowHistory: MessageHistory {
    let history: any MessageHistory
    let gate: Gate
    let isAsked = Flag()

    func completeness(of thread: String) async throws -> HistoryCompleteness {
        isAsked.raise()
        await gate.pass()
        return try await history.completeness(of: thread)
    }

    func extend(thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition) async {}
}
