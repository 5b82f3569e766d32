import CSQLite
import ChatModel
import Formats

/// Sees whether the database of a data folder was put back from a backup since a gateway has used it last, and takes care
/// that no offset is given out twice then.
///
/// Two rows of `meta` help. `marked` says that the folder had the file `head`: a database with it in a folder without the
/// file was put there. `copied` stands in backups that Parley made.
///
/// To take a database for restored that is not does little harm: the head leaps, all cursors stay valid, and webhooks are
/// told of a range in which they have got nothing.
struct RestoredDatabase {
    /// What the folder says.
    let known: HeadFile.Content?
    /// When the database's file was made; see ``HeadFile/Content``.
    let birth: Int64

    /// - Parameter path: of the database, which is there.
    init(_ file: HeadFile, path: String) {
        known = file.read()
        birth = csqlite_birth(path)
    }

    /// Moves the head beyond all offsets that may have been given out, if the database was restored. Returns the log's head.
    /// In the transaction of the opening.
    func leap(_ db: Session, instance: String, head: Int64, at time: Timestamp) throws -> Int64 {
        let meta = ReadTransaction(db: db)
        let isRestored = try isRestored(
            instance: instance, head: head, isMarked: meta.meta("marked") != 0, isCopied: meta.meta("copied") != 0)
        try db.run("INSERT INTO meta (name, value) VALUES ('marked', 1) ON CONFLICT (name) DO NOTHING")
        guard isRestored else { return head }
        let lost = LostOffsets(after: head, known: known?.offset ?? 0, at: time)
        for (sql, values) in lost.statements(at: time, tellsWebhooks: true) { try db.run(sql, values) }
        try db.run("UPDATE meta SET value = ? WHERE name = 'head'", [.integer(lost.high)])
        try db.run("DELETE FROM meta WHERE name = 'copied'")
        return lost.high
    }

    private func isRestored(instance: String, head: Int64, isMarked: Bool, isCopied: Bool) -> Bool {
        // Also where the head is 0: what was given out after an empty database was copied is lost with its offsets.
        guard !isCopied, let known else { return isCopied || isMarked }
        let isAnotherFile = known.birth != birth && known.birth != 0 && birth != 0
        return known.instance != instance || head < known.offset || isAnotherFile
    }
}
