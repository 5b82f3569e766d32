import ChatModel
import Synchronization
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// Gateways that want the same database, on a real server.
@Suite(
    .enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"), .timeLimit(.minutes(5)))
struct LeaseTests {
    /// A lease, and what was heard of it.
    private final class Gateway: Sendable {
        private let heard = Mutex<[LeaseNews]>([])
        private let made = Mutex<PostgresLease?>(nil)

        init(_ name: String, _ database: TestDatabase) throws {
            var options = try PostgresOptions(address: database.address, gateway: name)
            options.allowsLoss = true
            let environment = TestEnvironment().environment
            let lease = PostgresLease(options, url: "", environment: environment) { [weak self] news in
                self?.heard.withLock { $0.append(news) }
            }
            made.withLock { $0 = lease }
            lease.start()
        }

        var lease: PostgresLease? { made.withLock { $0 } }

        var fence: PostgresFence? {
            for case .active(let fence) in heard.withLock({ $0 }) { return fence }
            return nil
        }

        var isStandby: Bool {
            heard.withLock { $0 }.contains { if case .standby = $0 { true } else { false } }
        }

        var loss: LeaseLoss? {
            for case .lost(let loss) in heard.withLock({ $0 }) { return loss }
            return nil
        }

        deinit { lease?.release() }
    }

    @Test func oneIsActiveAndTheOtherFollowsWhenItIsGivenBack() async throws {
        try await TestDatabase.run { database in
            let one = try Gateway("g1", database)
            #expect(await eventually { one.fence != nil })
            let two = try Gateway("g2", database)
            #expect(await eventually { two.isStandby })
            #expect(two.fence == nil)
            one.lease?.release()
            #expect(await eventually { two.fence != nil })
            #expect(two.fence == PostgresFence(holder: "g2", number: 2))
            #expect(one.loss == nil, "it was not lost, but given back")
            two.lease?.release()
        }
    }

    /// The connection dies with the process. Here it is killed, and the process lives on: it must find out.
    @Test func aKilledConnectionIsSeenByTheStandby() async throws {
        try await TestDatabase.run { database in
            let one = try Gateway("g1", database)
            #expect(await eventually { one.fence != nil })
            let two = try Gateway("g2", database)
            #expect(await eventually { two.isStandby })
            // The database's clock says that the lease is current, so it is the free lock that is seen.
            // A gateway that lives takes its lock again, so it is killed until the other has seen the lock free.
            while two.fence == nil {
                _ = try database.column(
                    """
                    SELECT CAST(pg_terminate_backend(pid) AS text) FROM pg_stat_activity \
                    WHERE application_name = 'parley g1 lease' AND datname = current_database()
                    """)
                await Task.yield()
            }
            #expect(await eventually { one.loss == .superseded })
            one.lease?.release()
            two.lease?.release()
        }
    }

    /// Only the database's clock says when a lease has run out.
    @Test func aLeaseRunsOutByTheClockOfTheDatabase() async throws {
        try await TestDatabase.run { database in
            try await database.open { _ in }
            let connection = try PostgresConnection(database.address)
            defer { connection.close() }
            let table = try LeaseTable(connection, name: "dead", url: "")
            #expect(try table.lock())
            let fence = try #require(try table.acquire())
            let other = try PostgresConnection(database.address)
            defer { other.close() }
            let second = try LeaseTable(other, name: "g2", url: "")
            #expect(try second.lock())
            #expect(try second.acquire() == nil)
            _ = try database.column("UPDATE gateway SET until = clock_timestamp() WHERE name = 'dead' RETURNING name")
            #expect(
                try second.holder()
                    == LeaseState.Holder(
                        name: "dead", fence: 1, isCurrent: false, isLocked: true, isLockKnown: true))
            #expect(try table.renew(fence), "nobody has taken over yet")
            #expect(try second.acquire() == nil)
            _ = try database.column("UPDATE gateway SET until = clock_timestamp() WHERE name = 'dead' RETURNING name")
            #expect(try second.acquire() == PostgresFence(holder: "g2", number: 2))
            #expect(try !table.renew(fence))
        }
    }

    /// A server that was started again has no advisory locks, so a missing one says nothing about a holder that lives.
    @Test func aMissingLockIsNotBelievedBeforeTheHolderHasRenewed() async throws {
        try await TestDatabase.run { database in
            try await database.open { _ in }
            let connection = try PostgresConnection(database.address)
            defer { connection.close() }
            let table = try LeaseTable(connection, name: "g1", url: "")
            let fence = try #require(try table.acquire())
            let other = try PostgresConnection(database.address)
            defer { other.close() }
            let second = try LeaseTable(other, name: "g2", url: "")
            // What the row says when the holder renewed last before the server was started again.
            _ = try database.column("UPDATE gateway SET server = '00000001 1' WHERE name = 'g1' RETURNING name")
            #expect(
                try second.holder()
                    == LeaseState.Holder(name: "g1", fence: 1, isCurrent: true, isLocked: false, isLockKnown: false))
            #expect(try second.acquire() == nil)
            #expect(try table.renew(fence))
            #expect(try second.holder().isLockKnown)
            #expect(try second.acquire() == PostgresFence(holder: "g2", number: 2))
        }
    }

    @Test func twoOfOneNameAreNotActiveTogether() async throws {
        try await TestDatabase.run { database in
            let one = try Gateway("g1", database)
            #expect(await eventually { one.fence != nil })
            let two = try Gateway("g1", database)
            #expect(await eventually { two.isStandby })
            #expect(two.fence == nil)
            one.lease?.release()
            #expect(await eventually { two.fence != nil })
            two.lease?.release()
        }
    }

    /// A gateway that does not know yet that another has taken over writes nothing, fails its units, and learns of it.
    @Test func theWriterIsFenced() async throws {
        try await TestDatabase.run { database in
            try await database.open { _ in }
            let connection = try PostgresConnection(database.address)
            defer { connection.close() }
            let table = try LeaseTable(connection, name: "g1", url: "")
            let fence = try #require(try table.acquire())
            var options = try PostgresOptions(address: database.address, readers: 1, gateway: "g1")
            options.allowsLoss = true
            options.fence = fence
            let isTold = Flag()
            options.onOtherHolder = { isTold.raise() }
            let store = try ChatStore.open(
                postgres: options, folder: database.folder, environment: TestEnvironment().environment)
            try await store.write { try $0.setMeta("mine", 1) }
            let second = try LeaseTable(connection, name: "g2", url: "")
            #expect(try second.acquire() != nil)
            #expect(!isTold.isRaised)
            let refused = await #expect(throws: ChatError.self) { try await store.write { try $0.setMeta("mine", 2) } }
            #expect(refused?.code == .storageUnavailable)
            #expect(isTold.isRaised)
            #expect(try database.number("SELECT value FROM meta WHERE name = 'mine'") == 1)
            await store.close()
        }
    }
}
