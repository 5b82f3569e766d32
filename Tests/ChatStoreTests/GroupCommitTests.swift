import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore

@Suite struct GroupCommitTests {
    /// Sends one message to the room.
    private func sending(_ id: String, to room: Room) -> @Sendable (WriteTransaction) throws -> Int64 {
        { transaction in
            guard var record = try transaction.thread(room.thread, of: room.account.number) else {
                throw ChatError.unknownThread(room.thread)
            }
            return try Room.send(id, to: &record, in: transaction)
        }
    }

    @Test func unitsThatWaitShareOneCommit() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let gate = await WriterGate(store)
            let before = store.statistics
            let results = try await gate.run((0..<40).map { sending("m\($0)", to: room) })
            #expect(try results.map { try $0.get() }.count == 40)
            // The unit that held the gate, and the group.
            #expect(store.statistics.commits - before.commits == 2)
            #expect(store.statistics.units - before.units == 41)
        }
    }

    /// Four clients, each of which sends its next unit after the answer to the last one. The wait for them is long, so none of
    /// them misses the commit of the others.
    @Test func onASlowDiskClientsThatAnswerAtOnceShareEachCommit() async throws {
        var options = StoreOptions()
        options.gatheringTime = { _ in .seconds(30) }
        try await withStore(options: options) { store in
            let (before, rounds) = (store.statistics.commits, 5)
            // The first client's first unit is alone in its commit, and ends when the first units of the others wait.
            let gate = await WriterGate(store)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    #expect(await eventually { store.writer.waitingUnitCount == 3 })
                    try await gate.end()
                    for _ in 0..<rounds { try await store.write { _ in } }
                }
                for _ in 0..<3 {
                    group.addTask { for _ in 0..<rounds { try await store.write { _ in } } }
                }
                try await group.waitForAll()
            }
            // The first client's second unit may come when the others' group has begun: then it takes two commits more until
            // the four go in step. Alone, the 21 units would be as many commits.
            #expect((1 + rounds...3 + rounds).contains(store.statistics.commits - before))
        }
    }

    @Test func afterWaitsInVainTheWriterWaitsMoreSeldom() {
        var pace = GatheringPace()
        /// How many commits pass until the next wait.
        func pause() -> Int {
            for count in 0..<100 where pace.isDue() { return count }
            return 100
        }
        #expect(pause() == 0)
        var pauses: [Int] = []
        for _ in 0..<8 {
            pace.record(wasInVain: true)
            pauses.append(pause())
        }
        #expect(pauses == [1, 3, 7, 15, 31, 63, 63, 63])
        pace.record(wasInVain: false)
        #expect(pause() == 0 && pause() == 0)
    }

    @Test(.onSQLite("PostgreSQL's groups are smaller")) func aGroupHoldsAtMost256Units() async throws {
        try await withStore { store in
            let gate = await WriterGate(store)
            let before = store.statistics.commits
            _ = try await gate.run((0..<257).map { number in { _ in number } })
            #expect(store.statistics.commits - before == 3)
        }
    }

    /// How a unit fails after its changes.
    enum Fault: CaseIterable {
        case throwing, violatingAKey, takingTooLong

        func strike(_ db: DatabaseSession) throws {
            switch (self, db) {
            case (.violatingAKey, _):
                for _ in 0..<2 { try db.run("INSERT INTO orphan (thread) VALUES (7)") }
            case (.takingTooLong, .engine):
                try db.run("SET LOCAL statement_timeout = 50")
                _ = try db.first("SELECT pg_sleep(30)") { _ in true }
            // Nothing takes too long on SQLite.
            case (.throwing, _), (.takingTooLong, .lite): throw ChatError(.invalidParameter, "on purpose")
            }
        }

        func isCause(of error: any Error) -> Bool {
            guard let error = error as? ChatError else { return false }
            let reason = TestDatabases.isPostgres ? "23505" : "constraint failed"
            return switch self {
            case .violatingAKey: error.code == .storageFailed && error.detail.contains(reason)
            case .takingTooLong where TestDatabases.isPostgres:
                error.code == .storageFailed && error.detail.contains("57014")
            default: error == ChatError(.invalidParameter, "on purpose")
            }
        }
    }

    /// With savepoints, and without: then the group runs again.
    @Test(arguments: Fault.allCases, [false, true])
    func aFailingUnitUndoesItselfAlone(fault: Fault, isRepeatable: Bool) async throws {
        // What takes too long is run again with its whole group, rehearsal or not.
        try await withStore(rehearses: fault == .takingTooLong ? false : nil) { store in
            let room = try await Room.make(in: store)
            let recorder = EventRecorder(store.feed)
            let head = store.feed.head
            let gate = await WriterGate(store)
            let fails: @Sendable (WriteTransaction) throws -> Int64 = { transaction in
                _ = try transaction.openAccount(AccountKey(service: "local", channel: "multi", customer: "ghost"))
                let offset = try self.sending("lost", to: room)(transaction)
                try fault.strike(transaction.db)
                return offset
            }
            let results = try await gate.run(
                [sending("m1", to: room), fails, sending("m2", to: room)], isRepeatable: isRepeatable)
            #expect(try results[0].get() == head + 1)
            #expect {
                try results[1].get()
            } throws: {
                fault.isCause(of: $0)
            }
            // The offsets that the failing unit had taken are taken again.
            #expect(try results[2].get() == head + 3)
            #expect(recorder.events.compactMap(\.offset) == [head + 1, head + 2, head + 3, head + 4])
            #expect(try room.page().ids == ["m2", "m1"])
            #expect(try room.record().thread.deskUnreadCount == 2)
            let ghost = try await store.read {
                try $0.account(AccountKey(service: "local", channel: "multi", customer: "ghost"))
            }
            #expect(ghost == nil)
            let logged = try await store.replay([room.audience], after: head, limit: 1 << 20)
            #expect(logged.events.compactMap(\.offset) == [head + 1, head + 2, head + 3, head + 4])
            #expect(logged.through == store.feed.head)
        }
    }

    @Test func unitsThatFailBeforeAChangeMakeNoOtherRunAgain() async throws {
        try await withStore(rehearses: false) { store in
            let room = try await Room.make(in: store)
            let gate = await WriterGate(store)
            let runs = Journal<String>()
            let results: [Result<Int64, any Error>] = try await gate.run(
                ["m1", "", "m2"].map { id in
                    { transaction in
                        runs.add(id)
                        guard !id.isEmpty else { throw ChatError(.invalidParameter, "on purpose") }
                        return try self.sending(id, to: room)(transaction)
                    }
                }, isRepeatable: true)
            #expect(throws: ChatError(.invalidParameter, "on purpose")) { try results[1].get() }
            #expect(try results[2].get() == results[0].get() + 2)
            #expect(runs.entries == ["m1", "", "m2"])
        }
    }

    @Test func anAccountThatAFailedUnitChangedIsReadAgain() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let gate = await WriterGate(store)
            let number = room.account.number
            let results: [Result<String?, any Error>] = try await gate.run([
                { transaction in
                    var account = try transaction.account(number)
                    account.customer.firstName = "Eve"
                    try transaction.save(account)
                    _ = try transaction.account(number)
                    throw ChatError(.invalidParameter, "on purpose")
                },
                { try $0.account(number).customer.firstName },
            ])
            #expect(try results[1].get() == nil)
        }
    }

    @Test func subscribersAreToldAfterTheCommitAndBeforeTheAnswer() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let journal = Journal<String>()
            let subscription = store.feed.subscribe { events in
                // Committed: another connection sees it.
                let isThere = (try? room.message("m1")) != nil
                journal.add(
                    "told \(events.count), committed \(isThere), head \(store.feed.head - (events.last?.offset ?? 0))")
            }
            defer { subscription.cancel() }
            // Both happen on the writer's thread, so that their order is certain.
            store.writer.submit(
                GroupCommit.Unit(
                    run: { _ = try self.sending("m1", to: room)($0) },
                    finish: { journal.add($0 == nil ? "answered" : "failed") }))
            try await store.write { _ in }
            #expect(journal.entries == ["told 2, committed true, head 0", "answered"])
        }
    }

    @Test func aCancelledSubscriberHearsNothingMore() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let journal = Journal<Int>()
            let subscription = store.feed.subscribe { journal.add($0.count) }
            try await room.send("m1")
            subscription.cancel()
            try await room.send("m2")
            #expect(journal.entries == [2])
        }
    }

    @Test func offsetsAscendInTheOrderOfTheLogUnderManyWriters() async throws {
        try await withStore { store in
            let rooms = [try await Room.make(in: store), try await Room.make(in: store, thread: "t2", customer: "c2")]
            let recorder = EventRecorder(store.feed)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask { try await rooms[index % 2].send("m\(index)") }
                }
                try await group.waitForAll()
            }
            let offsets = recorder.events.compactMap(\.offset)
            #expect(offsets.count == 400)
            #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 })
            // A send is two events that nothing comes between.
            let types = recorder.events.map(\.type)
            #expect(
                stride(from: 0, to: 400, by: 2).allSatisfy {
                    types[$0] == .messageCreated && types[$0 + 1] == .threadUpdated
                })
        }
    }

    @Test func theBackgroundWaitsForThoseForWhomSomebodyDoes() async throws {
        try await withStore(rehearses: false) { store in
            let journal = Journal<String>()
            let gate = await WriterGate(store)
            async let page: Void = store.write(inBackground: true) { _ in journal.add("page") }
            #expect(await eventually { store.writer.waitingUnitCount == 1 })
            async let send: Void = store.write { _ in journal.add("send") }
            #expect(await eventually { store.writer.waitingUnitCount == 2 })
            gate.open()
            _ = try await (page, send)
            #expect(journal.entries == ["send", "page"])
        }
    }

    @Test func aStoreThatClosesCommitsWhatWaitsInTheBackground() async throws {
        try await withStore { store in
            // The background would wait for a moment now.
            try await store.write { _ in }
            async let page: Int = store.write(inBackground: true) { _ in 1 }
            #expect(await eventually { store.writer.waitingUnitCount == 1 || store.statistics.units == 2 })
            await store.close()
            #expect(try await page == 1)
        }
    }
}
