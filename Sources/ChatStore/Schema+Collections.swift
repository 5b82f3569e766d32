import ChatModel
import Formats
import GRDB

extension Schema {
    /// What thread collections order and filter by, beside the thread's state and activity which `member` has already.
    ///
    /// None of these columns changes by a message, so a send writes none of these indexes. The newest activity first
    /// goes by `member_order`.
    private static let collectionTables = """
        ALTER TABLE member ADD COLUMN createdAt INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE member ADD COLUMN nameKey BLOB NOT NULL DEFAULT x'FF';
        ALTER TABLE member ADD COLUMN customType TEXT;
        CREATE INDEX member_created ON member (account, createdAt, id);
        CREATE INDEX member_name ON member (account, nameKey, id);

        CREATE TABLE collection (
            session TEXT NOT NULL, id TEXT NOT NULL, createdAt INTEGER NOT NULL, definition BLOB NOT NULL,
            PRIMARY KEY (session, id)
        ) WITHOUT ROWID;
        """

    static func addCollections(_ db: Database) throws {
        try db.execute(sql: collectionTables)
        // The keys are computed in one place, not once more in SQL.
        var number: Int64 = 0
        while let next = try db.first(
            "SELECT number, json FROM thread WHERE number > ? ORDER BY number LIMIT 1", [.integer(number)],
            { ($0.integer(0), $0.blob(1)) }
        ) {
            number = next.0
            try db.write(ThreadKeys(try ChatThread(canonicalJSON: next.1)), ofThread: number)
        }
    }
}

/// What a thread's members carry of it for the orders and filters of thread collections.
struct ThreadKeys: Equatable {
    var createdAt: Int64
    var nameKey: [UInt8]
    var customType: String?

    init(_ thread: ChatThread) {
        createdAt = thread.createdAt.milliseconds
        nameKey = Self.nameKey(thread.name)
        customType = thread.customType
    }

    /// The name in lower case as UTF-8, compared bytewise. A byte that UTF-8 never has puts threads without a name last.
    static func nameKey(_ name: String?) -> [UInt8] { name.map { Array($0.lowercased().utf8) } ?? [0xFF] }
}

extension Database {
    func write(_ keys: ThreadKeys, ofThread number: Int64) throws {
        try run(
            "UPDATE member SET createdAt = ?, nameKey = ?, customType = ? WHERE thread = ?",
            [.integer(keys.createdAt), .blob(keys.nameKey), .optional(keys.customType), .integer(number)])
    }
}
