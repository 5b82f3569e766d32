import CSQLite
import Synchronization

/// What SQLite means to do for a statement: nothing may read the whole of a table that grows.
///
/// Debug builds look at each statement when it is first used, and refuse one that does. A statement that begins with a
/// comment is not looked at: tests read all there is.
enum QueryPlans {
    /// Tables that have a few rows, however long the gateway lives.
    private static let smallTables: Set<String> = [
        "meta", "channel", "remoteChannel", "agent", "answer", "progress", "sqlite_master", "main.sqlite_master",
        "sqlite_sequence", "lost", "grdb_migrations", "accessKey", "person", "invitation", "tag",
    ]
    /// Statements that read all there is because that is their task, for a figure or in steps of their own.
    private static let wholeReads = [
        "SELECT count(*) FROM session",
        "DELETE FROM entry", "DELETE FROM words", "DELETE FROM forgetting",
    ]

    /// Indexes that hold only what is still to be done.
    private static let smallIndexes = ["USING INDEX forgetting_open"]

    /// What a thread or a session keeps a few rows of, so that sorting them costs nothing: unsent messages, collections. So
    /// are the open threads of an agent, where they are counted first.
    private static let sortedTables = [" FROM outgoing ", " FROM collection ", "AND deskAgent = ?8)"]

    /// What is wrong with each statement that was used.
    private static let known = Mutex<[String: [String]]>([:])

    /// Throws where the statement reads the whole of a table that grows, or sorts what no index orders.
    static func check(_ sql: String, in db: SQLiteConnection) throws {
        guard isStatement(sql) else { return }
        let complaints: [String]
        if let found = known.withLock({ $0[sql] }) {
            complaints = found
        } else {
            complaints = try Self.complaints(about: sql, in: db)
            known.withLock { $0[sql] = complaints }
        }
        guard let first = complaints.first else { return }
        throw SQLiteError(SQLITE_MISUSE, message: "\(first): \(sql)")
    }

    /// The steps of a plan that read the whole of a table, or sort what an index does not order.
    static func complaints(about sql: String, in db: SQLiteConnection) throws -> [String] {
        guard !wholeReads.contains(where: sql.hasPrefix) else { return [] }
        let steps = try db.all("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) }
        // A query in a query that is not resolved into the outer one has a limit of its own, and steps of its own.
        let bounded = Set(steps.compactMap { $0.hasPrefix("CO-ROUTINE ") ? "SCAN " + $0.dropFirst(11) : nil })
        return zip(steps, [""] + steps).filter { step, before in
            if bounded.contains(step) { return false }
            if step == "USE TEMP B-TREE FOR ORDER BY" {
                return !bounded.contains(before) && !readsSmallTables(steps)
                    && !sortedTables.contains(where: sql.contains)
            }
            guard step.hasPrefix("SCAN "), !step.contains("VIRTUAL TABLE"), !step.contains("CONSTANT ROW"),
                !step.contains("(")
            else {
                return false
            }
            return !smallTables.contains(String(step.split(separator: " ")[1]))
                && !smallIndexes.contains(where: step.contains)
        }.map(\.0)
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
