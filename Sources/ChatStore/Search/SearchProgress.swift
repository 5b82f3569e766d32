import ChatModel
import GRDB

/// How far the index has come.
struct SearchProgress {
    /// Everything of the log up to here is in the index; while it is built from the messages, where to follow from then.
    var offset: Int64
    /// Messages up to this number are in; nil when the building is done.
    var builtTo: Int64?
    /// Words of removed messages may be left in it.
    var isUnclean: Bool
    /// Up to which thread it was looked whether they are there still; nil when that is done. It is not stored: each start looks.
    var checkedTo: Int64?
    /// There was nothing more to do.
    var isAtEnd = false

    var indexedTo: Int64 { builtTo == nil ? offset : 0 }

    private static let version: Int64 = 3

    /// The tables, if they are not there, and how far they have come. Throws if they are of another version.
    static func begin(_ db: Database, epoch: String) throws -> Int64 {
        let version = try db.first("PRAGMA main.user_version") { $0.integer(0) } ?? 0
        if version != self.version {
            guard version == 0, try db.first("SELECT 1 FROM main.sqlite_master", [], { _ in true }) == nil else { throw OtherVersion() }
            try db.inTransaction(.deferred) {
                try db.execute(sql: schema)
                return .commit
            }
        }
        return try read(db, epoch: epoch).indexedTo
    }

    struct OtherVersion: Error {}

    /// `place` orders messages by time, and is the row's id in the index: newest first is the index's own order, read backwards.
    ///
    /// `forgetting` says up to which place a thread's messages are gone without an event of their own: its history was reset.
    /// `scope` holds the thread as a word, so that a search in few threads meets no others' rows.
    private static let schema = """
        CREATE TABLE progress (epoch TEXT NOT NULL, offset INTEGER NOT NULL, builtTo INTEGER, isUnclean INTEGER NOT NULL);
        CREATE TABLE entry (place INTEGER PRIMARY KEY, thread INTEGER NOT NULL, id TEXT NOT NULL, UNIQUE (thread, id));
        CREATE TABLE forgetting (thread INTEGER PRIMARY KEY, place INTEGER NOT NULL, isDone INTEGER NOT NULL);
        CREATE INDEX forgetting_open ON forgetting (thread) WHERE isDone = 0;
        CREATE VIRTUAL TABLE words USING fts5(scope, body, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');
        PRAGMA main.user_version = \(version);
        """

    /// Begins anew when the log is another, or has forgotten what comes next.
    static func read(_ db: Database, epoch: String) throws -> SearchProgress {
        let known = try db.first("SELECT epoch, offset, builtTo, isUnclean FROM progress") { row in
            (epoch: row.text(0), progress: SearchProgress(
                offset: row.integer(1), builtTo: row.isNull(2) ? nil : row.integer(2), isUnclean: row.flag(3)))
        }
        let chat = ReadTransaction(db: db)
        let head = try chat.headOffset()
        if let known, known.epoch == epoch, known.progress.offset >= (try chat.meta("floor")), known.progress.offset <= head {
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

    func write(_ db: Database) throws {
        try db.run(
            "UPDATE progress SET offset = ?, builtTo = ?, isUnclean = ?",
            [.integer(offset), .optional(builtTo), .flag(isUnclean)])
    }
}
