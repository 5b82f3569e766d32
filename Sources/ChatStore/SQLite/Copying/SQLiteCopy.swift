import ChatModel
import Foundation
import Glibc

extension CopiedTable {
    /// The tables of today, as SQLite's schema has them.
    package static func all() throws -> [CopiedTable] {
        let db = try SQLiteConnection()
        try db.execute(Schema.tables)
        let names = try db.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'meta'"
        ) { $0.text(0) }
        return try names.map { name in
            CopiedTable(
                name: name,
                columns: try db.all("/* schema */ SELECT name, type FROM pragma_table_info(?)", [.text(name)]) {
                    Column(name: $0.text(0), kind: try Kind(sqlite: $0.text(1)))
                })
        }
    }
}

extension CopiedTable.Kind {
    fileprivate init(sqlite type: String) throws {
        switch type {
        case "INTEGER": self = .integer
        case "TEXT": self = .text
        case "BLOB": self = .blob
        default: throw ChatError(.storageFailed, "A column of the type \(type) cannot be copied.")
        }
    }
}

/// The database of a data folder, to be copied.
package final class SQLiteExport: StoreExport {
    private let reader: any StoreReader
    private let files: FilePlace

    /// Throws ``StoreError`` when there is no database, and for one of another version.
    package init(folder: String) throws {
        reader = try ChatStore.reader(folder: folder)
        files = .folder(folder + "/files")
    }

    package func image() throws -> StoreImage {
        try reader.reading { rows in
            var image = StoreImage(epoch: "", instance: "", head: try rows.headOffset(), floor: try rows.meta("floor"))
            try rows.db.query("SELECT name, value FROM meta", []) { row in
                switch row.text(0) {
                case "epoch": image.epoch = row.text(1)
                case "instance": image.instance = row.text(1)
                case let name where StoreImage.ownNames.contains(name): break
                case let name: image.meta[name] = row.integer(1)
                }
                return true
            }
            for table in StoreImage.numberedTables {
                image.lastNumbers[table] = try rows.db.first(rows.db.lastNumberQuery(table)) { $0.integer(0) } ?? 0
            }
            return image
        }
    }

    package func rows(of table: CopiedTable, above floor: Int64, _ body: ([SQLValue]) throws -> Void) throws {
        try reader.read { rows in
            try rows.db.query(table.selection(above: floor), []) { row in
                try body(row.values(of: table))
                return true
            }
        }
    }

    package func files(after last: String?) throws -> (files: [KeptFile], next: String?) {
        try reader.reading { try $0.keptFiles(after: last) }
    }

    package func pieces(of file: KeptFile) throws -> ((Int64) throws -> [UInt8]?)? {
        try reader.reading { try $0.pieces(of: file, in: files) }
    }

    package func close() { reader.close() }
}

extension SQLRow {
    /// The row's values; its columns are the table's.
    func values(of table: CopiedTable) -> [SQLValue] {
        zip(Int32(0)..., table.columns).map { index, column in
            guard !isNull(index) else { return .null }
            return switch column.kind {
            case .integer: .integer(integer(index))
            case .text: .text(text(index))
            case .blob: .blob(blob(index))
            }
        }
    }
}

