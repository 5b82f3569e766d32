import ChatModel
import Foundation
import GRDB

/// Limits of memory and of the log that a store is opened with.
public struct StoreOptions: Sendable {
    /// How long the event log is kept.
    public var retention = Retention()
    /// Bytes of events kept in memory for streams.
    public var ringCapacity = 32 << 20
    /// Bytes of message pages kept in memory.
    public var pageCacheCapacity = 32 << 20
    /// Connections for ``ChatStore/read(_:)``; more reads than this wait.
    public var readers = 4
    /// See ``Checkpoints``; in pages.
    var checkpointStep = 4000
    var checkpointLimit = 32_000

    public init() {}
}

/// The database of a data folder: the rows, the event log and those who follow it.
///
/// One writer commits units in groups (see ``write(inBackground:_:)``), and readers run beside it. SQLite runs in WAL
/// mode with `synchronous = FULL`: what was acknowledged survives a power failure. Every function may be called from
/// any task, except where it says otherwise.
public final class ChatStore: Sendable {
    /// The stream of committed events. Everything that reacts to changes subscribes here.
    public let feed: EventFeed
    /// 8 hexadecimal digits that are drawn when the database is made. They tell two databases apart.
    public let instance: String
    public let environment: ModelEnvironment
    let pool: DatabasePool
    /// The connection of ``readNow(_:)`` alone, so that the server's loop never waits for a longer read.
    let quick: DatabaseQueue
    let writer: GroupCommit
    let pages: PageCache
    let files: FileStore
    let search: LazySearch
    private let path: String

    /// Opens `parley.sqlite` in a folder that exists, or makes it, and brings an older one to today's tables.
    ///
    /// Throws ``StoreError``: for a database that is newer or damaged, and for a folder that was in use and whose
    /// database is missing or belongs to another folder.
    public static func open(
        folder: String, options: StoreOptions = StoreOptions(), environment: ModelEnvironment
    ) throws -> ChatStore {
        let path = folder + "/parley.sqlite"
        try FolderIdentity(folder: folder).checkDatabaseIsThere()
        do {
            try checkBeforeWriting(folder: folder, path: path)
            return try ChatStore(folder: folder, path: path, options: options, environment: environment)
        } catch let error as DatabaseError {
            throw StoreError.unusable(path: path, reason: error.message ?? "\(error.resultCode)")
        }
    }

    /// Refuses a database of another folder or of a newer version. It opens the file read-only, because opening a
    /// pool already writes to it.
    private static func checkBeforeWriting(folder: String, path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let queue = try openToRead(path)
        try queue.read(FolderIdentity(folder: folder).check)
        if try queue.read(Schema.migrations.hasBeenSuperseded) { throw StoreError.newerVersion(path: path) }
        try queue.close()
    }

    private static func openToRead(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private init(folder: String, path: String, options: StoreOptions, environment: ModelEnvironment) throws {
        var configuration = Configuration()
        configuration.maximumReaderCount = options.readers
        configuration.busyMode = .timeout(5)
        pool = try DatabasePool(path: path, configuration: configuration)
        // GRDB sets NORMAL when it opens a pool, but a commit must be on the disk before it is answered.
        // The journal of savepoints is kept in memory: by default each group would spill it into a new temporary file.
        try pool.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST; PRAGMA temp_store = MEMORY")
        }
        try Schema.prepare(pool)
        let (epoch, instance, head, floor) = try pool.write { db in
            for (name, value) in [
                ("epoch", SQLValue.text(Self.random(12, environment))),
                ("instance", .text(Self.random(8, environment))),
                ("head", .integer(0)), ("floor", .integer(0)),
            ] {
                try db.run(
                    "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", [.text(name), value])
            }
            let transaction = ReadTransaction(db: db)
            func text(_ name: String) throws -> String {
                try db.first("SELECT value FROM meta WHERE name = ?", [.text(name)]) { $0.text(0) } ?? ""
            }
            return (
                try text("epoch"), try text("instance"), try transaction.meta("head"), try transaction.meta("floor")
            )
        }
        FolderIdentity(folder: folder).note(instance)
        quick = try Self.openToRead(path)
        let checkpoints = Checkpoints(path: path, step: options.checkpointStep, limit: options.checkpointLimit)
        pool.writeWithoutTransaction { checkpoints.follow($0) }
        let feed = EventFeed(epoch: epoch, head: head, floor: floor, capacity: options.ringCapacity)
        let pages = PageCache(capacity: options.pageCacheCapacity)
        files = FileStore(folder: folder + "/files")
        search = LazySearch(folder: folder, feed: feed)
        writer = GroupCommit(
            pool: pool, feed: feed, environment: environment, invalidate: pages.invalidate,
            files: files, trimmer: LogTrimmer(retention: options.retention, feed: feed, environment: environment),
            checkpoints: checkpoints)
        self.feed = feed
        self.pages = pages
        self.instance = instance
        self.environment = environment
        self.path = path
    }

    private static func random(_ digits: Int, _ environment: ModelEnvironment) -> String {
        String((0..<digits).map { _ in "0123456789abcdef".randomDigit(environment.random()) })
    }

