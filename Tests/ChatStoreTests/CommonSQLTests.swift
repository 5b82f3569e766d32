import ChatModel
import TestSupport
import Testing

@testable import ChatStore

/// One text of a statement does for SQLite and PostgreSQL. What any test of this process runs is looked at when it is
/// first used, and refused where PostgreSQL would refuse it.
@Suite struct CommonSQLTests {
    @Test(arguments: [
        "REPLACE INTO meta (name, value) VALUES (?, ?)",
        "INSERT OR IGNORE INTO orphan (thread) VALUES (?)",
        "INSERT INTO orphan (thread) VALUES (?) ON CONFLICT DO NOTHING",
        "SELECT 1 FROM member CROSS JOIN thread ON thread.number = member.thread",
        "SELECT ifnull(readAt, 0) FROM member",
        "SELECT thread FROM member WHERE thread IN (SELECT value FROM json_each(?))",
        "SELECT policy FROM outgoing WHERE policy GLOB 'automatic:*'",
        "SELECT rowid FROM message",
        "SELECT id FROM member WHERE state IS NOT 'joined'",
        "SELECT id FROM outgoing ORDER BY number LIMIT -1 OFFSET ?",
        "INSERT INTO thread (json) VALUES (x'')",
        "SELECT max(readAt, readTo) FROM member",
        "SELECT offset FROM log",
        "SELECT 1 FROM (SELECT id FROM member WHERE (thread, id) > (?, ?) LIMIT ?) WHERE id = ?",
        "SELECT count(*) FROM (SELECT 1 FROM member LIMIT ?)",
        "UPDATE target SET version = version + (state <> ?)",
        "SELECT id FROM member WHERE -activity > -?",
        "SELECT id FROM member WHERE thread == ?",
        "SELECT id FROM member WHERE thread = ?1 AND account = ?",
        "PRAGMA user_version",
    ])
    func whatPostgreSQLRefusesIsComplainedOf(sql: String) {
        #expect(CommonSQL.complaint(about: sql) != nil)
    }

    @Test(arguments: [
        "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        "SELECT 1 FROM (SELECT id FROM member WHERE (thread, id) > (?, ?) LIMIT ?) newest WHERE id = ?",
        "SELECT max(place), min(place), count(*) FROM audience WHERE account IS NOT NULL",
        "SELECT number FROM delivery WHERE target = ? ORDER BY doneAt LIMIT ? OFFSET ?",
        "UPDATE inactivity SET dueAt = dueAt + ?1 WHERE dueAt < ?2",
        "SELECT max(number) FROM (SELECT number FROM message WHERE id IN (?, ?)) AS found WHERE number <> ?",
    ])
    func whatBothTakeIsWellEnough(sql: String) {
        #expect(CommonSQL.complaint(about: sql) == nil)
    }

    @Test func aStatementThatIsNotCommonIsRefusedEachTime() async throws {
        try await withStore { store in
            for _ in 1...2 {
                await #expect(throws: ChatError.self) {
                    try await store.write { try $0.db.run("REPLACE INTO meta (name, value) VALUES ('one', 1)") }
                }
                await #expect(throws: ChatError.self) {
                    try await store.read { try $0.db.first("SELECT ifnull(value, 0) FROM meta") { $0.integer(0) } }
                }
            }
        }
    }

    /// A list of any length is one of a few texts, and matches nothing that is not in it.
    @Test func aListIsFilledUpToAPowerOfTwo() async throws {
        #expect(Placeholders([]).sql == "(?)")
        #expect(Placeholders([.integer(1), .integer(2), .integer(3)]).sql == "(?, ?, ?, ?)")
        try await withStore { store in
            let room = try await Room.make(in: store)
            let number = try room.record().number
            for count in 0...5 {
                let numbers = (0..<count).map { number + Int64($0) }
                let found = try await store.read { try $0.threads(numbered: numbers).map(\.number) }
                #expect(found == (count == 0 ? [] : [number]))
            }
            let nobody = try await store.read { transaction in
                try transaction.threads(
                    of: room.account.number, ThreadQuery(customTypes: []), after: .first, limit: 5)
            }
            #expect(nobody.rows.isEmpty)
        }
    }
}
