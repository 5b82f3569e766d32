import CSQLite
import ChatModel
import Foundation

/// The store in `parley.sqlite`, in a data folder.
///
/// One connection writes, and others read beside it. SQLite runs in WAL mode with `synchronous = FULL`: what was
/// acknowledged survives a power failure.
final class SQLiteBackend: StoreBackend {
    let feed: EventFeed
    let instance: String
    let writer: WriterThread
    let readers: SQLiteReaders
    /// The connection of ``readHere(_:)`` alone, so that the server's loop never waits for a longer read.
    let quick: SQLiteReader
    let checkpoints: Checkpoints
    let hot: HotRows
    let environment: ModelEnvironment
    let rehearses: Bool
    let trimmer: LogTrimmer
    let place: DatabasePlace
    private let path: String
    private let headFile: HeadFile
    private let birth: Int64

    var isInPlace: Bool { place.lost == nil }
    var groupLimit: Int { 256 }

    /// Opens the database of a folder that exists, or makes it, and brings an older one to today's tables.
    ///
    /// Throws ``StoreError``: for a database that is newer or damaged, and for a folder that was in use and whose
    /// database is missing or belongs to another folder.
    static func open(
        folder: String, options: StoreOptions, environment: ModelEnvironment
    ) throws -> SQLiteBackend {
        _ = memoryIsNotCounted
        let path = folder + "/parley.sqlite"
        try FolderIdentity(folder: folder).checkDatabaseIsThere()
        do {
            try checkBeforeWriting(folder: folder, path: path)
            return try SQLiteBackend(folder: folder, path: path, options: options, environment: environment)
        } catch let error as SQLiteError {
            throw StoreError.unusable(path: path, reason: error.message)
        }
    }

    /// Once in a process, before its first database. The writer, the readers and the search index would wait for each
    /// other at SQLite's lock around the count of its memory, which nobody reads.
    private static let memoryIsNotCounted: Void = { _ = csqlite_stop_counting_memory() }()

    /// Refuses a database of another folder or of a newer version. It opens the file read-only: nothing of it is changed.
    private static func checkBeforeWriting(folder: String, path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let isNewer = try openToRead(path).snapshot { db in
            try FolderIdentity(folder: folder).check(db)
            return try Schema.migrations.isSuperseded(in: db)
        }
        if isNewer { throw StoreError.newerVersion(path: path) }
    }

    private static func openToRead(_ path: String, busyTimeout: Duration = .seconds(5)) throws -> SQLiteConnection {
        try SQLiteConnection(path: path, .reading, busyTimeout: busyTimeout, endsReads: true)
    }

    private init(folder: String, path: String, options: StoreOptions, environment: ModelEnvironment) throws {
        let db = try SQLiteConnection(path: path, busyTimeout: .seconds(5), joinsWrites: true)
        try db.useWAL()
        // A commit must be on the disk before it is answered.
        // The journal of savepoints is kept in memory: by default each group would spill it into a new temporary file.
        try db.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST; PRAGMA temp_store = MEMORY")
        // A migration may change more pages than memory holds. It may spill them: it is undone as a whole or not at all.
        try Schema.prepare(db)
        // From here on no page is spilled into the WAL before the commit: SQLite (3.46, too) may lose commits in a crash
        // when a savepoint that has spilled is undone, for frames that it has written twice keep no checksum.
        try db.execute("PRAGMA cache_spill = OFF")
        let headFile = HeadFile(folder: folder)
        let restored = RestoredDatabase(headFile, path: path)
        let (epoch, instance, head, floor) = try db.transaction {
            for (name, value) in [
                ("epoch", SQLValue.text(Self.random(12, environment))),
                ("instance", .text(Self.random(8, environment))),
                ("head", .integer(0)), ("floor", .integer(0)),
            ] {
                try db.run(
                    "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", [.text(name), value])
            }
            let transaction = ReadTransaction(db: .lite(db))
            func text(_ name: String) throws -> String {
                try db.first("SELECT value FROM meta WHERE name = ?", [.text(name)]) { $0.text(0) } ?? ""
            }
            let instance = try text("instance")
            let head = try restored.leap(
                DatabaseSession.lite(db), instance: instance, head: transaction.meta("head"), at: environment.now())
            return (try text("epoch"), instance, head, try transaction.meta("floor"))
        }
        headFile.write(instance: instance, offset: head, birth: restored.birth)
        FolderIdentity(folder: folder).writeInstance(instance)
        quick = SQLiteReader(try Self.openToRead(path))
        let checkpoints = Checkpoints(path: path, step: options.checkpointStep, limit: options.checkpointLimit)
        checkpoints.follow(db)
        feed = EventFeed(epoch: epoch, head: head, floor: floor, capacity: options.ringCapacity)
        trimmer = LogTrimmer(retention: options.retention, feed: feed, environment: environment)
        try trimmer.readGaps(.lite(db))
        writer = WriterThread(db)
        readers = SQLiteReaders(limit: options.readers) { try Self.openToRead(path, busyTimeout: .seconds(10)) }
        self.instance = instance
        self.checkpoints = checkpoints
        self.environment = environment
        self.path = path
        self.headFile = headFile
        birth = restored.birth
        place = DatabasePlace(path)
        rehearses = options.rehearses
        hot = HotRows(capacity: options.hotRowsCapacity)
    }