    /// Runs a unit of work on the writer's thread, and returns when it is committed and on the disk.
    ///
    /// Units that wait at the same time share one transaction and one fsync. A unit that throws is undone alone.
    /// Readers see nothing of a unit, and no event of it is told, before the commit. A unit must not wait for
    /// anything: all other units wait for it.
    ///
    /// Throws what the unit throws; `storageFull` or `storageFailed` when the group could not be committed;
    /// `shuttingDown` after ``close()``.
    ///
    /// - Parameters:
    ///   - inBackground: for work that nobody waits for. It lets other units go first, but is not put off forever: see
    ///     ``WriteQueue``.
    ///   - isRepeatable: the unit touches nothing but its transaction, and may run twice. It is cheaper then.
    public func write<T: Sendable>(
        inBackground: Bool = false, isRepeatable: Bool = false,
        _ unit: @escaping @Sendable (WriteTransaction) throws -> T
    ) async throws(ChatError) -> T {
        let result: Result<T, ChatError> = await withCheckedContinuation { continuation in
            let box = ResultBox<T>()
            writer.submit(
                GroupCommit.Unit(
                    isRepeatable: isRepeatable,
                    run: { box.value = try unit($0) },
                    finish: { failure in
                        if let value = box.value, failure == nil {
                            continuation.resume(returning: .success(value))
                        } else {
                            continuation.resume(
                                returning: .failure(
                                    failure
                                        ?? ChatError(.storageFailed, "A write to the database ended without a result."))
                            )
                        }
                    }),
                inBackground: inBackground)
        }
        return try result.get()
    }

    /// One bounded step through the log for these audiences, read off the calling thread. Events come in the log's
    /// order; repeat from `through` until it reaches the head. Throws ``CursorExpired`` for an offset below the log's
    /// floor.
    public func replay(_ audiences: [Audience], after offset: Int64, limit bytes: Int) async throws -> LogReplay {
        let epoch = feed.epoch
        return try await pool.read {
            try ReadTransaction(db: $0).replay(audiences, after: offset, limit: bytes, epoch: epoch)
        }
    }

    /// The receipt that was stored for an `Idempotency-Key` in the last 24 hours; nil if there is none.
    public func receipt(scope: String) async throws(ChatError) -> StoredReceipt? {
        let oldest = environment.now().advanced(byMilliseconds: -Receipt.lifetimeInMilliseconds)
        return try await read { try $0.receipt(scope: scope, notBefore: oldest) }
    }

    /// Stores a receipt for work that was not a unit of the store, in a unit of its own.
    public func record(_ receipt: Receipt, outcome: Outcome) async throws(ChatError) {
        try await write { try $0.record(receipt, outcome) }
    }

    /// Whether a commit succeeds now. For the readiness probe: it makes a small commit only after a failure, so it
    /// costs no fsync in normal operation.
    public func isWritable() async -> Bool {
        guard writer.isInDoubt else { return true }
        do {
            try await write { try $0.probe() }
            return true
        } catch {
            return false
        }
    }

    /// Deletes what retention no longer keeps, in batches between groups. To be called about once a minute.
    ///
    /// It frees memory too: events that were in the ring at the last call already, and pages that nobody has read
    /// since then.
    public func trim() async {
        feed.forgetOld()
        pages.forgetOld()
        writer.askToTrim()
        _ = try? await write { _ in }
    }

    /// Runs a closure on the writer's connection, between groups. For tests, which look at it and set it.
    func onWriter<T>(_ body: (Database) throws -> T) throws -> T {
        try pool.writeWithoutTransaction { db in
            // It may change rows that the writer has kept.
            writer.hot.removeAll()
            return try body(db)
        }
    }

    /// Commits without fsync from now on. For tests on simulated time, which do not test power failures.
    package func skipDiskSync() throws { try onWriter { try $0.run("PRAGMA synchronous = OFF") } }

    /// The figures of this moment. It reads the WAL file's size from the file system.
    public var statistics: StoreStatistics {
        let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int64) ?? 0
        return StoreStatistics(
            commits: writer.counters.commits, units: writer.counters.units, commitSeconds: writer.counters.seconds,
            walByteCount: size, ringByteCount: feed.ringByteCount)
    }

    /// Commits the units that wait, moves the WAL into the database file, and closes everything. Later units throw
    /// `shuttingDown`.
    public func close() async {
        writer.close()
        await search.close()
        await writer.checkpoints.close()
        try? await pool.barrierWriteWithoutTransaction { db in
            _ = try db.checkpoint(.truncate)
        }
        await files.finish()
        try? quick.close()
        try? pool.close()
    }
}

/// Figures for metrics, counted since the store was opened. Sizes are in bytes.
public struct StoreStatistics: Sendable {
    /// Groups that were committed; each is one transaction and one fsync.
    public var commits: Int
    /// Units of work in those commits.
    public var units: Int
    /// Time that the writer has spent in transactions.
    public var commitSeconds: Double
    public var walByteCount: Int64
    public var ringByteCount: Int
}

/// Carries a unit's result from `run` to `finish`. The writer's thread calls both, one after the other.
private final class ResultBox<T: Sendable>: @unchecked Sendable {  // touched by the writer's thread alone
    var value: T?
}

extension ChatError {
    /// For a thread that the account does not have, or may not see.
    public static func unknownThread(_ id: String) -> ChatError {
        ChatError(.unknownThread, "The account has no thread \(id).")
    }

    /// For a message that is not in the thread, was removed, or is out of sight for the reader.
    public static func unknownMessage(_ id: String) -> ChatError {
        ChatError(.unknownMessage, "The thread has no message \(id).")
    }
}

extension String {
    /// One of its characters, by a number in 0..<1.
    fileprivate func randomDigit(_ number: Double) -> Character {
        self[index(startIndex, offsetBy: min(count - 1, Int(number * Double(count))))]
    }
}
