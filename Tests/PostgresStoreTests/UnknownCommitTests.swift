import ChatModel
import Synchronization
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// The connection dies while COMMIT is under way.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct UnknownCommitTests {
    /// The server has committed, and its answer never comes.
    @Test func aCommitWhoseAnswerWasLostIsASuccess() async throws {
        try await TestDatabase.run { database in
            let proxy = try PostgresProxy(to: database.address)
            defer { proxy.close() }
            try await database.open(through: proxy.address) { store in
                try await store.write { try $0.markDone("first") }
                let runs = Mutex(0)
                async let writing: Void = store.write { transaction in
                    runs.withLock { $0 += 1 }
                    try transaction.markDone("second")
                    proxy.stop(.answers)
                }
                let isCommitted = await eventually {
                    (try? database.number("SELECT count(*) FROM meta WHERE name = 'done.second'")) == 1
                }
                #expect(isCommitted)
                proxy.cut()
                try await writing
                #expect(runs.withLock { $0 } == 1, "it did not run again")
                #expect(try await store.read { try $0.isDone("second") })
                // The log goes on from there.
                try await store.write { try $0.markDone("third") }
                #expect(try database.number("SELECT count(*) FROM committed") == 3)
            }
        }
    }

    /// The server has never seen COMMIT.
    @Test func aCommitThatDidNotArriveRunsAgain() async throws {
        try await TestDatabase.run { database in
            let proxy = try PostgresProxy(to: database.address)
            defer { proxy.close() }
            try await database.open(through: proxy.address) { store in
                try await store.write { try $0.markDone("first") }
                let runs = Mutex(0)
                async let writing: Void = store.write { transaction in
                    let run = runs.withLock { count in
                        count += 1
                        return count
                    }
                    try transaction.markDone("second")
                    if run == 1 { proxy.stop(.requests) }
                }
                #expect(await eventually { proxy.hasStopped })
                proxy.cut()
                try await writing
                #expect(runs.withLock { $0 } == 2)
                #expect(try database.number("SELECT count(*) FROM meta WHERE name = 'done.second'") == 1)
                #expect(try database.number("SELECT count(*) FROM committed") == 2)
            }
        }
    }

    /// A commit row of this number and this gateway's name is there, and another process has made it.
    @Test func aCommitOfAnotherProcessOfThisNameIsNotTakenForOwn() async throws {
        try await TestDatabase.run { database in
            let proxy = try PostgresProxy(to: database.address)
            defer { proxy.close() }
            try await database.open(through: proxy.address) { store in
                try await database.open { other in
                    let runs = Mutex(0)
                    async let writing: Void = store.write { transaction in
                        let run = runs.withLock { count in
                            count += 1
                            return count
                        }
                        try transaction.markDone("own")
                        if run == 1 { proxy.stop(.requests) }
                    }
                    #expect(await eventually { proxy.hasStopped })
                    // It waits for the lock, so that it is the next to have it.
                    async let second: Void = other.write { try $0.markDone("other") }
                    let waits = await eventually {
                        (try? database.number(
                            """
                            SELECT count(*) FROM pg_stat_activity \
                            WHERE datname = current_database() AND wait_event_type = 'Lock'
                            """)) == 1
                    }
                    #expect(waits)
                    proxy.cut()
                    try await second
                    try await writing
                    #expect(runs.withLock { $0 } == 2, "it ran again")
                    #expect(try database.number("SELECT count(*) FROM meta WHERE name LIKE 'done.o%'") == 2)
                    #expect(try database.number("SELECT count(*) FROM committed") == 2)
                }
            }
        }
    }

    /// The server ends the connection inside COMMIT, before it takes place.
    @Test func aCommitThatTheServerCutsOffRunsAgain() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                try await store.write { try $0.markDone("first") }
                let runs = Mutex(0)
                try await store.write { transaction in
                    let run = runs.withLock { count in
                        count += 1
                        return count
                    }
                    try transaction.markDone("second")
                    guard run == 1 else { return }
                    // A deferred trigger runs at COMMIT.
                    try transaction.db.run(
                        """
                        /* all */ CREATE FUNCTION pg_temp.leave() RETURNS trigger LANGUAGE plpgsql AS \
                        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$
                        """)
                    try transaction.db.run(
                        """
                        /* all */ CREATE CONSTRAINT TRIGGER leave AFTER INSERT ON committed DEFERRABLE INITIALLY DEFERRED \
                        FOR EACH ROW EXECUTE FUNCTION pg_temp.leave()
                        """)
                }
                #expect(runs.withLock { $0 } == 2)
                #expect(try database.number("SELECT count(*) FROM committed") == 2)
                #expect(store.counters?.figures.repetitions == 1)
            }
        }
    }
}
