import ChatModel
import Formats
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// Databases of earlier versions open, and everything in them is read again.
///
/// `Fixtures/schema-8.sql` was written by the first released version, over its HTTP API. The others have the same rows,
/// as far as the migrations up to their number had tables and columns for them. A new migration comes with a dump of
/// the version before it.
@Suite(.onSQLite("opens old files of SQLite")) struct MigrationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    private func withMigrated(_ version: Int, _ body: (ChatStore) async throws -> Void) async throws {
        try await withFolder { folder in
            let script = try String(contentsOf: Self.folder.appending(path: "schema-\(version).sql"), encoding: .utf8)
            try SQLiteConnection(path: folder + "/parley.sqlite").execute(script)
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            try await body(store)
            await store.close()
        }
    }

    private func account(_ customer: String, _ channel: String, in store: ChatStore) async throws -> AccountRecord {
        let found = try await store.read {
            try $0.account(AccountKey(service: "local", channel: channel, customer: customer))
        }
        return try #require(found)
    }

    @Test(arguments: 1...19) func threadsAndMessagesAreThere(version: Int) async throws {
        try await withMigrated(version) { store in
            let ada = try await account("ada", "multi", in: store)
            #expect(ada.customer.firstName == "Ada")
            #expect(ada.customFields == ["a": "b"])
            let first = PageRequest(limit: 10, cursor: nil)
            func threads(_ filter: ThreadFilter) async throws -> [String] {
                try Page(await store.read { try $0.threadPage(of: ada.number, filter, first) }).ids
            }
            #expect(try await threads(.all) == ["t2", "t1"])
            #expect(try await threads(.closed) == ["t2"])
            let page = try Page(await store.messagePage(of: ada.number, thread: "t1", replies: .all, first))
            #expect(page.ids == ["f1", "r1", "d1", "m2", "m1"])
            #expect(page.items.last?["text"]?.string == "Hello")
            #expect(page.items.last?["status"]?.string == "seen")
            #expect(try Page(await store.messagePage(of: ada.number, thread: "t2", first)).ids == ["m1"])
        }
    }

    @Test(arguments: 1...19) func theDeskHasItsListsByChannel(version: Int) async throws {
        try await withMigrated(version) { store in
            func ids(_ channel: String?) async throws -> [String] {
                let first = PageRequest(limit: 10, cursor: nil)
                return try Page(
                    await store.read { try $0.deskThreadPage(ThreadQuery(state: .all, channel: channel), first) }
                ).ids
            }
            #expect(try await ids(nil) == ["live1", "t2", "t1"])
            #expect(try await ids("multi") == ["t2", "t1"])
            #expect(try await ids("live") == ["live1"])
            #expect(try await ids("single") == [])
            let channels = try await store.read { try $0.channels(of: "local") }
            #expect(channels.map(\.id) == ["single", "multi", "live"])
        }
    }

    @Test(arguments: 1...19) func sessionsLogAndWhatIsGoneAreThere(version: Int) async throws {
        try await withMigrated(version) { store in
            let ada = try await account("ada", "multi", in: store)
            let sessions = try await store.read { try $0.sessions() }
            #expect(sessions.count == 2 && sessions[0].account == ada.number)
            let replay = try await store.replay([.desk], after: store.feed.floor, limit: 1 << 20)
            #expect(!replay.events.isEmpty && replay.through == store.feed.head)
            if version >= 4 {
                let collections = try await store.read { transaction in
                    try sessions.flatMap { try transaction.collections(of: $0.id) }
                }
                #expect(collections.count == 1)
            }

            // What was removed stays removed, and what comes next goes on from there.
            let room = Room(store: store, account: ada, thread: "t1")
            await #expect(throws: ChatError.self) { try await room.send("gone") }
            let head = store.feed.head
            #expect(try await room.send("new") == head + 1)
            #expect(try room.page().ids.contains("new"))
        }
    }

    /// Else the first look for unused sessions would delete those that are used each day.
    @Test(arguments: 1...8) func sessionsCountAsUsedAtTheMigration(version: Int) async throws {
        let before = Int64(Date().timeIntervalSince1970) * 1000
        try await withMigrated(version) { store in
            let sessions = try await store.read { try $0.sessions() }
            #expect(!sessions.isEmpty)
            for session in sessions {
                #expect(session.lastUsedAt.milliseconds >= max(before, session.createdAt.milliseconds))
            }
        }
    }

    @Test(arguments: 7...18) func whoWaitedStillWaits(version: Int) async throws {
        try await withMigrated(version) { store in
            let eva = try await account("eva", "live", in: store)
            let step = try await store.write { transaction in
                try transaction.tellPositions(in: Queue(service: "local", channel: "live"), behind: nil)
            }
            #expect(step.places.isEmpty && step.next == nil)
            let thread = try await store.read { try $0.thread("live1", of: eva.number)?.thread }
            #expect(thread?.queuePosition == 1)
        }
    }

    /// By the last message, as it was told before; and the desk's lists find it.
    @Test(arguments: 7...18) func sinceWhenCustomersWaitIsTold(version: Int) async throws {
        try await withMigrated(version) { store in
            let threads = try await store.read { try $0.deskThreads(ThreadQuery(), after: .first, limit: 10).rows }
            let waiting = try threads.map { try ChatThread(canonicalJSON: $0.json) }.filter { $0.waitingSince != nil }
            #expect(waiting.map(\.id).sorted() == ["live1", "t1"])
            for thread in waiting { #expect(thread.waitingSince == thread.lastMessage?.createdAt) }
            let query = ThreadQuery(desk: DeskConditions(isWaiting: true))
            let found = try await store.read { try $0.deskThreads(query, after: .first, limit: 10).rows }
            #expect(found.map(\.id).sorted() == ["live1", "t1"])
        }
    }

    /// Removing it gives nothing back, so nobody gets more than the quota.
    @Test(arguments: [8, 14, 15, 16, 17, 18]) func whatWasWrittenBeforeThereWereQuotasCountsForNobody(
        version: Int
    ) async throws {
        try await withMigrated(version) { store in
            let room = Room(store: store, account: try await account("ada", "multi", in: store), thread: "t1")
            try await room.remove("m2")
            #expect(try await store.read { try $0.usage(of: room.account.number) } == AccountUsage())
            #expect(try store.faults().filter { $0.check == "usage" } == [])
        }
    }

    /// There were none before.
    @Test(arguments: 1...19) func accessBeginsEmpty(version: Int) async throws {
        try await withMigrated(version) { store in
            try await store.write { transaction in
                #expect(try transaction.accessKeys().isEmpty)
                #expect(try transaction.auditEntries(limit: 5).isEmpty)
                #expect(try transaction.people().isEmpty)
                #expect(try transaction.logins().isEmpty)
                try transaction.insert(sampleKey("k1", createdAt: transaction.now))
                try transaction.audit(NewAuditEntry(actor: "gateway", actorName: "", action: "key.made", subject: "k1"))
                try transaction.insert(samplePerson("ada", createdAt: transaction.now))
                try transaction.insert(sampleLogin("l1", of: "ada", createdAt: transaction.now))
                try transaction.insert(sampleInvitation("code", of: "ada", createdAt: transaction.now))
                try transaction.setPicture(samplePicture("face"), ofPerson: "ada")
            }
            #expect(try await store.read { try $0.auditEntries(limit: 5).map(\.number) } == [1])
            let checks = ["keys", "people", "logins", "audit", "numbers"]
            let faults = try store.faults().filter { checks.contains($0.check) }
            #expect(faults == [])
        }
    }

    @Test func whoHasAConversationIsKnown() async throws {
        try await withFolder { folder in
            let script = try String(contentsOf: Self.folder.appending(path: "schema-12.sql"), encoding: .utf8)
            try SQLiteConnection(path: folder + "/parley.sqlite").execute(
                script + """
                    UPDATE thread SET json = CAST(json_set(
                        CAST(json AS TEXT), '$.agent', json('{"id":"bo","name":"Bo"}')) AS BLOB);
                    """)
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            #expect(try await store.read { try $0.agents() } == [Agent(id: "bo", name: "Bo")])
            await store.close()
        }
    }

    @Test func aDeviceIsFoundByItsAddress() async throws {
        try await withMigrated(10) { store in
            let found = try await store.read { transaction in
                try transaction.devices(of: .webPush, at: "https://push.example.net/p/JzLQ3raZ").map(\.id)
            }
            #expect(found == ["d1"])
            let audiences = try await store.read { try $0.audiencesWithDevices() }
            let ada = try await account("ada", "multi", in: store)
            #expect(audiences == [.account(ada.number)])
        }
    }

    @Test func eachVersionBeforeTheLastHasItsDump() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        let versions = Schema.migrations.names.dropLast()
        #expect(names == versions.map { "schema-\($0).sql" }.sorted())
    }

    @Test(arguments: [4, 8, 15, 19]) func answersUnderIdempotencyKeysAreThere(version: Int) async throws {
        try await withMigrated(version) { store in
            let scope = "97e0d4142b70f1d97c9efdbd31bce87ec45bbc82365065d46e37dd9aec31f089"
            let found = try await store.read { try $0.receipt(scope: scope, notBefore: Timestamp(milliseconds: 0)) }
            let outcome = try #require(found).outcome
            #expect(outcome.kind == .created && outcome.id == "m1")
            #expect(try JSONParser.parse(outcome.body)["text"]?.string == "Hello")
        }
    }

    @Test func theVersionBeforeRefusesTheTablesOfToday() async throws {
        try await withFolder { folder in
            let before = Migrator(Schema.migrations.names.dropLast().map { _ in { _ in } })
            let db = try SQLiteConnection(path: folder + "/new.sqlite")
            try Schema.prepare(db)
            #expect(try before.isSuperseded(in: db))
            #expect(try Schema.migrations.isSuperseded(in: db) == false)
        }
    }

    /// Else a database that was migrated and a new one would differ, and only one of them would be tested.
    @Test func allMigrationsGiveTheTablesOfToday() async throws {
        try await withFolder { folder in
            func objects(_ name: String, _ make: (SQLiteConnection) throws -> Void) throws -> [String: String] {
                let db = try SQLiteConnection(path: folder + "/" + name)
                try make(db)
                let sql = try db.all("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL") {
                    ($0.text(0) + " " + $0.text(1), words(of: $0.text(2)))
                }
                let steps = try db.all("SELECT identifier FROM grdb_migrations ORDER BY identifier") { $0.text(0) }
                return Dictionary(uniqueKeysWithValues: sql + [("steps", steps.joined(separator: " "))])
            }
            /// Without the difference that line breaks and ALTER TABLE make.
            func words(of sql: String) -> String {
                sql.replacing(/\s+/, with: " ").replacing(/\s?([(),])\s?/) { String($0.output.1) }
            }
            let migrated = try objects("migrated.sqlite") { try Schema.migrations.run(on: $0) }
            let new = try objects("new.sqlite") { try Schema.prepare($0) }
            #expect(new.count > 50 && Set(new.keys) == Set(migrated.keys))
            for (name, sql) in migrated { #expect(new[name] == sql, "\(name)") }
        }
    }
}
