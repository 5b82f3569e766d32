import ChatModel
import Foundation
import PostgresStore
import TestSupport
import Testing

@testable import ChatStore

/// From SQLite to PostgreSQL and back. `Tests/with-postgres` starts the server.
@Suite(.enabled(if: TestDatabases.server != nil && !TestDatabases.isPostgres, "it needs SQLite and a server"))
struct StoreCopyTests {
    private struct Broken: Error {}

    private static func withDatabase(_ body: (PostgresOptions) async throws -> Void) async throws {
        let server = try #require(TestDatabases.server)
        let name = "c_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
        var options = PostgresOptions(
            address: try PostgresDatabases.make(name, on: server), readers: 1, gateway: "copy")
        options.allowsLoss = true
        do {
            try await body(options)
        } catch {
            try PostgresDatabases.drop(name, on: server)
            throw error
        }
        try PostgresDatabases.drop(name, on: server)
    }

    /// Makes a store in which a bit of everything has happened. Returns an offset in the middle of its log.
    private static func fill(_ folder: String) async throws -> Int64 {
        let store = try ChatStore.open(folder: folder, environment: TestEnvironment().environment)
        let (room, other) = (
            try await Room.make(in: store), try await Room.make(in: store, thread: "t2", customer: "ü\u{1F600}")
        )
        for number in 0..<300 { try await room.send("m\(number)", "wörd \(number)") }
        let middle = store.feed.head
        try await room.send("a1", "answer", .toClient, receipt: Receipt(scope: "s", fingerprint: "f"))
        try await room.edit("m299", to: "changed")
        try await room.remove("m7")
        try await room.markRead()
        try await other.send("m1", "word")
        // The last thread is gone, and its number must not be used again.
        _ = try await Room.make(in: store, thread: "t3", customer: "c3")
        let gone = try await store.write {
            try $0.openAccount(AccountKey(service: "local", channel: "multi", customer: "c3"))
        }
        while try await store.write({ try $0.removeThreadStep(of: gone.number).hasMore }) {}
        await store.close()
        return middle
    }

    /// All there is in a folder's database.
    private static func contents(_ folder: String) throws -> (image: StoreImage, rows: [String: Set<String>]) {
        let source = try SQLiteExport(folder: folder)
        defer { source.close() }
        var rows: [String: Set<String>] = [:]
        for table in try CopiedTable.all() {
            try source.rows(of: table) { rows[table.name, default: []].insert("\($0)") }
        }
        return (try source.image(), rows)
    }

    private static func copy(_ source: any StoreExport, _ target: any StoreImport) throws {
        defer { source.close() }
        defer { target.close() }
        _ = try StoreCopy.run(from: source, to: target) { _, _ in }
    }

    @Test func thereAndBackLeavesEqualTables() async throws {
        let environment = TestEnvironment().environment
        try await withFolder { folder in
            let middle = try await Self.fill(folder)
            try await Self.withDatabase { options in
                try Self.copy(SQLiteExport(folder: folder), PostgresImport(options, environment))
                try await withFolder { back in
                    try Self.copy(PostgresExport(options), SQLiteImport(folder: back))
                    let (first, second) = (try Self.contents(folder), try Self.contents(back))
                    #expect(first.image == second.image)
                    for table in try CopiedTable.all() {
                        #expect(first.rows[table.name] == second.rows[table.name], "\(table.name)")
                    }
                    #expect(first.rows["message"]?.count == 301 && first.rows["audience"]?.isEmpty == false)
                    let names = try FileManager.default.contentsOfDirectory(atPath: back)
                    #expect(names == ["parley.sqlite"])
                }
                try await Self.compareReplays(folder, options, after: middle)
            }
        }
    }

    /// Whoever has read to the middle on SQLite goes on there on PostgreSQL, and what is sent then joins on.
    private static func compareReplays(
        _ folder: String, _ options: PostgresOptions, after middle: Int64
    ) async throws {
        let environment = TestEnvironment().environment
        let lite = try ChatStore.open(folder: folder, environment: environment)
        let (epoch, head) = (lite.feed.epoch, lite.feed.head)
        let expected = try await lite.replay([.everyone], after: middle, limit: 1 << 20)
        await lite.close()
        try await withFolder { files in
            let store = try ChatStore.open(postgres: options, folder: files, environment: environment)
            #expect(store.feed.epoch == epoch && store.feed.head == head)
            let replayed = try await store.replay([.everyone], after: middle, limit: 1 << 20)
            #expect(replayed.events.map(\.offset) == expected.events.map(\.offset))
            #expect(replayed.events.map(\.data) == expected.events.map(\.data))
            let account = try await store.write {
                try $0.openAccount(AccountKey(service: "local", channel: "multi", customer: "c1"))
            }
            let number = try await Room(store: store, account: account, thread: "t1").send("new")
            #expect(number == head + 1)
            let next = try await Room.make(in: store, thread: "t4", customer: "c4")
            let thread = try await store.read { try $0.thread("t4", of: next.account.number)?.number }
            #expect(thread == 4)
            let faults = try store.faults()
            #expect(faults == [])
            await store.close()
        }
    }

    @Test func whatIsInUseIsNoTarget() async throws {
        let environment = TestEnvironment().environment
        try await withFolder { folder in
            _ = try await Self.fill(folder)
            #expect(throws: StoreError.self) { _ = try SQLiteImport(folder: folder) }
            try await Self.withDatabase { options in
                try Self.copy(SQLiteExport(folder: folder), PostgresImport(options, environment))
                #expect(throws: (any Error).self) { _ = try PostgresImport(options, environment) }
            }
        }
    }

    @Test func aCopyThatBreaksOffLeavesNothing() async throws {
        let environment = TestEnvironment().environment
        try await withFolder { folder in
            _ = try await Self.fill(folder)
            try await Self.withDatabase { options in
                let tables = try CopiedTable.all()
                let message = try #require(tables.first { $0.name == "thread" })
                for isPostgres in [true, false] {
                    try await withFolder { empty in
                        let source = try SQLiteExport(folder: folder)
                        defer { source.close() }
                        let target: any StoreImport =
                            isPostgres ? try PostgresImport(options, environment) : try SQLiteImport(folder: empty)
                        #expect(throws: Broken.self) {
                            try source.rows(of: message) { row in
                                try target.insert(row, into: message)
                                throw Broken()
                            }
                        }
                        target.close()
                        let names = try FileManager.default.contentsOfDirectory(atPath: empty)
                        #expect(names == [])
                    }
                }
                // It is empty, so it is a target still.
                try Self.copy(SQLiteExport(folder: folder), PostgresImport(options, environment))
            }
        }
    }
}
