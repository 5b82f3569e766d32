import CSQLite
import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore

@Suite(.onSQLite("breaks SQLite's file")) struct StorageFailureTests {
    @Test func aFullDiskFailsTheWholeGroupAndTheNextOneGoesThrough() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("before")
            let head = store.feed.head
            let recorder = EventRecorder(store.feed)
            try store.onWriter { db in
                let pages = try db.first("PRAGMA page_count") { $0.integer(0) } ?? 0
                try db.execute("PRAGMA max_page_count = \(pages + 4)")
            }
            let gate = await WriterGate(store)
            let sizes = [10, 1 << 20, 10]
            let results = try await gate.run(
                sizes.enumerated().map { index, size in
                    { @Sendable (transaction: WriteTransaction) throws -> Int64 in
                        guard var record = try transaction.thread("t1", of: room.account.number) else {
                            throw ChatError.unknownThread("t1")
                        }
                        return try Room.send(
                            "m\(index)", String(repeating: "x", count: size), to: &record, in: transaction)
                    }
                })
            for result in results {
                #expect(throws: ChatError(.storageFull, "The disk that holds the data folder is full.")) {
                    try result.get()
                }
            }
            #expect(recorder.events.isEmpty)
            #expect(store.feed.head == head)
            #expect(try room.page().ids == ["before"])
            #expect(try await store.replay([room.audience], after: head, limit: 1 << 20).events.isEmpty)

            try store.onWriter { try $0.execute("PRAGMA max_page_count = 1000000") }
            #expect(try await room.send("after", String(repeating: "x", count: 1 << 19)) == head + 1)
            #expect(try room.page().ids == ["after", "before"])
        }
    }

    /// SQLite would go on, and what was acknowledged would be gone with the process.
    @Test(arguments: ["parley.sqlite", "parley.sqlite-wal"], ["deleted", "replaced"])
    func nothingIsAcknowledgedWhenAFileIsNotThereAnyMore(name: String, change: String) async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            let room = try await Room.make(in: store)
            try await room.send("before")
            let (file, aside) = ("\(folder)/\(name)", "\(folder)/aside")
            try FileManager.default.moveItem(atPath: file, toPath: aside)
            if change == "replaced" { try FileManager.default.copyItem(atPath: aside, toPath: file) }
            // Also before anybody writes.
            #expect(await store.writeFault() != nil)
            await #expect(throws: ChatError.self) { try await room.send("lost") }
            try? FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: aside, toPath: file)
            #expect(await store.writeFault() == nil)
            try await room.send("after")
            #expect(try room.page().ids == ["after", "before"])
            await store.close()
        }
    }

    @Test func aFailureSaysNothingOfTheText() {
        let error = SQLiteError(
            SQLITE_CONSTRAINT, message: "secret", sql: "INSERT INTO message VALUES ('secret')")
        let shown = ChatError(storage: error)
        #expect(shown.code == .storageFailed)
        #expect(!shown.detail.contains("secret"))
    }

    @Test(arguments: [
        (SQLITE_FULL, true), (SQLITE_IOERR, true), (SQLITE_IOERR | 3 << 8, true), (SQLITE_NOMEM, true),
        (SQLITE_CONSTRAINT | 8 << 8, false), (SQLITE_BUSY, false),
    ])
    func whatEndsATransactionIsKnown(code: Int32, ends: Bool) {
        #expect(SQLiteError(code).isStorageFailure == ends)
    }
}
