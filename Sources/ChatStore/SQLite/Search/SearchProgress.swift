import ChatModel
import Formats

/// How far the index has come, as its table `progress` stores it.
struct SearchProgress {
    /// The offset up to which the log is in the index. While the index is built: the offset from which to follow
    /// afterwards.
    var offset: Int64
    /// The number up to which messages were taken; nil when the index is built.
    var builtTo: Int64?
    /// Whether the file may still contain words of removed messages.
    var isUnclean: Bool
    /// The number up to which threads were checked for removal; nil when that is done. It is not stored: each start
    /// checks all.
    var checkedTo: Int64?
    /// There was nothing more to do.
    var isAtEnd = false

    var indexedTo: Int64 { builtTo == nil ? offset : 0 }

    private static let version: Int64 = 5

    /// Makes the tables if there are none, and returns the offset up to which the index has everything. Throws for
    /// tables of another version, which the caller then discards.
    static func begin(_ db: SQLiteConnection, rows: ReadTransaction, epoch: String) throws -> Int64 {
        let version = try db.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        if version != self.version {
            guard version == 0, try db.first("SELECT 1 FROM sqlite_master", [], { _ in true }) == nil else {
                throw OtherVersion()
            }
            try db.transaction { try db.execute(schema) }
        }
        return try read(db, rows: rows, epoch: epoch).indexedTo
    }

    struct OtherVersion: Error {}

    /// `place` orders messages by time, and is the row's id in the index. Newest first is therefore the index's own
    /// order, read backwards.
    ///
    /// `forgetting` has the place up to which a thread's messages are gone without events, because its history was
    /// reset. `scope` has the thread and its owner as words, so that a search in some threads, or in those of an account,
    /// reads no rows of others. `body` has the text as ``SearchText`` folds it: all that is left for FTS5 is to take it
    /// apart at the spaces.
    private static let schema = """
        CREATE TABLE progress (epoch TEXT NOT NULL, offset INTEGER NOT NULL, builtTo INTEGER, isUnclean INTEGER NOT NULL);
        CREATE TABLE entry (place INTEGER PRIMARY KEY, thread INTEGER NOT NULL, id TEXT NOT NULL, UNIQUE (thread, id));
        CREATE TABLE forgetting (thread INTEGER PRIMARY KEY, place INTEGER NOT NULL, isDone INTEGER NOT NULL);
        CREATE INDEX forgetting_open ON forgetting (thread) WHERE isDone = 0;
        CREATE VIRTUAL TABLE words USING fts5(scope, body, columnsize = 0, tokenize = 'ascii');
        PRAGMA user_version = \(version);
        """

    /// The stored progress. It begins anew, with an empty index, when the log is another one or has lost the next
    /// events.
    static func read(_ db: SQLiteConnection, rows: ReadTransaction, epoch: String) throws -> SearchProgress {
        let known = try db.first("SELECT epoch, offset, builtTo, isUnclean FROM progress") { row in
            (
                epoch: row.text(0),
                progress: SearchProgress(
                    offset: row.integer(1), builtTo: row.isNull(2) ? nil : row.integer(2), isUnclean: row.flag(3))
            )
        }
        let head = try rows.headOffset()
        if let known, known.epoch == epoch, known.progress.offset <= head, try !rows.isExpired(known.progress.offset) {
            return known.progress
        }
        try db.run("DELETE FROM progress")
        try db.run("DELETE FROM entry")
        try db.run("DELETE FROM words")
        try db.run("DELETE FROM forgetting")
        let anew = SearchProgress(offset: head, builtTo: 0, isUnclean: known != nil)
        try db.run(
            "INSERT INTO progress (epoch, offset, builtTo, isUnclean) VALUES (?, ?, 0, ?)",
            [.text(epoch), .integer(head), .flag(anew.isUnclean)])
        return anew
    }

    func write(_ db: SQLiteConnection) throws {
        try db.run(
            "UPDATE progress SET offset = ?, builtTo = ?, isUnclean = ?",
            [.integer(offset), .optional(builtTo), .flag(isUnclean)])
    }
}
