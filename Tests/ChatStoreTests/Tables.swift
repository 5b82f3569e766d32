import ChatModel
import TestSupport

@testable import ChatStore

/// Tests look at tables, and spoil them, whatever the engine is.
extension ChatStore {
    /// Runs a closure in a unit: on the writer's thread, after all that the writer was asked for before.
    ///
    /// A statement that begins with a comment may read the whole of a table.
    @discardableResult
    func onTables<T: Sendable>(_ body: @escaping @Sendable (DatabaseSession) throws -> T) async throws -> T {
        try await write { transaction in
            let result = try body(transaction.db)
            // It may have changed rows that the writer has kept.
            transaction.hot?.removeAll()
            return result
        }
    }

    /// The first column of a query's rows.
    func numbers(_ sql: String) async throws -> [Int64] {
        try await onTables { try $0.all("/* all */ " + sql) { $0.integer(0) } }
    }

    /// How many rows a table has.
    func count(of table: String) async throws -> Int64? {
        try await numbers("SELECT count(*) FROM \(table)").first
    }
}

extension DatabaseSession {
    /// The columns of all tables, by table.
    func columns() throws -> [String: [String]] {
        let names =
            switch self {
            case .lite:
                """
                SELECT tables.name, columns.name FROM sqlite_master tables JOIN pragma_table_info(tables.name) columns \
                WHERE tables.type = 'table'
                """
            case .engine:
                """
                SELECT CAST(table_name AS text), CAST(column_name AS text) FROM information_schema.columns \
                WHERE table_schema = 'public'
                """
            }
        return Dictionary(
            grouping: try all("/* all */ " + names) { (table: $0.text(0), column: $0.text(1)) }, by: \.table
        ).mapValues { $0.map(\.column) }
    }
}
