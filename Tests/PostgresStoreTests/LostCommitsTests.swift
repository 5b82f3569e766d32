import ChatModel
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// A database that comes back without its last commits, as an asynchronous standby does that was promoted.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct LostCommitsTests {
    private static let append: @Sendable (WriteTransaction) throws -> Void = { transaction in
        let account = try transaction.openAccount(AccountKey(service: "local", channel: "multi", customer: "c1"))
        try transaction.append(
            ThreadRemovedEvent(threadID: "t"), owner: account, message: nil,
            members: [AudienceMember(.account(account.number))])
    }

    /// Takes back what was committed after an offset.
    private static func lose(after place: Int64, in database: TestDatabase) throws {
        for table in ["committed", "log", "audience"] {
            _ = try database.column("DELETE FROM \(table) WHERE place > \(place) RETURNING ''")
        }
    }

    private static func replay(_ store: ChatStore, after offset: Int64) async throws -> [Int64?] {
        try await store.replay([.everyone], after: offset, limit: 1 << 20).events.map(\.offset)
    }

    private static func ringIsBehind(_ store: ChatStore, _ offset: Int64) -> Bool {
        if case .behind = store.feed.read([.everyone], after: offset, limit: 1 << 20) { true } else { false }
    }

    /// Offsets that were given out are not used again. Cursors among them expire, on every gateway; older ones go on.
    @Test func theHeadGoesOnBeyondWhatWasLost() async throws {
        try await TestDatabase.run { database in
            try await database.open("g1") { one in
                try await database.open("g2") { two in
                    for _ in 0..<5 { try await one.write(Self.append) }
                    #expect(await eventually { two.feed.head == 5 })
                    try Self.lose(after: 3, in: database)
                    try await one.write(Self.append)
                    let head = 5 + PostgresWriter.leap + 1
                    #expect(one.feed.head == head)
                    #expect(try database.number("SELECT low FROM lost") == 3)
                    #expect(try database.number("SELECT high FROM lost") == head - 1)
                    #expect(await eventually { two.feed.head == head })
                    for store in [one, two] {
                        #expect(Self.ringIsBehind(store, 5), "streams at the lost head ask the database")
                        #expect(try await Self.replay(store, after: 2) == [3, head])
                        #expect(try await Self.replay(store, after: 3) == [head])
                        for lost in [4, 5, head - 2] {
                            await #expect(throws: CursorExpired.self) { _ = try await Self.replay(store, after: lost) }
                        }
                        #expect(try await Self.replay(store, after: head - 1) == [head])
                    }
                    try await two.write(Self.append)
                    #expect(two.feed.head == head + 1, "once is enough")
                    #expect(try database.number("SELECT count(*) FROM lost") == 1)
                }
            }
        }
    }

    /// Nobody knows what the gateways before had given out. A new timeline says that something may be missing.
    @Test(arguments: ["timeline", "system"]) func anotherServerIsSeen(name: String) async throws {
        try await TestDatabase.run { database in
            try await database.open { store in for _ in 0..<3 { try await store.write(Self.append) } }
            _ = try database.column("UPDATE meta SET value = value - 1 WHERE name = '\(name)' RETURNING name")
            for round in 1...2 {
                try await database.open { store in
                    try await store.write(Self.append)
                    #expect(store.feed.head == 3 + PostgresWriter.leap + Int64(round))
                    #expect(try await Self.replay(store, after: 2).count == 1 + round)
                }
            }
            #expect(try database.number("SELECT count(*) FROM lost WHERE low = 3") == 1)
        }
    }

    /// A synchronous standby was promoted: offsets leap, and streams and collections go on as if nothing had happened.
    @Test func whereNothingIsLostNothingBeginsAnew() async throws {
        try await TestDatabase.run { database in
            try await database.open("g1") { one in
                try await database.open("g2") { two in
                    for _ in 0..<3 { try await one.write(Self.append) }
                    #expect(await eventually { two.feed.head == 3 })
                    _ = try database.column("UPDATE meta SET value = value - 1 WHERE name = 'timeline' RETURNING name")
                    _ = try database.column(
                        "SELECT CAST(pg_terminate_backend(pid) AS text) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                    try await one.write(Self.append)
                    let head = 3 + PostgresWriter.leap + 1
                    #expect(await eventually { two.feed.head == head })
                    for store in [one, two] {
                        #expect(store.feed.head == head && store.feed.restarts == 0)
                        #expect(!Self.ringIsBehind(store, 2), "events of before are still in memory")
                        #expect(try await Self.replay(store, after: 2) == [3, head])
                    }
                }
            }
        }
    }

    /// Retention counts events, and no offsets that nobody has.
    @Test func retentionKeepsWhatWasBefore() async throws {
        try await TestDatabase.run { database in
            var options = StoreOptions()
            options.retention = Retention(maximumCount: 4, batch: 1)
            try await database.open(options: options) { store in
                for _ in 0..<3 { try await store.write(Self.append) }
                _ = try database.column("UPDATE meta SET value = value - 1 WHERE name = 'timeline' RETURNING name")
            }
            try await database.open(options: options) { store in
                try await store.write(Self.append)
                await store.trim()
                try await store.write { try $0.markDone("a") }
                #expect(try database.number("SELECT count(*) FROM log") == 4)
                for _ in 0..<2 { try await store.write(Self.append) }
                await store.trim()
                try await store.write { try $0.markDone("b") }
                #expect(await eventually { (try? database.number("SELECT count(*) FROM log")) == 4 })
                #expect(try database.number("SELECT min(place) FROM log") == 3)
            }
        }
    }
}