    private static func random(_ digits: Int, _ environment: ModelEnvironment) -> String {
        String((0..<digits).map { _ in "0123456789abcdef".randomDigit(environment.random()) })
    }

    func run(_ body: @escaping @Sendable (any StoreWriter) -> Void) {
        writer.run { [self] db in body(SQLiteWriter(db: db, backend: self)) }
    }

    func readHere(_ body: (ReadTransaction) throws -> Void) throws { try quick.readIfFree(body) }

    func makeReader() throws -> any StoreReader { SQLiteReader(try Self.openToRead(path)) }

    func readAside(_ body: @escaping @Sendable (Result<ReadTransaction, any Error>) -> Void) {
        readers.read { database in body(database.map { ReadTransaction(db: .lite($0)) }) }
    }

    /// The size of the WAL file, from the file system.
    var walByteCount: Int64 {
        (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int64) ?? 0
    }

    func noteHead() { headFile.write(instance: instance, offset: feed.head, birth: birth) }

    func close() async {
        await checkpoints.close()
        // The connection that writes is the last one: SQLite removes the write-ahead log with it.
        await readers.close()
        quick.close()
        await writer.close { [self] db in
            noteHead()
            try? db.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        }
    }
}

extension String {
    /// One of its characters, by a number in 0..<1.
    fileprivate func randomDigit(_ number: Double) -> Character {
        self[index(startIndex, offsetBy: min(count - 1, Int(number * Double(count))))]
    }
}

extension ChatStore {
    /// Opens `parley.sqlite` in a folder that exists, or makes it, and brings an older one to today's tables.
    ///
    /// Throws ``StoreError``: for a database that is newer or damaged, and for a folder that was in use and whose
    /// database is missing or belongs to another folder.
    public static func open(
        folder: String, options: StoreOptions = StoreOptions(), environment: ModelEnvironment
    ) throws -> ChatStore {
        let backend = try SQLiteBackend.open(folder: folder, options: options, environment: environment)
        return ChatStore(backend: backend, folder: folder, options: options, environment: environment)
    }

    /// A connection that only reads the database of a folder, which nobody has to have opened. For tools.
    ///
    /// Throws ``StoreError`` when there is none, and for one of another version: its tables are others.
    package static func reader(folder: String) throws -> any StoreReader {
        try SQLiteReader.open(path: folder + "/parley.sqlite")
    }

    /// The store's database. For tests, which look at it and set it.
    var sqlite: SQLiteBackend {
        guard let backend = backend as? SQLiteBackend else { preconditionFailure("The store is not in SQLite.") }
        return backend
    }

    /// Runs a closure on the writer's connection, between groups. For tests.
    func onWriter<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        guard backend is SQLiteBackend else { throw ChatError(.storageFailed, "The store is not in SQLite.") }
        return try sqlite.writer.pausing { db in
            // It may change rows that the writer has kept.
            sqlite.hot.removeAll()
            return try body(db)
        }
    }

    /// Commits without fsync from now on. For tests on simulated time, which do not test power failures.
    package func skipDiskSync() throws {
        guard backend is SQLiteBackend else { return }
        try onWriter { try $0.run("PRAGMA synchronous = OFF") }
    }
}

/// A connection to the database that one reader has for itself.
final class SQLiteReader: StoreReader {
    let connection: SharedConnection

    init(_ connection: SQLiteConnection) { self.connection = SharedConnection(connection) }

    /// Opens a database to read it only. Throws ``StoreError`` when there is none, and for one of another version.
    static func open(path: String) throws -> SQLiteReader {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.unusable(path: path, reason: "there is none")
        }
        do {
            let db = try SQLiteConnection(path: path, .reading, busyTimeout: .seconds(5))
            try FolderIdentity.checkProgram(of: db, path: path)
            if try Schema.migrations.isSuperseded(in: db) { throw StoreError.newerVersion(path: path) }
            guard try Schema.migrations.isComplete(in: db) else {
                throw StoreError.unusable(
                    path: path,
                    reason: """
                        it is empty, or an older version of Parley has written it; start a gateway once, which renews it
                        """)
            }
            return SQLiteReader(db)
        } catch let error as SQLiteError {
            throw StoreError.unusable(path: path, reason: error.message)
        }
    }

    func read(_ body: (ReadTransaction) throws -> Void) throws {
        try connection.use { try $0.snapshot { try body(ReadTransaction(db: .lite($0))) } }
    }

    /// The same, if no other thread uses the connection just now; otherwise the closure is not called.
    func readIfFree(_ body: (ReadTransaction) throws -> Void) throws {
        try connection.useIfFree { try $0.snapshot { try body(ReadTransaction(db: .lite($0))) } }
    }

    func close() { connection.close() }
}
