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
            let count = LiveCollection.keptBytes / 60_000 + 10
            for number in 0..<count {
                room.environment.advance(milliseconds: 10)
                _ = try await room.client.send(MessageDraft(id: "m\(number)", text: text), to: "t1", receipt: nil)
            }
            await room.collections.settle()
            #expect(list.collection.version < Int64(LiveCollection.keptEvents))
            let (kept, bytes) = list.collection.state.withLock { ($0.events.count, $0.eventBytes) }
            #expect(kept > 10 && bytes <= LiveCollection.keptBytes)
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

    /// One insert of a large page is more than is kept: it is told all the same.
    @Test func theNewestEventIsKeptWhateverItsSize() async throws {
        try await CollectionRoom.run { room in
            try await room.thread("t1")
            let text = String(repeating: "x", count: 60_000)
            for number in 0..<100 {
                room.environment.advance(milliseconds: 10)
                _ = try await room.client.send(MessageDraft(id: "m\(number)", text: text), to: "t1", receipt: nil)
            }
            var list = try await room.messages(limit: 200)
            try await room.fetch(list, .previous)
            #expect(try await room.events(&list).count == 1)
            #expect(list.items.count == 100)
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
                    !collection.take(
                        LogChange(offset: offset + number, kind: .messageRemoved("m", reason: nil)), .whole))
            }
            let last = LogChange(
                offset: offset + Int64(LiveCollection.waitingLimit) + 1, kind: .messageRemoved("m", reason: nil))
            #expect(collection.take(last, .whole))
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
