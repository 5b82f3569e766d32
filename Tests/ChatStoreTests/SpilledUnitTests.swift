import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// A unit with more pages than SQLite's cache is undone, and small commits follow. SQLite's own spilling before a commit
/// would lose those commits in a crash: frames that it has written twice and undone keep no checksum.
@Suite(.onSQLite("looks at SQLite's files")) struct SpilledUnitTests {
    @Test(arguments: 1...6) func commitsAfterALargeUndoneUnitSurviveACrash(overwritten: Int) async throws {
        try await withFolder { folder in
            try await withStore(rehearses: false) { store in
                let refused = ChatError(.invalidParameter, "no")
                @Sendable func note(_ scope: String, _ size: Int, in transaction: WriteTransaction) throws {
                    try transaction.db.run(
                        """
                        INSERT INTO receipt (scope, fingerprint, kind, id, body, at) VALUES (?, ?, 'ok', 'x', ?, 1)
                        ON CONFLICT (scope) DO UPDATE SET fingerprint = excluded.fingerprint
                        """, [.text(scope), .text(String(repeating: "f", count: size)), .blob([])])
                }
                await #expect(throws: refused) {
                    try await store.write { transaction in
                        for number in 0..<1500 { try note("\(number)", 3000, in: transaction) }
                        for number in stride(from: 0, to: 1500, by: overwritten) {
                            try note("\(number)", 2900, in: transaction)
                        }
                        throw refused
                    }
                }
                for number in 0..<3 { try await store.write { try note("small \(number)", 10, in: $0) } }
                // What a crash would leave: the files as they are now.
                let source = try await Self.path(of: store)
                for end in ["", "-wal"] {
                    try FileManager.default.copyItem(
                        atPath: source + end, toPath: "\(folder)/crashed.sqlite\(end)")
                }
                let crashed = try SQLiteConnection(path: "\(folder)/crashed.sqlite")
                let found = try crashed.first("/* all */ SELECT count(*) FROM receipt WHERE scope LIKE 'small%'") {
                    $0.integer(0)
                }
                #expect(found == 3)
            }
        }
    }

    private static func path(of store: ChatStore) async throws -> String {
        try await store.read { transaction in
            try transaction.db.first("SELECT file FROM pragma_database_list WHERE name = 'main'") { $0.text(0) } ?? ""
        }
    }
}
