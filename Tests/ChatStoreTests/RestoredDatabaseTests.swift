import ChatModel
import Formats
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// A database that was put back from a backup: no offset is given out twice.
@Suite(.onSQLite("puts files of SQLite back")) struct RestoredDatabaseTests {
    private func open(
        _ folder: String, options: StoreOptions = StoreOptions(), at time: Timestamp = TestEnvironment.start
    ) throws -> ChatStore {
        let environment = TestEnvironment()
        environment.now = time
        return try openStore(folder: folder, options: options, environment: environment.environment)
    }

    /// Opens the folder's store and sends a message. Returns the offset of its event.
    private func send(
        _ id: String, in folder: String, at time: Timestamp = TestEnvironment.start
    ) async throws -> Int64 {
        let store = try open(folder, at: time)
        let account = try await store.read {
            try $0.account(AccountKey(service: "local", channel: "multi", customer: "c1"))
        }
        let room =
            if let account { Room(store: store, account: account, thread: "t1") } else {
                try await Room.make(in: store)
            }
        let offset = try await room.send(id)
        await store.close()
        return offset
    }

    private func copy(_ source: String, _ target: String) throws {
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.copyItem(atPath: source, toPath: target)
    }

    /// The folder with two messages, and a copy of its database with the first one.
    private func withCopy(
        _ body: (_ folder: String, _ copy: String, _ offsets: [Int64]) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let first = try await send("m1", in: folder)
            try copy(folder + "/parley.sqlite", folder + "/copy")
            let second = try await send("m2", in: folder)
            #expect(second < first + 10, "a start alone is no restore")
            try await body(folder, folder + "/copy", [first, second])
        }
    }

    @Test(arguments: ["another file", "the same file"]) func theHeadGoesOnBeyondWhatWasLost(how: String) async throws {
        try await withCopy { folder, backup, offsets in
            let database = folder + "/parley.sqlite"
            if how == "another file" {
                try copy(backup, database)
            } else {
                let file = try FileHandle(forWritingTo: URL(filePath: database))
                try file.truncate(atOffset: 0)
                try file.write(contentsOf: Data(contentsOf: URL(filePath: backup)))
                try file.close()
            }
            let new = try await send("m3", in: folder)
            #expect(new > offsets[1] + LostOffsets.leap)
            let newer = try await send("m4", in: folder)
            #expect(newer < new + 10, "it is seen once")
            let store = try open(folder)
            for lost in offsets[0] + 2..<offsets[1] + 2 {
                await #expect(throws: CursorExpired.self) {
                    try await store.replay([.desk], after: lost, limit: 1 << 20)
                }
            }
            let replay = try await store.replay([.desk], after: offsets[0], limit: 1 << 20)
            let found = replay.events.compactMap(\.offset)
            #expect(found.first == offsets[0] + 1 && found.contains(new))
            #expect(try store.faults().map(\.description) == [])
            await store.close()
        }
    }

    @Test func webhooksAreToldOfTheRange() async throws {
        try await withFolder { folder in
            let first = try open(folder)
            try await first.write { transaction in
                _ = try transaction.insert(
                    TargetDraft(id: "w", kind: .webhook, audience: .desk, settings: [], position: 0))
            }
            _ = try await Room.make(in: first)
            let head = first.feed.head
            await first.close()
            try HeadFile(folder: folder).spoil()
            let second = try open(folder)
            let gap = try await second.read { try $0.targets(of: .webhook).first?.gap }
            let lost = LostOffsets(after: head, known: 0, at: TestEnvironment.start)
            #expect(lost.high > head + LostOffsets.leap && gap == LogGap(from: head, to: lost.high))
            await second.close()
        }
    }

    /// Retention counts events, and no offsets that nobody has.
    @Test func retentionKeepsWhatWasBefore() async throws {
        try await withFolder { folder in
            _ = try await send("m1", in: folder)
            try HeadFile(folder: folder).spoil()
            var options = StoreOptions()
            options.retention = Retention(maximumCount: 4, batch: 1)
            let store = try open(folder, options: options)
            await store.trim()
            await store.trim()
            let kept = try await store.read { try $0.db.first("/* all */ SELECT count(*) FROM log") { $0.integer(0) } }
            #expect(kept == 4)
            await store.close()
        }
    }

    /// A backup says of itself that it is one, whatever else the folder says.
    @Test func aBackupIsRestoredOnce() async throws {
        try await withFolder { folder in
            let first = try await send("m1", in: folder)
            try await withFolder { target in
                // While a gateway uses it.
                let store = try open(folder)
                let outcome = try SQLiteBackup(of: folder, in: target).run()
                await store.close()
                #expect(outcome.files == 0 && outcome.missing == 0)
                let second = try await send("m2", in: target)
                #expect(second > first + LostOffsets.leap)
                #expect(try await send("m3", in: target) < second + 10)
            }
            #expect(try await send("m4", in: folder) < first + 10, "the store that was copied is as it was")
        }
    }

    /// Nothing in the folder tells then how far the first life went.
    @Test func aBackupThatIsRestoredTwiceGivesNoOffsetOutAgain() async throws {
        try await withFolder { folder in
            _ = try await send("m1", in: folder)
            var last: Int64 = 0
            for day in 1...3 {
                try await withFolder { target in
                    _ = try SQLiteBackup(of: folder, in: target).run()
                    let time = TestEnvironment.start.advanced(byMilliseconds: Int64(day) * 1000)
                    let first = try await send("m2", in: target, at: time)
                    #expect(first > last)
                    last = try await send("m3", in: target, at: time)
                }
            }
        }
    }

    /// It was empty when it was copied. What was sent afterwards is lost with its offsets.
    @Test func anEmptyDatabaseMayBeARestoredOne() async throws {
        try await withFolder { folder in
            await (try open(folder)).close()
            #expect(try open(folder).feed.head == 0, "a start alone is no restore")
        }
        try await withFolder { folder in
            await (try open(folder)).close()
            try await withFolder { target in
                _ = try SQLiteBackup(of: folder, in: target).run()
                #expect(try await send("m1", in: target) > LostOffsets.leap)
            }
            try HeadFile(folder: folder).spoil()
            let first = try await send("m1", in: folder)
            #expect(first > LostOffsets.leap)
            #expect(try await send("m2", in: folder) < first + 10, "it is seen once")
        }
    }

    @Test func aFileThatCannotBeReadIsSeenAsARestore() async throws {
        try await withFolder { folder in
            let first = try await send("m1", in: folder)
            for text in ["", "x\n", "a b c\n", "deadbeef -1 0\n"] {
                try Data(text.utf8).write(to: URL(filePath: folder + "/head"))
                #expect(HeadFile(folder: folder).read()?.instance == "")
            }
            #expect(try await send("m2", in: folder) > first + LostOffsets.leap)
        }
    }
}
