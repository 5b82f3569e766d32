import CSQLite
import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// A connection that joins its writes to the WAL has the same database as one that does not, at each commit.
@Suite(.onSQLite("looks at SQLite's files")) struct JoinedWritesTests {
    private static func open(
        _ folder: String, _ name: String = "joined", joins: Bool = true
    ) throws -> SQLiteConnection {
        let db = try SQLiteConnection(path: "\(folder)/\(name).sqlite", joinsWrites: joins)
        try db.useWAL()
        try db.execute(
            """
            PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0;
            CREATE TABLE IF NOT EXISTS item (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL)
            """)
        return db
    }

    private static func sizeOfWAL(_ folder: String) throws -> Int {
        let path = "\(folder)/joined.sqlite-wal"
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    private static func insert(_ number: Int, _ size: Int, in db: SQLiteConnection) throws {
        try db.run(
            "INSERT OR REPLACE INTO item (number, bytes) VALUES (?, ?)",
            [.integer(Int64(number)), .blob([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size))])
    }

    /// SQLite spills 40 pages before the commit, which would be on the file at once.
    @Test func pagesWaitUntilTheCommit() async throws {
        try await withFolder { folder in
            let db = try Self.open(folder)
            try db.execute("PRAGMA cache_size = 10; PRAGMA cache_spill = 10")
            let before = try Self.sizeOfWAL(folder)
            try db.execute("BEGIN IMMEDIATE")
            for number in 0..<20 { try Self.insert(number, 3000, in: db) }
            #expect(try Self.sizeOfWAL(folder) == before)
            try db.execute("COMMIT")
            #expect(try Self.sizeOfWAL(folder) > before + 20 * 3000)
        }
    }

    /// Whoever reads beside it sees a commit as soon as it has returned, also where the disk is not waited for.
    @Test(arguments: ["FULL", "NORMAL", "OFF"]) func readersSeeEachCommit(synchronous: String) async throws {
        try await withFolder { folder in
            let db = try Self.open(folder)
            try db.execute("PRAGMA synchronous = \(synchronous)")
            let reader = try SQLiteConnection(path: "\(folder)/joined.sqlite", .reading)
            for number in 1...50 {
                try db.execute("BEGIN IMMEDIATE")
                try Self.insert(number, number * 700, in: db)
                try db.execute("COMMIT")
                let seen = try reader.all(
                    "/* all */ SELECT number, length(bytes) FROM item ORDER BY number DESC LIMIT 1"
                ) {
                    [$0.integer(0), $0.integer(1)]
                }
                #expect(seen == [[Int64(number), Int64(number * 700)]])
            }
        }
    }

    /// Units of all sizes, some undone in part or whole, with checkpoints by another connection in between: both databases
    /// have the same rows and no damage, also when they are opened again.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func theSameStatementsGiveTheSameDatabase(seed: UInt64) async throws
    {
        try await withFolder { folder in
            func fill(_ name: String, joins: Bool) throws -> [[UInt8]] {
                var random = SeededGenerator(seed: seed)
                var db = try Self.open(folder, name, joins: joins)
                let other = try SQLiteConnection(path: "\(folder)/\(name).sqlite")
                for _ in 0..<60 {
                    try db.execute("PRAGMA cache_size = \(Int.random(in: 8...200, using: &random)); BEGIN IMMEDIATE")
                    for _ in 0..<Int.random(in: 1...30, using: &random) {
                        let undone = Int.random(in: 0..<5, using: &random) == 0
                        if undone { try db.execute("SAVEPOINT part") }
                        let size = [10, 900, 5000, 70_000, 300_000][Int.random(in: 0..<5, using: &random)]
                        try Self.insert(Int.random(in: 0..<40, using: &random), size, in: db)
                        if undone { try db.execute("ROLLBACK TO part; RELEASE part") }
                    }
                    try db.execute(Int.random(in: 0..<6, using: &random) == 0 ? "ROLLBACK" : "COMMIT")
                    switch Int.random(in: 0..<12, using: &random) {
                    case 0: _ = try other.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
                    case 1: _ = try other.first("PRAGMA wal_checkpoint(PASSIVE)") { $0.integer(0) }
                    case 2: _ = try db.first("PRAGMA wal_checkpoint(RESTART)") { $0.integer(0) }
                    case 3:
                        db.close()
                        db = try Self.open(folder, name, joins: joins)
                    default: break
                    }
                }
                db.close()
                other.close()
                let plain = try SQLiteConnection(path: "\(folder)/\(name).sqlite")
                let found = try plain.first("PRAGMA integrity_check") { $0.text(0) }
                #expect(found == "ok")
                return try plain.all("/* all */ SELECT number, bytes FROM item ORDER BY number") {
                    Array("\($0.integer(0)) ".utf8) + $0.blob(1)
                }
            }
            let (joined, plain) = (try fill("joined", joins: true), try fill("plain", joins: false))
            #expect(joined == plain)
        }
    }
}
