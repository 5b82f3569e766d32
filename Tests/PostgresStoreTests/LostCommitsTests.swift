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
            ThreadRemovedEvent(threadID: "t", by: .unknown), owner: account, message: nil,
            members: [AudienceMember(.account(account.number))])
    }

    /// Takes back what was committed after an offset.
    private static func lose(after place: Int64, in database: TestDatabase) throws {
        for table in ["committed", "log", "audience"] {
            _ = try database.column("DELETE FROM \(table) WHERE place > \(place) RETURNING ''")
        }
    }

    private static func endConnections(to database: TestDatabase) throws {
        _ = try database.column(
            """
            SELECT CAST(pg_terminate_backend(pid) AS text) FROM pg_stat_activity \
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
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
    @Test(arguments: ["timeline", "system", "tables"]) func anotherServerIsSeen(name: String) async throws {
        try await TestDatabase.run { database in
            try await database.open { store in for _ in 0..<3 { try await store.write(Self.append) } }
            _ = try database.column("UPDATE meta SET value = value - 1 WHERE name = '\(name)' RETURNING name")
            for round in 1...2 {
                try await database.open { store in
                    try await store.write(Self.append)
                    #expect(store.feed.head == 3 + PostgresWriter.leap + Int64(round))
                    #expect(Self.ringIsBehind(store, 4), "an earlier gateway may have given this offset out")
                    #expect(try await Self.replay(store, after: 2).count == 1 + round)
                }
            }
            #expect(try database.number("SELECT count(*) FROM lost WHERE low = 3") == 1)
        }
    }

    /// The files of the server were put back: the data folder has seen more.
    @Test func theFolderRemembersHowFarTheLogWent() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in for _ in 0..<5 { try await store.write(Self.append) } }
            try Self.lose(after: 3, in: database)
            try await database.open("g2") { store in
                try await store.write(Self.append)
                #expect(store.feed.head == 4, "another folder has seen nothing")
            }
            for round in 1...2 {
                try await database.open { store in
                    try await store.write(Self.append)
                    #expect(store.feed.head == 5 + PostgresWriter.leap + Int64(round))
                }
            }
            #expect(try database.number("SELECT count(*) FROM lost WHERE low = 4") == 1)
        }
    }

    /// A database of an earlier version does not know the number of its table.
    @Test func whatWasNotNotedIsNoOtherServer() async throws {
        try await TestDatabase.run { database in
            try await database.open { try await $0.write(Self.append) }
            _ = try database.column("DELETE FROM meta WHERE name = 'tables' RETURNING name")
            try await database.open { try await $0.write(Self.append) }
            #expect(try database.number("SELECT max(place) FROM committed") == 2)
            #expect(try database.number("SELECT count(*) FROM meta WHERE name = 'tables'") == 1)
        }
    }

    @Test func aCommandSaysThatItWasRestored() async throws {
        try await TestDatabase.run { database in
            try await database.open { try await $0.write(Self.append) }
            try RestoredStore.forgetServer(try PostgresOptions(address: database.address, gateway: "tool"))
            try await database.open { store in
                try await store.write(Self.append)
                #expect(store.feed.head == 1 + PostgresWriter.leap + 1)
            }
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
                    try Self.endConnections(to: database)
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

    /// A surviving gateway may have the lost ones in memory.
    @Test func numbersThatWereGivenOutAreNotUsedAgain() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let account: @Sendable (String) async throws -> Int64 = { customer in
                    try await store.write {
                        try $0.openAccount(AccountKey(service: "local", channel: "multi", customer: customer)).number
                    }
                }
                let lost = try await account("lost")
                _ = try database.column("DELETE FROM account RETURNING ''")
                _ = try database.column("DELETE FROM committed RETURNING ''")
                _ = try database.column("SELECT CAST(setval('account_number_seq', 1, false) AS text)")
                #expect(try await account("new") > lost + PostgresWriter.leap)
            }
        }
    }

    /// A webhook's position goes back with the database: the webhook may have been sent what is lost.
    @Test(arguments: ["lost", "perhaps lost", "whole"])
    func webhooksAreToldOfWhatTheyMayHaveGot(what: String) async throws {
        try await TestDatabase.run { database in
            func fill(_ store: ChatStore) async throws {
                try await store.write { transaction in
                    for kind in [TargetKind.webhook, .apns] {
                        _ = try transaction.insert(
                            TargetDraft(
                                id: kind.rawValue, kind: kind, audience: .account(1), settings: [], position: 0))
                    }
                }
                for _ in 0..<5 { try await store.write(Self.append) }
            }
            func gaps(_ store: ChatStore) async throws -> [LogGap?] {
                try await store.write { transaction in
                    try TargetKind.allCases.flatMap { try transaction.targets(of: $0) }
                        .map { try transaction.takeDeliveries(for: $0.number) { _ in true }?.target.gap }
                }
            }
            let promote = {
                _ = try database.column("UPDATE meta SET value = value - 1 WHERE name = 'timeline' RETURNING name")
            }
            switch what {
            case "lost":
                try await database.open { store in
                    try await fill(store)
                    try Self.lose(after: 3, in: database)
                    let gap = LogGap(from: 3, to: 5 + PostgresWriter.leap)
                    #expect(try await gaps(store) == [gap, nil])
                }
            case "perhaps lost":
                try await database.open { try await fill($0) }
                try promote()
                try await database.open { store in
                    let gap = LogGap(from: 5, to: 5 + PostgresWriter.leap)
                    #expect(try await gaps(store) == [gap, nil])
                    // Retention does not shorten it.
                    try await store.write { try $0.db.run("UPDATE meta SET value = 2 WHERE name = 'floor'") }
                    #expect(try await gaps(store) == [LogGap(from: 0, to: gap.to), LogGap(from: 0, to: 2)])
                }
            default:
                try await database.open { store in
                    try await fill(store)
                    try promote()
                    try Self.endConnections(to: database)
                    #expect(try await gaps(store) == [nil, nil])
                    #expect(try database.number("SELECT count(*) FROM lost") == 1)
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
