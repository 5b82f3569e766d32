import ChatModel
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore

/// Lists of sessions, deletion of many, and those that nobody uses.
@Suite struct SessionListTests {
    private struct Room {
        var store: ChatStore
        var environment: TestEnvironment
        var sessions: Sessions

        func ids(_ filter: SessionFilter = SessionFilter(), limit: Int = 50) async throws -> [String] {
            var (ids, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await sessions.page(filter, PageRequest(limit: limit, cursor: cursor))
                #expect(page.items.count <= limit)
                ids += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            return ids
        }

        func make(_ customer: String, channel: String = "main") async throws -> String {
            environment.advance(milliseconds: 1000)
            return try await sessions.create(
                service: "scripted", channel: channel, customer: CustomerDraft(id: customer, firstName: customer),
                connect: true,
                receipt: nil
            ).id
        }

        /// Six sessions of two customers, who take turns.
        func makeSix() async throws -> [String] {
            var made: [String] = []
            for index in 0..<6 { made.append(try await make("c\(index % 2)")) }
            return made
        }
    }

    private func run(_ body: (Room) async throws -> Void) async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            try await body(
                Room(
                    store: store, environment: environment,
                    sessions: Sessions(store: store, services: [ScriptedService()], clock: ManualClock())))
        }
    }

    @Test func whoDeletesSessionsCountsOnlyItsOwn() async throws {
        try await run { room in
            for index in 0..<10 { _ = try await room.make("c\(index)") }
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        try await room.sessions.delete(
                            SessionFilter(service: "scripted"), PageRequest(limit: 50, cursor: nil)
                        ).deleted.count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(counts == 10)
        }
    }

    @Test func pagesShowEachSessionOnceOldestFirst() async throws {
        try await run { room in
            var made: [String] = []
            for index in 0..<7 {
                made.append(try await room.make("c\(index % 2)", channel: index < 3 ? "main" : "other"))
            }
            for limit in [1, 2, 3, 7, 50] { #expect(try await room.ids(limit: limit) == made) }
            #expect(try await room.ids(SessionFilter(customer: "c1"), limit: 1) == [made[1], made[3], made[5]])
            #expect(try await room.ids(SessionFilter(service: "scripted", channel: "other")) == Array(made[3...]))
            #expect(try await room.ids(SessionFilter(service: "nobody")).isEmpty)
            let first = try await room.sessions.page(SessionFilter(), PageRequest(limit: 1, cursor: nil)).items[0]
            #expect(first.customer.firstName == "c0" && first.state == .ready)
            for cursor in ["", "x", "s", "s1", "s.1", "sx.1", "m1o1.1"] {
                #expect(
                    await refusal {
                        try await room.sessions.page(SessionFilter(), PageRequest(limit: 1, cursor: cursor))
                    } == .invalidParameter, "\(cursor)")
            }
        }
    }

    @Test func aPageLooksAtAThousandSessionsAndGoesOn() async throws {
        try await run { room in
            try await room.store.write { transaction in
                let account = try transaction.openAccount(
                    AccountKey(service: "scripted", channel: "main", customer: "c"))
                for index in 0..<1200 {
                    try transaction.save(
                        SessionRecord(
                            id: "s\(index)", account: account.number, generation: 1, isConnected: false,
                            createdAt: TestEnvironment.start))
                }
            }
            try await room.sessions.load()
            let rare = try await room.make("rare")
            let page = try await room.sessions.page(
                SessionFilter(customer: "rare"), PageRequest(limit: 50, cursor: nil))
            #expect(page.items.isEmpty && page.next != nil)
            #expect(try await room.ids(SessionFilter(customer: "rare")) == [rare])
            #expect(try await room.ids(limit: 200).count == 1201)
        }
    }

    @Test(.onSQLite("counts SQLite's statements"))
    func aPageOfManyIsReadByAsManyStatementsAsAPageOfOne() async throws {
        var options = StoreOptions()
        options.readers = 1
        try await withStore(options: options) { store in
            let sessions = Sessions(store: store, services: [ScriptedService()], clock: ManualClock())
            for index in 0..<20 {
                _ = try await sessions.create(
                    service: "scripted", channel: "main", customer: CustomerDraft(id: "c\(index)"), connect: false,
                    receipt: nil)
            }
            let seen = Journal<String>()
            // Whoever reads does so over one of these connections. Queries alone are counted: a read returns before the
            // end of its transaction, which would count for the next page.
            let trace: @Sendable (SQLiteConnection) -> Void = { db in
                db.trace { if !$0.hasPrefix("BEGIN"), !$0.hasPrefix("COMMIT") { seen.add($0) } }
            }
            try await store.sqlite.readers.reading { trace($0) }
            store.sqlite.quick.connection.use { trace($0) }
            var counts: [Int] = []
            // The first page looks at plans.
            for limit in [20, 1, 20] {
                let before = seen.entries.count
                let page = try await sessions.page(SessionFilter(), PageRequest(limit: limit, cursor: nil))
                #expect(page.items.count == limit)
                counts.append(seen.entries.count - before)
            }
            #expect(counts[1] > 0 && counts[2] == counts[1])
        }
    }

    @Test func manyAreDeletedPageByPageWithAllThatIsTheirs() async throws {
        try await run { room in
            let made = try await room.makeSix()
            let gone = try #require(room.sessions.client(made[0]))
            let definition = CollectionDefinition(.threads(ThreadQuery()))
            _ = try await room.sessions.collections.create(definition, owner: gone.collectionOwner, receipt: nil)
            try await gone.show(nil)
            let first = try await room.sessions.delete(
                SessionFilter(customer: "c0"), PageRequest(limit: 2, cursor: nil))
            #expect(first.deleted == [made[0], made[2]])
            let second = try await room.sessions.delete(
                SessionFilter(customer: "c0"), PageRequest(limit: 2, cursor: first.next))
            #expect(second.deleted == [made[4]] && second.next == nil)
            #expect(try await room.ids() == [made[1], made[3], made[5]])
            #expect(try await room.sessions.count() == 3 && gone.state == .initial)
            #expect(gone.screens.isEmpty && room.sessions.collections.all(of: gone.collectionOwner).isEmpty)
            #expect(try await room.store.read { try $0.collections(of: made[0]) }.isEmpty)
        }
    }

    @Test func afterARestartAPageShowsSessionsAsTheyAreAndOthersAreDeletedUnseen() async throws {
        try await run { room in
            let made = try await room.makeSix()
            let definition = CollectionDefinition(.threads(ThreadQuery()))
            let owner = try #require(room.sessions.client(made[0])).collectionOwner
            _ = try await room.sessions.collections.create(definition, owner: owner, receipt: nil)
            let again = Sessions(store: room.store, services: [ScriptedService()], clock: ManualClock())
            try await again.load()
            let page = try await again.page(SessionFilter(customer: "c1"), PageRequest(limit: 2, cursor: nil))
            #expect(page.items.map(\.id) == [made[1], made[3]])
            #expect(page.items.allSatisfy { $0.state == .ready && $0.customer.firstName == "c1" })
            #expect(again.all.map(\.id) == [made[1], made[3]])
            let deleted = try await again.delete(SessionFilter(customer: "c0"), PageRequest(limit: 50, cursor: nil))
            #expect(deleted.deleted == [made[0], made[2], made[4]])
            #expect(again.all.map(\.id) == [made[1], made[3]])
            #expect(try await room.store.read { try $0.collections(of: made[0]) }.isEmpty)
        }
    }

    @Test func onlyThoseThatNobodyUsesAreOldWhateverTheStoreKnows() async throws {
        try await run { room in
            let day: Int64 = 86_400_000
            let (used, unused) = (try await room.make("c1"), try await room.make("c2"))
            room.environment.advance(milliseconds: 10 * day)
            room.sessions.clock.tick(room.environment.now)
            let since = room.environment.now.advanced(byMilliseconds: -day)
            // In memory only: the store is not asked for each request.
            room.sessions.client(used)?.noteUse()
            let before = try await room.store.read { try $0.sessions() }.map(\.lastUsedAt)
            #expect(before.allSatisfy { $0 < since })
            #expect(
                try await room.sessions.delete(SessionFilter(unusedSince: since), PageRequest(limit: 1, cursor: nil))
                    .deleted.isEmpty)
            try await room.sessions.storeUse()
            let stored = try await room.store.read { try $0.sessions() }.map(\.lastUsedAt)
            #expect(stored.filter { $0 >= since }.count == 1)
            #expect(try await room.ids(SessionFilter(unusedSince: since)) == [unused])
            #expect(try await room.sessions.deleteUnused(since: since) == [unused])
            #expect(try await room.ids() == [used])
            // After a restart the time is known still.
            let again = Sessions(store: room.store, services: [ScriptedService()], clock: ManualClock())
            try await again.load()
            #expect(try await again.deleteUnused(since: since).isEmpty)
            #expect(try await again.deleteUnused(since: room.environment.now.advanced(byMilliseconds: 1)) == [used])
        }
    }

    @Test func useIsStoredAboutOnceAnHour() async throws {
        try await run { room in
            let id = try await room.make("c1")
            let client = try #require(room.sessions.client(id))
            let start = room.environment.now
            for minute in 1...119 {
                room.environment.advance(milliseconds: 60_000)
                room.sessions.clock.tick(room.environment.now)
                client.noteUse()
                try await room.sessions.storeUse()
                let stored = try #require(try await room.store.read { try $0.sessions() }.first).lastUsedAt
                #expect(stored.milliseconds == start.milliseconds + (minute < 60 ? 0 : 3_600_000), "minute \(minute)")
            }
        }
    }
}
