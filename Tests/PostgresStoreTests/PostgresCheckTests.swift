import ChatModel
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// What only a database of PostgreSQL has: a fault is planted, and must be found.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct PostgresCheckTests {
    /// FNV-1a, filled up to the length of a SHA-256.
    private static func digest(_ next: () throws -> [UInt8]?) throws -> [UInt8] {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        while let piece = try next() {
            for byte in piece { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return (0..<32).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0 % 8))) }
    }

    /// A store with a file of two pieces, and what the check says of it.
    private static func check(afterwards sql: String...) async throws -> [String] {
        var faults: [String] = []
        try await TestDatabase.run { database in
            try await database.open { store in
                let account = try await store.write {
                    try $0.openAccount(AccountKey(service: "local", channel: "multi", customer: "c"))
                }
                let bytes = [UInt8](repeating: 7, count: FilePart.size + 3)
                let file = try store.stageFile()
                try bytes.withUnsafeBytes { try file.write($0) }
                try file.synchronize()
                var rest: [UInt8]? = bytes
                let digest = try digest {
                    defer { rest = nil }
                    return rest
                }
                try await store.storeFile(file, as: "f") { transaction in
                    try transaction.insert(
                        Attachment(id: "f", name: "a", mimeType: "text/plain", size: Int64(bytes.count)),
                        uploader: .account(account.number), digest: digest)
                }
            }
            for statement in sql { _ = try database.column(statement) }
            var options = try PostgresOptions(address: database.address, readers: 1, gateway: "check")
            options.allowsLoss = true
            let reader = try ChatStore.reader(postgres: options)
            defer { reader.close() }
            try reader.inspect { faults.append("\($0)") }
            let files = try reader.inspectFiles(in: .rows, digest: digest) { faults.append("\($0)") }
            #expect(files.rows == 1)
        }
        return faults
    }

    @Test func aSoundDatabaseHasNoFault() async throws {
        let faults = try await Self.check()
        #expect(faults == [])
    }

    @Test(arguments: [
        ("UPDATE committed SET first = 9, place = 9 WHERE number = 2", "engine: commit 2: it begins at 9"),
        ("UPDATE committed SET first = 9 WHERE number = 2", "engine: commit 2: it begins at 9 and ends at"),
        ("INSERT INTO writer (id) VALUES (2)", "engine: writer: it has 2 rows, and should have one"),
        ("DELETE FROM identity", "engine: identity: it has 0 rows, and should have one"),
        ("INSERT INTO lost (low, high, at) VALUES (5, 3, 0)", "log: the range of lost offsets from 5 to 3"),
        ("INSERT INTO filePart (attachment, number, bytes) VALUES ('x', 0, '')", "engine: attachment x is missing"),
        (
            "INSERT INTO contact (number, thread, openedAt) VALUES (5, 1, 0)",
            "numbers: contact: its last number is 5, and only 0 were given out"
        ),
        ("DELETE FROM filePart WHERE number = 0", "files: attachment f: its file is missing"),
        ("DELETE FROM filePart WHERE number = 1", "files: attachment f: its file has 262144 bytes, and should have"),
        ("UPDATE filePart SET bytes = 'abc' WHERE number = 1", "files: attachment f: its file has other bytes"),
    ])
    func whatIsPlantedIsFound(sql: String, words: String) async throws {
        let faults = try await Self.check(afterwards: sql)
        #expect(faults.contains { $0.hasPrefix(words) }, "\(faults)")
    }

    @Test func aDatabaseWithoutAStoreIsRefusedAndStaysEmpty() async throws {
        try await TestDatabase.run { database in
            var options = try PostgresOptions(address: database.address, readers: 1, gateway: "check")
            options.allowsLoss = true
            #expect(throws: PostgresRefusal.self) { _ = try ChatStore.reader(postgres: options) }
            let tables = try database.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
            #expect(tables == 0)
        }
    }
}
