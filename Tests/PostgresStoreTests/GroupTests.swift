import ChatModel
import Synchronization
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// What becomes of a group when one of its units fails, or the server refuses or forgets something.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct GroupTests {
    private static func mark(_ name: String) -> @Sendable (WriteTransaction) throws -> Void {
        { try $0.markDone(name) }
    }

    private static func done(_ database: TestDatabase) throws -> [String] {
        try database.column("SELECT name FROM meta WHERE name LIKE 'done.%' ORDER BY name")
    }

    @Test func aUnitThatThrowsFailsAlone() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let before = try database.number("SELECT max(number) FROM committed")
                let failures = try await store.group([
                    Self.mark("a"),
                    { transaction in
                        try transaction.markDone("b")
                        throw ChatError(.unknownThread, "It is not there.")
                    },
                    Self.mark("c"),
                ])
                #expect(failures.map(\.?.code) == [nil, .unknownThread, nil])
                #expect(try Self.done(database) == ["done.a", "done.c"])
                #expect(try database.number("SELECT max(number) FROM committed") == before + 1, "one group")
            }
        }
    }

    /// The refused statement is held back: the writer learns of it when the whole group was sent.
    @Test func aUnitThatViolatesAKeyFailsAlone() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let failures = try await store.group([
                    Self.mark("a"),
                    { transaction in
                        try transaction.markDone("b")
                        for _ in 0..<2 { try transaction.db.run("INSERT INTO orphan (thread) VALUES (7)") }
                    },
                    Self.mark("c"),
                ])
                #expect(failures.map(\.?.code) == [nil, .storageFailed, nil])
                #expect(failures[1]?.detail.contains("23505") == true)
                #expect(try Self.done(database) == ["done.a", "done.c"])
                #expect(try database.number("SELECT count(*) FROM orphan") == 0)
            }
        }
    }

    /// A unit whose statement was refused and that fails in another way is not blamed on its neighbours; nor does one that
    /// swallows the failure of its neighbour hide it.
    @Test func aRefusalIsNotBlamedOnAnotherUnit() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let failures = try await store.group([
                    { transaction in
                        for _ in 0..<2 { try transaction.db.run("INSERT INTO orphan (thread) VALUES (7)") }
                        throw ChatError(.unknownThread, "It is not there.")
                    },
                    { transaction in
                        _ = try? transaction.isDone("none")
                        try transaction.markDone("b")
                    },
                    { transaction in
                        for _ in 0..<2 { try transaction.db.run("INSERT INTO orphan (thread) VALUES (8)") }
                    },
                    { transaction in
                        _ = try? transaction.isDone("none")
                        throw ChatError(.unknownThread, "It is not there either.")
                    },
                    Self.mark("c"),
                ])
                #expect(failures.map(\.?.code) == [.unknownThread, nil, .storageFailed, .unknownThread, nil])
                #expect(try Self.done(database) == ["done.b", "done.c"])
                #expect(try database.number("SELECT count(*) FROM orphan") == 0)
            }
        }
    }

    @Test func aUnitThatTakesTooLongFailsAlone() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let failures = try await store.group([
                    Self.mark("a"),
                    { transaction in
                        try transaction.db.run("SET LOCAL statement_timeout = 50")
                        try transaction.db.query("SELECT pg_sleep(30)", []) { _ in true }
                    },
                    Self.mark("c"),
                ])
                #expect(failures.map(\.?.code) == [nil, .storageFailed, nil])
                #expect(try Self.done(database) == ["done.a", "done.c"])
            }
        }
    }

    /// The server ends a transaction whose client is silent for too long, together with its connection.
    @Test(arguments: ["silent", "silent and failing", "ended"])
    func aUnitThatLosesTheConnectionFailsAlone(how: String) async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let runs = Mutex(0)
                let failures = try await store.group([
                    Self.mark("a"),
                    { transaction in
                        runs.withLock { $0 += 1 }
                        try transaction.markDone("b")
                        if how == "ended" {
                            try transaction.db.query("SELECT pg_terminate_backend(pg_backend_pid())", []) { _ in true }
                        }
                        // Longer than the writer lets a group be silent.
                        try transaction.db.run("SET LOCAL idle_in_transaction_session_timeout = 1200")
                        let process = try transaction.db.first("SELECT CAST(pg_backend_pid() AS bigint)") {
                            $0.integer(0)
                        }
                        while try database.number(
                            "SELECT count(*) FROM pg_stat_activity WHERE pid = \(process ?? 0)") > 0
                        {}
                        if how != "silent" { throw ChatError(.unknownThread, "It is not there.") }
                    },
                    Self.mark("c"),
                ])
                #expect(failures.map(\.?.code) == [nil, .storageFailed, nil])
                // The first time may be chance. A unit that fails after a change runs alone then, before that is known.
                #expect(runs.withLock { $0 } == (how == "silent and failing" ? 3 : 2))
                #expect(try Self.done(database) == ["done.a", "done.c"])
            }
        }
    }

    @Test(arguments: [1, 3]) func aGroupRunsAgainAfterAFailureThatPasses(times: Int) async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let runs = Mutex(0)
                let failures = try await store.group([
                    Self.mark("a"),
                    { transaction in
                        try transaction.markDone("b")
                        let run = runs.withLock { count in
                            count += 1
                            return count
                        }
                        guard run <= times else { return }
                        try transaction.db.run("/* all */ DO $$ BEGIN RAISE SQLSTATE '40001'; END $$")
                    },
                ])
                #expect(failures.map(\.?.code) == [nil, nil])
                #expect(try Self.done(database) == ["done.a", "done.b"])
                #expect(store.counters?.figures.repetitions == times)
            }
        }
    }

    private static let orphan = RowAddition("INSERT INTO orphan (thread) VALUES (?)", key: "thread")

    /// Adds a row, and marks it as new or as known.
    private static func add(_ number: Int64, _ name: String) -> @Sendable (WriteTransaction) throws -> Void {
        { transaction in
            let isNew = try transaction.db.add(orphan, [.integer(number)])
            try transaction.markDone(name + (isNew ? " new" : " known"))
        }
    }

    @Test func unitsThatReadNothingTakeTwoRoundTrips() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let begun = ContinuousClock.now
                try await store.write(Self.mark("a"))
                let before = try #require(store.counters?.figures.roundTrips)
                let failures = try await store.group([
                    Self.add(7, "b"),
                    { _ in throw ChatError(.unknownThread, "It is not there.") },
                    Self.add(8, "c"),
                ])
                #expect(failures.map(\.?.code) == [nil, .unknownThread, nil])
                // Two are of the unit that held the writer, and a third one if it was silent for long.
                let isLate = begun.duration(to: .now) > PostgresWriter.mostSilence
                let trips = try #require(store.counters?.figures.roundTrips) - before
                #expect(trips == 4 || isLate && trips == 5)
                #expect(try Self.done(database) == ["done.a", "done.b new", "done.c new"])
            }
        }
    }

    @Test func aRowThatAnotherUnitHasAddedIsFound() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let failures = try await store.group([Self.add(7, "a"), Self.add(7, "b"), Self.add(8, "c")])
                #expect(failures.allSatisfy { $0 == nil })
                #expect(try Self.done(database) == ["done.a new", "done.b known", "done.c new"])
                #expect(try database.number("SELECT count(*) FROM orphan") == 2)
            }
        }
    }

    @Test func aGroupThatChangesNothingIsNoCommit() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                try await store.write(Self.mark("a"))
                let before = try database.number("SELECT max(number) FROM committed")
                try await store.write { _ = try $0.isDone("a") }
                #expect(try database.number("SELECT max(number) FROM committed") == before)
            }
        }
    }

    /// More than 60 units that wait are more than one group.
    @Test func aGroupIsBounded() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let before = try database.number("SELECT coalesce(max(number), 0) FROM committed")
                let failures = try await store.group((0..<70).map { Self.mark("\($0)") })
                #expect(failures.allSatisfy { $0 == nil })
                #expect(try database.number("SELECT max(number) FROM committed") == before + 2)
            }
        }
    }
}
