import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore

@Suite struct OpeningTests {
    private let environment = TestEnvironment()

    private func open(_ folder: String) throws -> ChatStore {
        try openStore(folder: folder, environment: environment.environment)
    }

    @Test(.onSQLite("opens SQLite's file")) func aCommitIsOnTheDiskBeforeItIsAnswered() async throws {
        try await withStore { store in
            let pragmas = try store.onWriter { db in
                try ["synchronous", "journal_mode", "secure_delete"].map { name in
                    try db.first("PRAGMA \(name)") { $0.text(0) }
                }
            }
            #expect(pragmas == ["2", "wal", "2"])  // FULL, and FAST
        }
    }

    @Test(.onSQLite("opens SQLite's file")) func aDatabaseOfANewerVersionIsRefused() async throws {
        try await withFolder { folder in
            let store = try open(folder)
            try store.onWriter { try $0.execute("INSERT INTO grdb_migrations VALUES ('99')") }
            await store.close()
            let error = #expect(throws: StoreError.self) { _ = try open(folder) }
            guard case .newerVersion(let path)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(path == folder + "/parley.sqlite")
        }
    }

    @Test(.onSQLite("opens SQLite's file")) func aFolderThatIsNotThereAndAFileThatIsNoDatabaseAreUnusable() async throws
    {
        #expect(throws: StoreError.self) { _ = try open("/nowhere/at/all") }
        try await withFolder { folder in
            try String(repeating: "no database ", count: 1000).write(
                toFile: folder + "/parley.sqlite", atomically: false, encoding: .utf8)
            #expect(throws: StoreError.self) { _ = try open(folder) }
        }
    }

    /// A start with an empty database would take all files for leftovers.
    @Test(.onSQLite("opens SQLite's file"), arguments: [true, false])
    func aFolderInUseNeedsItsDatabase(isEmpty: Bool) async throws {
        try await withFolder { folder in
            await (try open(folder)).close()
            let file = folder + "/files/kept"
            try "bytes".write(toFile: file, atomically: false, encoding: .utf8)
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: folder + "/parley.sqlite" + suffix)
            }
            if isEmpty { try Data().write(to: URL(fileURLWithPath: folder + "/parley.sqlite")) }
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { _ = try open(folder) }
                #expect(error?.description.contains(folder + "/parley.sqlite is missing or empty") == true)
            }
            #expect(FileManager.default.fileExists(atPath: file))
            // Also where an older version has left no file with the instance.
            try FileManager.default.removeItem(atPath: folder + "/instance")
            #expect(throws: StoreError.self) { _ = try open(folder) }
        }
    }

    @Test(.onSQLite("opens SQLite's file")) func aDatabaseOfAnotherFolderIsRefused() async throws {
        try await withFolder { mine in
            try await withFolder { other in
                // One environment: its numbers go on.
                for folder in [mine, other] { await (try open(folder)).close() }
                try FileManager.default.removeItem(atPath: mine + "/parley.sqlite")
                try FileManager.default.copyItem(atPath: other + "/parley.sqlite", toPath: mine + "/parley.sqlite")
                let bytes = FileManager.default.contents(atPath: mine + "/parley.sqlite")
                let error = #expect(throws: StoreError.self) { _ = try open(mine) }
                #expect(error?.description.contains(mine + "/instance names another one") == true)
                #expect(FileManager.default.contents(atPath: mine + "/parley.sqlite") == bytes)
                // Whoever means it says so.
                try FileManager.default.removeItem(atPath: mine + "/instance")
                await (try open(mine)).close()
                await (try open(mine)).close()
            }
        }
    }

    /// A start that was cut off right at its beginning is no folder in use.
    @Test(.onSQLite("opens SQLite's file")) func anEmptyDatabaseInANewFolderIsMade() async throws {
        try await withFolder { folder in
            try Data().write(to: URL(fileURLWithPath: folder + "/parley.sqlite"))
            let store = try open(folder)
            #expect(try String(contentsOfFile: folder + "/instance", encoding: .utf8) == store.instance + "\n")
            await store.close()
        }
    }

    @Test func epochInstanceHeadAndRowsSurviveReopening() async throws {
        try await withFolder { folder in
            let first = try open(folder)
            let room = try await Room.make(in: first)
            try await room.send("m1", "Hi")
            let (epoch, instance, head) = (first.feed.epoch, first.instance, first.feed.head)
            #expect(epoch.utf8.count == 12 && instance.utf8.count == 8 && head > 0)
            await first.close()

            let second = try open(folder)
            #expect(second.feed.epoch == epoch)
            #expect(second.instance == instance)
            #expect(second.feed.head == head)
            let again = Room(store: second, account: room.account, thread: "t1")
            #expect(try again.page().ids == ["m1"])
            #expect(try await again.send("m2") == head + 1)
            await second.close()
        }
    }

    @Test func twoDatabasesHaveTwoEpochs() async throws {
        // One environment: its numbers go on.
        try await withStore(environment: environment) { first in
            try await withStore(environment: environment) { second in
                #expect(first.feed.epoch != second.feed.epoch)
            }
        }
    }

    @Test func aClosedStoreRefusesUnits() async throws {
        try await withFolder { folder in
            let store = try open(folder)
            await store.close()
            #expect(await refusal { try await store.write { _ in } } == .shuttingDown)
            #expect(await store.writeFault() != nil)
        }
    }

    @Test func anOpenStoreIsWritable() async throws {
        try await withStore { store in
            #expect(await store.writeFault() == nil)
            #expect(store.feed.head == 0)
        }
    }
}
