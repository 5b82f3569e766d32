import Dispatch
import TestSupport
import Testing

@testable import ChatStore

/// The WAL is moved into the database file beside the writer, and starts anew all the same.
@Suite(.onSQLite("SQLite alone has a WAL file")) struct CheckpointTests {
    private func options(step: Int, limit: Int) -> StoreOptions {
        var options = StoreOptions()
        (options.checkpointStep, options.checkpointLimit) = (step, limit)
        return options
    }

    /// Writes a row of five pages.
    private func write(_ number: Int, in store: ChatStore) async throws {
        try await store.write { transaction in
            try transaction.db.run(
                "/* pages */ INSERT INTO meta (name, value) VALUES (?, zeroblob(20000))", [.text("row \(number)")])
        }
    }

    private func count(_ store: ChatStore) async throws -> Int64? {
        try await store.read { try $0.db.first("SELECT count(*) FROM meta WHERE name LIKE 'row %'") { $0.integer(0) } }
    }

    @Test func commitsWithoutAPauseKeepTheWALBounded() async throws {
        // Nothing is moved beside the writer, so that nothing depends on how fast that is.
        try await withStore(options: options(step: 1_000_000, limit: 600)) { store in
            let lengths = Journal<Int>()
            let gate = await WriterGate(store)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<2500 {
                    group.addTask {
                        try await write(number, in: store)
                        lengths.add(store.sqlite.checkpoints.length)
                    }
                }
                gate.open()
                try await group.waitForAll()
            }
            // They are over 12,500 pages in all.
            #expect(lengths.entries.max()! < 4000)
            #expect(try await count(store) == 2500)
        }
    }

    @Test func whoWritesNowAndThenLetsItStartAnew() async throws {
        try await withStore(options: options(step: 50, limit: .max)) { store in
            var (longest, hasShrunk) = (0, false)
            for number in 0..<400 where !hasShrunk {
                try await write(number, in: store)
                let length = store.sqlite.checkpoints.length
                hasShrunk = length < longest
                longest = max(longest, length)
            }
            #expect(longest >= 50 && hasShrunk)
        }
    }

    @Test func aReaderKeepsItsSnapshotAndTheWALEndsAfterIt() async throws {
        try await withStore(options: options(step: 50, limit: 100)) { store in
            try await write(0, in: store)
            #expect(try await count(store) == 1)
            let (isReading, release) = (Flag(), DispatchSemaphore(value: 0))
            let reading = Task {
                try await store.read { transaction in
                    let sql = "SELECT count(*) FROM meta WHERE name LIKE 'row %'"
                    let before = try transaction.db.first(sql) { $0.integer(0) }
                    isReading.raise()
                    release.wait()
                    return (before, try transaction.db.first(sql) { $0.integer(0) })
                }
            }
            #expect(await eventually { isReading.isRaised })
            for number in 1...60 { try await write(number, in: store) }
            #expect(store.sqlite.checkpoints.length >= 300)
            release.signal()
            let seen = try await reading.value
            #expect(seen.0 == 1 && seen.1 == 1)
            var number: Int64 = 61
            while number < 400, store.sqlite.checkpoints.length >= 300 {
                try await write(Int(number), in: store)
                number += 1
            }
            #expect(store.sqlite.checkpoints.length < 300)
            #expect(try await count(store) == number)
        }
    }
}
