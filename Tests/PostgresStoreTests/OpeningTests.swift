import Foundation
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// How a database is found empty or in use.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct OpeningTests {
    /// A table of another program, in a schema of its own, is none of ours.
    @Test func aTableOfAnotherSchemaIsNotTakenForOurs() async throws {
        try await TestDatabase.run { database in
            _ = try database.column("CREATE SCHEMA other")
            _ = try database.column("CREATE TABLE other.committed (number bigint)")
            try await database.open { store in try await store.write { try $0.markDone("a") } }
            #expect(try database.number("SELECT count(*) FROM public.committed") == 1)
        }
    }

    /// A schema that the role finds first has the tables, whatever is in `public`.
    @Test func theTablesAreInTheFirstSchemaOfTheSearchPath() async throws {
        try await TestDatabase.run { database in
            _ = try database.column("CREATE SCHEMA parley")
            let name = try #require(try database.column("SELECT CAST(current_database() AS text)").first)
            _ = try database.column("ALTER DATABASE \(name) SET search_path = parley")
            for _ in 0..<2 {
                try await database.open { store in try await store.write { try $0.markDone("a") } }
            }
            #expect(try database.number("SELECT count(*) FROM parley.committed") == 2)
        }
    }

    /// `Fixtures/schema-N.sql` has the tables that version N on PostgreSQL made. They are expanded as soon as a gateway
    /// looks at them, a standby's too. The earlier version may go on until this one writes.
    @Test(arguments: 1..<PostgresOpening.version)
    func aDatabaseOfAnEarlierVersionIsOpened(version: Int64) async throws {
        try await TestDatabase.run { database in
            try Self.fill(database, asVersion: version)
            for _ in 0..<2 { try Self.open(database) { _ in } }
            #expect(try database.number("SELECT version FROM schema") == PostgresOpening.version)
            #expect(try database.number("SELECT oldest FROM schema") == (version < 5 ? min(version, 2) : version))
            try await database.open { store in
                try await store.write { transaction in
                    try transaction.audit(
                        NewAuditEntry(actor: "gateway", actorName: "", action: "key.made", subject: "k1"))
                }
            }
            #expect(try database.number("SELECT oldest FROM schema") == PostgresOpening.version)
            #expect(
                try database.column("SELECT deskAgent || ' ' || deskWait FROM thread") == ["m\u{e4}x 1795336452203"])
            #expect(
                try database.column("SELECT email || ' ' || nameKey FROM account") == ["ada@shop.example ada lovelace"])
            #expect(try database.number("SELECT count(*) FROM receipt WHERE scope = 'scope'") == 1)
            #expect(try database.number("SELECT max(number) FROM audit") == 1)
        }
    }

    @Test func eachVersionBeforeTheLastHasItsTables() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == (1..<PostgresOpening.version).map { "schema-\($0).sql" }.sorted())
        #expect(PostgresTables.expansions.count == names.count)
    }

    /// A database that was expanded has what a new one has.
    @Test(arguments: 1..<PostgresOpening.version) func expandedTablesAreThoseOfToday(version: Int64) async throws {
        func columns(_ database: TestDatabase) throws -> [String] {
            try database.column(
                """
                SELECT CAST(table_name || '.' || column_name || ' ' || coalesce(domain_name, data_type) || ' ' || is_nullable
                AS text) FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1
                """)
                + database.column(
                    "SELECT CAST(indexdef AS text) FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")
        }
        try await TestDatabase.run { new in
            try Self.open(new) { _ in }
            try await TestDatabase.run { old in
                try Self.fill(old, asVersion: version)
                try Self.open(old) { _ in }
                #expect(try columns(old) == columns(new))
            }
        }
    }

    /// A gateway with another key could not read what the others have given out and sealed.
    @Test func aGatewayWithAnotherKeyIsRefused() async throws {
        try await TestDatabase.run { database in
            for digest: [UInt8]? in [nil, [1, 2], [1, 2], nil] { try Self.open(database) { $0.keyDigest = digest } }
            let refusal = #expect(throws: PostgresRefusal.self) { try Self.open(database) { $0.keyDigest = [1, 3] } }
            #expect(refusal?.description.contains("--key-file") == true)
            try Self.open(database) { $0.keyDigest = [1, 2] }
        }
    }

    /// After a fail-over, a gateway with another token would refuse all clients.
    @Test func aGatewayWithAnotherTokenIsRefused() async throws {
        try await TestDatabase.run { database in
            for digests: [Int64] in [[], [7], [7], []] { try Self.open(database) { $0.tokenDigests = { digests } } }
            let refusal = #expect(throws: PostgresRefusal.self) {
                try Self.open(database) { $0.tokenDigests = { [8] } }
            }
            #expect(refusal?.description.contains("--token-file") == true)
            try Self.open(database) { $0.tokenDigests = { [7] } }
            // Exchanged: the database follows a gateway that has the one before, too.
            try Self.open(database) { $0.tokenDigests = { [9, 7] } }
            #expect(throws: PostgresRefusal.self) { try Self.open(database) { $0.tokenDigests = { [7] } } }
            try Self.open(database) { $0.tokenDigests = { [9] } }
        }
    }

    private static func fill(_ database: TestDatabase, asVersion version: Int64) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
        let file = folder.appending(path: "schema-\(version).sql")
        for statement in try String(contentsOf: file, encoding: .utf8).split(separator: ";") {
            let sql = statement.trimmingCharacters(in: .whitespacesAndNewlines)
            if !sql.isEmpty { _ = try database.column(sql) }
        }
    }

    private static func open(_ database: TestDatabase, _ set: (inout PostgresOptions) -> Void) throws {
        var options = try PostgresOptions(address: database.address, gateway: "g1")
        options.allowsLoss = true
        set(&options)
        let session = PostgresSession(try options.connect(.lease))
        defer { session.connection.close() }
        _ = try PostgresOpening.open(session, options, TestEnvironment().environment)
    }

    /// A database that another program has made, or changed, is refused with a sentence that says so.
    @Test(arguments: [
        (["CREATE TABLE account (x bigint)"], "another program"),
        (["CREATE TABLE committed (x bigint)"], "other tables"),
        (["parley", "DROP TABLE lost"], "lacks a table of Parley: lost"),
        (["parley", "ALTER TABLE identity DROP COLUMN epoch"], "other tables or columns"),
        (["parley", "DELETE FROM writer"], "was changed"),
        (["parley", "DELETE FROM identity"], "was changed"),
        (["parley", "INSERT INTO identity (epoch, instance) VALUES ('a', 'b')"], "was changed"),
        (["parley", "UPDATE writer SET fence = 9223372036854775807"], "was changed"),
        (["parley", "UPDATE committed SET place = 9223372036854775807"], "was changed"),
    ])
    func aDatabaseThatIsNotParleysIsRefused(steps: [String], words: String) async throws {
        try await TestDatabase.run { database in
            for step in steps {
                if step == "parley" {
                    try await database.open { store in try await store.write { try $0.markDone("a") } }
                } else {
                    _ = try database.column(step)
                }
            }
            let refusal = await #expect(throws: PostgresRefusal.self) { try await database.open { _ in } }
            #expect(refusal?.description.contains(words) == true)
        }
    }

    @Test func aRoleWithoutRightsIsToldWhatItNeeds() async throws {
        try await TestDatabase.run { database in
            let role = try #require(try database.column("SELECT 'r_' || CAST(current_database() AS text)").first)
            _ = try database.column("CREATE ROLE \(role) LOGIN")
            defer { _ = try? database.column("DROP ROLE \(role)") }
            let address = database.address + (database.address.contains("?") ? "&" : "?") + "user=\(role)"
            let refusal = await #expect(throws: PostgresRefusal.self) {
                try await database.open(through: address) { _ in }
            }
            #expect(refusal?.description.contains("OWNER") == true)
        }
    }
}
