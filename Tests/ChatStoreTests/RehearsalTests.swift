import ChatModel
import TestSupport
import Testing

@testable import ChatStore

/// With ``StoreOptions/rehearses`` every unit runs, is undone, and runs again. `PARLEY_TEST_REHEARSE=1` in the
/// environment makes all tests do so.
@Suite struct RehearsalTests {
    @Test(arguments: [false, true]) func aUnitRunsTwiceAndIsThereOnce(isRepeatable: Bool) async throws {
        try await withStore(rehearses: true) { store in
            let room = try await Room.make(in: store)
            let (head, recorder, heads) = (store.feed.head, EventRecorder(store.feed), Journal<Int64>())
            try await store.write(isRepeatable: isRepeatable) { transaction in
                heads.add(transaction.head)
                guard var record = try transaction.thread("t1", of: room.account.number) else { return }
                _ = try Room.send("m1", to: &record, in: transaction)
            }
            #expect(heads.entries == [head, head])
            #expect(recorder.events.map(\.type) == [.messageCreated, .threadUpdated])
            #expect(store.feed.head == head + 2)
            #expect(try room.page().ids == ["m1"])
        }
    }

    @Test func aUnitThatFailsBothTimesIsUndoneAlone() async throws {
        try await withStore(rehearses: true) { store in
            let room = try await Room.make(in: store)
            let (gate, runs) = (await WriterGate(store), Journal<String>())
            let results = try await gate.run(
                ["m1", "fails", "m2"].map { id in
                    { @Sendable (transaction: WriteTransaction) throws -> Int64 in
                        runs.add(id)
                        guard var record = try transaction.thread("t1", of: room.account.number) else { return 0 }
                        let number = try Room.send(id, to: &record, in: transaction)
                        if id == "fails" { throw ChatError(.invalidParameter, "on purpose") }
                        return number
                    }
                })
            #expect(runs.entries == ["m1", "m1", "fails", "fails", "m2", "m2"])
            #expect(throws: ChatError(.invalidParameter, "on purpose")) { try results[1].get() }
            #expect(try room.page().ids == ["m2", "m1"])
            // No offset was used up.
            #expect(try results[2].get() == results[0].get() + 2)
        }
    }
}