/// A new database in a data folder, which a copy fills. It has another name until it is complete and on the disk.
package final class SQLiteImport: StoreImport {
    private let folder: String
    private let path: String
    private let draft: String
    private let db: SQLiteConnection
    private var instance = ""
    private var isOpen = true

    /// Throws ``StoreError`` when the folder has a database, and ``StoreCopyError`` when it has had one.
    ///
    /// - Parameter instance: of the source. A folder whose database was this one may get it again.
    package init(folder: String, instance: String) throws {
        self.folder = folder
        path = folder + "/parley.sqlite"
        draft = folder + "/copying.sqlite"
        // A reader leaves an empty log behind.
        let log = FolderIdentity.size(of: path + "-wal") ?? 0
        guard FolderIdentity.size(of: path) == nil, log == 0 else {
            throw StoreError.unusable(path: path, reason: "it is there, and a copy needs a folder without one")
        }
        if let known = try FolderIdentity(folder: folder).read(), known != instance {
            throw StoreCopyError.refused(
                "The folder \(folder) has had another store: its files are still there. Choose an empty folder.")
        }
        // An earlier copy was cut off.
        Self.remove(draft)
        db = try SQLiteConnection(path: draft)
        do {
            // A draft that was cut off is removed, so it needs no journal.
            try db.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536")
            try Schema.prepare(db)
            // The transaction lasts as long as the copy.
            try db.run("BEGIN IMMEDIATE")
        } catch {
            close()
            throw error
        }
    }

    private func write<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        // Whoever copies may go from thread to thread.
        db.takeOver()
        do {
            return try body(db)
        } catch let error as SQLiteError {
            // Its text may have the row's values.
            throw StoreError.unusable(path: draft, reason: error.summary)
        }
    }

    package func insert(_ row: [SQLValue], into table: CopiedTable) throws {
        try write { try $0.run(table.insertion(of: 1), row) }
    }

    package var filePlace: FilePlace { .folder(files) }
    private var files: String { folder + "/files" }

    /// Writes the file to its place. Until the database has its name, nobody knows of it.
    package func storeFile(_ file: KeptFile, _ piece: (Int64) throws -> [UInt8]?) throws {
        try Self.write(file, into: files, piece)
    }

    /// Writes a file's pieces into a folder, which is made if there is none, and returns when they are on the disk. Throws
    /// ``StoreError``.
    static func write(_ file: KeptFile, into files: String, _ piece: (Int64) throws -> [UInt8]?) throws {
        // The id becomes a name.
        guard !file.id.isEmpty, !file.id.utf8.contains(UInt8(ascii: "/")), !file.id.hasPrefix(".") else { return }
        mkdir(files, 0o700)
        let path = "\(files)/\(file.id)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.unusable(path: path, reason: String(cString: strerror(errno))) }
        defer { Glibc.close(descriptor) }
        var number: Int64 = 0
        while let bytes = try piece(number) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw StoreError.unusable(path: path, reason: String(cString: strerror(errno)))
                }
                rest = rest.dropFirst(count)
            }
            number += 1
        }
        guard fsync(descriptor) == 0 else {
            throw StoreError.unusable(path: path, reason: String(cString: strerror(errno)))
        }
    }

    package func finish(_ image: StoreImage) throws {
        instance = image.instance
        try write { db in
            var meta: [(String, SQLValue)] = [
                ("epoch", .text(image.epoch)), ("instance", .text(image.instance)), ("head", .integer(image.head)),
                ("floor", .integer(image.floor)),
            ]
            for (name, value) in image.meta { meta.append((name, .integer(value))) }
            for (name, value) in meta {
                try db.run("INSERT INTO meta (name, value) VALUES (?, ?)", [.text(name), value])
            }
            for (table, number) in image.lastNumbers where number > 0 {
                try db.run("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
                try db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .integer(number)])
            }
        }
    }

    package func rows(of table: CopiedTable, _ body: ([SQLValue]) throws -> Void) throws {
        try write { db in
            try db.query(table.selection(above: .min), []) { row in
                try body(row.values(of: table))
                return true
            }
        }
    }

    package func read(_ body: (ReadTransaction) throws -> Void) throws {
        try write { try body(ReadTransaction(db: .lite($0))) }
    }

    package func commit() throws {
        try write { try $0.run("COMMIT") }
        isOpen = false
        db.close()
        if access(files, F_OK) == 0 { try Self.synchronize(files) }
        try Self.synchronize(draft)
        // The folder may have been that of another engine's store, or of this one before.
        try HeadFile(folder: folder).remove()
        guard rename(draft, path) == 0 else {
            throw StoreError.unusable(path: path, reason: String(cString: strerror(errno)))
        }
        try Self.synchronize(folder)
        FolderIdentity(folder: folder).writeInstance(instance)
    }

    package func close() {
        guard isOpen else { return }
        isOpen = false
        db.close()
        Self.remove(draft)
    }

    /// Returns when a file or a folder is on the disk. Throws ``StoreError``.
    static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { Glibc.close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw StoreError.unusable(path: path, reason: String(cString: strerror(errno)))
        }
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}
