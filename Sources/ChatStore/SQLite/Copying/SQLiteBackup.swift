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
