import CSQLite
import ChatModel
import Formats

/// A copy of a data folder's database and files, made while a gateway uses them.
///
/// The database is copied as it is at one moment (`VACUUM INTO`), which holds no writer up. The copy says of itself that it is
/// one, so that a gateway that is started on it gives no offset out again; see ``RestoredDatabase``. The files that it names
/// are copied after it: a file never changes. It may be gone with its message by then.
package struct SQLiteBackup {
    private let folder: String
    private let target: String

    /// - Parameters:
    ///   - folder: the data folder.
    ///   - target: an empty folder, which becomes a data folder.
    package init(of folder: String, in target: String) { (self.folder, self.target) = (folder, target) }

    /// What was copied.
    package struct Outcome: Sendable {
        package var files = 0
        /// Files that are gone, mostly because their messages were removed meanwhile.
        package var missing = 0
    }

    /// Makes the copy, and returns when it is on the disk. Throws ``StoreError``, for a full disk too. The database must be of
    /// this version.
    package func run() throws -> Outcome {
        let path = target + "/parley.sqlite"
        do {
            try copyDatabase(to: path)
        } catch let error as SQLiteError {
            throw StoreError.unusable(path: path, reason: error.message)
        }
        // SQLite does not wait for the disk here.
        let outcome = try copyFiles()
        try SQLiteImport.synchronize(path)
        try SQLiteImport.synchronize(target)
        return outcome
    }

    private func copyDatabase(to path: String) throws {
        let source = try SQLiteConnection(path: folder + "/parley.sqlite", .reading, busyTimeout: .seconds(5))
        try source.run("VACUUM INTO ?", [.text(path)])
        let copy = try SQLiteConnection(path: path)
        try copy.run("INSERT INTO meta (name, value) VALUES ('copied', 1) ON CONFLICT (name) DO NOTHING")
    }

    private func copyFiles() throws -> Outcome {
        var outcome = Outcome()
        let reader = try ChatStore.reader(folder: target)
        defer { reader.close() }
        let source = FilePlace.folder(folder + "/files")
        var last: String?
        repeat {
            let found = try reader.reading { try $0.keptFiles(after: last) }
            for file in found.files {
                guard let piece = try reader.reading({ try $0.pieces(of: file, in: source) }) else {
                    outcome.missing += 1
                    continue
                }
                try SQLiteImport.write(file, into: target + "/files", piece)
                outcome.files += 1
            }
            last = found.next
        } while last != nil
        return outcome
    }
}

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
    func leap(_ db: DatabaseSession, instance: String, head: Int64, at time: Timestamp) throws -> Int64 {
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
