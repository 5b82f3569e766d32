import GRDB
import GRDBSQLite
import Synchronization

/// What SQLite means to do for a statement: nothing may read the whole of a table that grows.
///
/// In debug builds each statement is looked at when it is first used. Tests fail when there is a complaint.
package enum QueryPlans {
    /// Tables that have a few rows, however long the gateway lives.
    private static let smallTables: Set<String> = ["meta", "channel", "remoteChannel", "progress", "sqlite_master", "main.sqlite_master"]
    /// Statements that read all there is because that is their task, at the start or in steps of their own.
    private static let wholeReads = [
        "SELECT id, account, generation, isConnected, createdAt, resend FROM session",
        "SELECT session, id, createdAt, definition FROM collection ORDER BY",
        "DELETE FROM entry", "DELETE FROM words", "DELETE FROM forgetting",
    ]

    /// What a thread keeps a few rows of, so that sorting them costs nothing: unsent messages.
    private static let sortedTables = [" FROM outgoing "]

    private static let known = Mutex<Set<String>>([])
    private static let found = Mutex<[String]>([])

    /// What was complained of in this process.
    package static var complaints: [String] { found.withLock { $0 } }

    static func check(_ sql: String, in db: Database) throws {
        guard known.withLock({ $0.insert(sql).inserted }), isStatement(sql) else { return }
        let complaints = try complaints(about: sql, in: db)
        found.withLock { $0 += complaints.map { "\($0): \(sql)" } }
    }

    /// The steps of a plan that read the whole of a table, or sort what an index does not order.
    static func complaints(about sql: String, in db: Database) throws -> [String] {
        guard !wholeReads.contains(where: sql.hasPrefix) else { return [] }
        var steps: [String] = []
        let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)").sqliteStatement
        defer { sqlite3_reset(statement) }
        while sqlite3_step(statement) == SQLITE_ROW {
            if let detail = sqlite3_column_text(statement, 3) { steps.append(String(cString: detail)) }
        }
        return steps.filter { step in
            if step == "USE TEMP B-TREE FOR ORDER BY" {
                return !readsSmallTables(steps) && !sortedTables.contains(where: sql.contains)
            }
            guard step.hasPrefix("SCAN "), !step.contains("VIRTUAL TABLE"), !step.contains("CONSTANT ROW"), !step.contains("(") else {
                return false
            }
            return !smallTables.contains(String(step.split(separator: " ")[1]))
        }
    }

    private static func readsSmallTables(_ steps: [String]) -> Bool {
        steps.allSatisfy { step in
            let words = step.split(separator: " ")
            return words.count < 2 || !["SCAN", "SEARCH"].contains(words[0]) || smallTables.contains(String(words[1]))
        }
    }

    private static func isStatement(_ sql: String) -> Bool {
        ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains { sql.hasPrefix($0) }
    }
}
