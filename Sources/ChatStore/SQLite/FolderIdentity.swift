import Glibc
import ChatModel

/// Checks that the database and the files beside it belong together: both contain the database's instance.
///
/// With a missing database, or that of another folder, all files would seem to have no row, and the sweep would
/// remove them.
struct FolderIdentity {
    let folder: String
    private var database: String { folder + "/parley.sqlite" }
    private var file: String { folder + "/instance" }

    /// To be called before the database is opened, since opening makes a new one. Throws `StoreError.missing` when
    /// the folder was in use and its database is missing or empty.
    func checkDatabaseIsThere() throws(StoreError) {
        guard Self.size(of: database) ?? 0 == 0 else { return }
        // The folder of files is made after the database. Without both, the folder is new, or its first start was cut
        // off.
        let wasUsed =
            Self.size(of: file) != nil || Self.size(of: folder + "/files") != nil
            || Self.size(of: database + "-wal") ?? 0 > 0
        if wasUsed { throw .missing(path: database) }
    }

    /// To be called before anything is written. Throws `StoreError.foreign` when the folder names another instance,
    /// and `unusable` when its file cannot be read, or the database is one of another program. A folder that names none
    /// passes.
    func check(_ db: SQLiteConnection) throws {
        try Self.checkProgram(of: db, path: database)
        guard try db.hasTable("meta"),
            let instance = try db.first("SELECT value FROM meta WHERE name = 'instance'", [], { $0.text(0) }),
            let known = try read()
        else { return }
        if known != instance { throw StoreError.foreign(path: database, file: file) }
    }

    /// Throws `StoreError.unusable` for a database that has tables, and none of Parley's migrations.
    static func checkProgram(of db: SQLiteConnection, path: String) throws {
        let tables = try db.first("SELECT count(*) FROM sqlite_master WHERE type = 'table'", []) { $0.integer(0) } ?? 0
        guard tables > 0, try !db.hasTable("grdb_migrations") || !db.hasTable("meta") else { return }
        throw StoreError.unusable(path: path, reason: "another program has written it")
    }

    /// Writes the instance into the folder, unless it is there. A failure, such as a full disk, does not stop the
    /// start; the next start tries again.
    func writeInstance(_ instance: String) {
        guard Self.size(of: file) == nil else { return }
        try? WholeFile.write(Array((instance + "\n").utf8), to: file)
    }

    /// The instance in the folder; nil if there is none.
    func read() throws(StoreError) -> String? {
        do throws(WholeFile.Failure) {
            guard let bytes = try WholeFile.read(file, limit: 64) else { return nil }
            return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        } catch {
            throw .unusable(path: file, reason: error.reason)
        }
    }

    /// Bytes of a file; nil if there is none.
    static func size(of path: String) -> Int? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return Int(info.st_size)
    }
}

/// Looks whether the files of an open database are still where they were.
///
/// SQLite goes on writing to a file that somebody has removed or replaced: what is committed then is gone when the
/// gateway stops, though it was acknowledged.
struct DatabasePlace: Sendable {
    private struct File: Sendable, Equatable {
        /// As the system takes it, with the zero at its end: it is asked for with each group of writes.
        var path: ContiguousArray<CChar>
        var device: UInt64
        var inode: UInt64

        init?(_ path: ContiguousArray<CChar>) {
            var info = stat()
            guard path.withUnsafeBufferPointer({ stat($0.baseAddress!, &info) }) == 0 else { return nil }
            (self.path, device, inode) = (path, UInt64(info.st_dev), UInt64(info.st_ino))
        }

        var name: String { path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } }
    }

    private let files: [File]

    /// - Parameter path: of a database that is open in WAL mode, and was written to.
    init(_ path: String) { files = [path, path + "-wal"].compactMap { File($0.utf8CString) } }

    /// The file that is gone, or is another one; nil if there is none. It costs two system calls.
    var lost: String? { files.first { File($0.path) != $0 }?.name }

    /// Throws `storageFailed` for a file that is gone. When it is back, all is well again.
    func check() throws(ChatError) {
        guard let name = lost?.split(separator: "/").last else { return }
        throw ChatError(
            .storageFailed, "The file \(name) was moved, replaced or deleted while the gateway uses it. Put it back.")
    }
}
