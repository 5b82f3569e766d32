import ChatModel
import Foundation
import GRDB

/// What the store is opened with.
public struct StoreOptions: Sendable {
    public var retention = Retention()
    /// Bytes of events kept in memory for streams.
    public var ringCapacity = 32 << 20
    /// Bytes of message pages kept in memory.
    public var pageCacheCapacity = 32 << 20
    public var readers = 4

    public init() {}
}

/// The database: rows, the event log and who reads it.
///
/// One writer commits units in groups (see ``write(_:)``); readers run beside it. SQLite
/// in WAL mode with `synchronous = FULL`: what was acknowledged survives a power cut.
public final class ChatStore: Sendable {
    /// Where everybody watches what changed.
    public let feed: EventFeed
    /// 8 hexadecimal digits, made with the database.
    public let instance: String
    public let environment: ModelEnvironment
    let pool: DatabasePool
    /// The lane of ``readNow(_:)``: the server's loop never waits behind a longer read.
    let quick: DatabaseQueue
    let writer: GroupCommit
    let pages: PageCache
    let files: FileStore
    let search: LazySearch
    private let path: String

    /// Opens or makes `parley.sqlite` in a folder that exists. Throws ``StoreError``, also for a folder in use whose database
    /// is missing or another's.
    public static func open(folder: String, options: StoreOptions = StoreOptions(), environment: ModelEnvironment) throws -> ChatStore {
        let path = folder + "/parley.sqlite"
        try FolderIdentity(folder: folder).checkDatabaseIsThere()
        do {
            try checkBeforeWriting(folder: folder, path: path)
            return try ChatStore(folder: folder, path: path, options: options, environment: environment)
        } catch let error as DatabaseError {
            throw StoreError.unusable(path: path, reason: error.message ?? "\(error.resultCode)")
        }
    }

    /// Refuses a database of another folder or of a newer version by reading it: to open a pool writes to the file.
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
        // GRDB sets NORMAL when it opens a pool; a commit must be on the disk before it is answered.
        // What undoes a unit within a group is kept in memory: by default it spills into a temporary file, made anew in each group.
        try pool.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST; PRAGMA temp_store = MEMORY")
        }
        try Schema.prepare(pool)
        let (epoch, instance, head, floor) = try pool.write { db in
            for (name, value) in [
                ("epoch", SQLValue.text(Self.random(12, environment))), ("instance", .text(Self.random(8, environment))),
                ("head", .integer(0)), ("floor", .integer(0)),
            ] {
                try db.run("INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)", [.text(name), value])
            }
            let transaction = ReadTransaction(db: db)
            func text(_ name: String) throws -> String {
                try db.first("SELECT value FROM meta WHERE name = ?", [.text(name)]) { $0.text(0) } ?? ""
            }
            return (try text("epoch"), try text("instance"), try transaction.meta("head"), try transaction.meta("floor"))
        }
        FolderIdentity(folder: folder).note(instance)
        quick = try Self.openToRead(path)
        let feed = EventFeed(epoch: epoch, head: head, floor: floor, capacity: options.ringCapacity)
        let pages = PageCache(capacity: options.pageCacheCapacity)
        files = FileStore(folder: folder + "/files")
        search = LazySearch(folder: folder, feed: feed)
        writer = GroupCommit(
            pool: pool, feed: feed, environment: environment, invalidate: pages.invalidate,
            files: files, trimmer: LogTrimmer(retention: options.retention, feed: feed, environment: environment))
        self.feed = feed
        self.pages = pages
        self.instance = instance
        self.environment = environment
        self.path = path
    }

    private static func random(_ digits: Int, _ environment: ModelEnvironment) -> String {
        String((0..<digits).map { _ in "0123456789abcdef".randomDigit(environment.random()) })
    }

    /// Runs a unit of work on the writer, and returns once it is committed.
    ///
    /// Units that wait together share one transaction and one fsync; each is undone by
    /// itself when it throws. Nothing of it is visible to readers, and no event of it is
    /// told, before the commit.
    ///
    /// - Parameter inBackground: nobody waits for it: units for which somebody does go first, at least for a while.
    public func write<T: Sendable>(
        inBackground: Bool = false, _ unit: @escaping @Sendable (WriteTransaction) throws -> T
    ) async throws(ChatError) -> T {
        let result: Result<T, ChatError> = await withCheckedContinuation { continuation in
            let box = ResultBox<T>()
            writer.submit(
                GroupCommit.Unit(
                    run: { box.value = try unit($0) },
                    finish: { failure in
                        if let value = box.value, failure == nil {
                            continuation.resume(returning: .success(value))
                        } else {
                            continuation.resume(returning: .failure(failure ?? ChatError(.storageFailed, "A unit left no result.")))
                        }
                    }),
                inBackground: inBackground)
        }
        return try result.get()
    }

    /// One bounded step of the log for these audiences, read off the calling thread. Throws ``CursorExpired``.
    public func replay(_ audiences: [Audience], after offset: Int64, limit bytes: Int) async throws -> LogReplay {
        let epoch = feed.epoch
        return try await pool.read { try ReadTransaction(db: $0).replay(audiences, after: offset, limit: bytes, epoch: epoch) }
    }

    /// The receipt of an Idempotency-Key, if it was given in the last 24 hours.
    public func receipt(scope: String) async throws(ChatError) -> StoredReceipt? {
        let oldest = environment.now().advanced(byMilliseconds: -Receipt.lifetimeInMilliseconds)
        return try await read { try $0.receipt(scope: scope, notBefore: oldest) }
    }

    /// Keeps a receipt for work that was no unit of the store.
    public func record(_ receipt: Receipt, outcome: Outcome) async throws(ChatError) {
        try await write { try $0.record(receipt, outcome) }
    }

    /// Whether a commit goes through now: a readiness probe.
    ///
    /// Writes only after a failure, so that asking costs no fsync while all is well.
    public func isWritable() async -> Bool {
        guard writer.isInDoubt else { return true }
        do {
            try await write { try $0.probe() }
            return true
        } catch {
            return false
        }
    }

    /// Deletes what retention no longer keeps, in batches between groups; call it once a minute or so.
    ///
    /// Memory is given back too: of events that were there at the last call already, and of pages that nobody has read since.
    public func trim() async {
        feed.forgetOld()
        pages.forgetOld()
        writer.askToTrim()
        _ = try? await write { _ in }
    }

    /// Runs on the writer's connection, between groups: tests look at it and set it.
    func onWriter<T>(_ body: (Database) throws -> T) throws -> T { try pool.writeWithoutTransaction(body) }

    /// Commits no longer wait for the disk: for tests on simulated time, where nothing is about power cuts.
    package func skipDiskSync() throws { try onWriter { try $0.run("PRAGMA synchronous = OFF") } }

    public var statistics: StoreStatistics {
        let size = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int64) ?? 0
        return StoreStatistics(
            commits: writer.counters.commits, units: writer.counters.units, commitSeconds: writer.counters.seconds,
            walByteCount: size, ringByteCount: feed.ringByteCount)
    }

    /// Commits what waits, folds the WAL into the database and closes. Nothing can be written afterwards.
    public func close() async {
        writer.close()
        await search.close()
        try? await pool.barrierWriteWithoutTransaction { db in
            _ = try db.checkpoint(.truncate)
        }
        await files.finish()
        try? quick.close()
        try? pool.close()
    }
}

/// Figures about the store, since it was opened.
public struct StoreStatistics: Sendable {
    public var commits: Int
    /// Units of work in those commits.
    public var units: Int
    public var commitSeconds: Double
    public var walByteCount: Int64
    public var ringByteCount: Int
}

/// Carries a unit's result from the writer's thread; `run` and `finish` follow each other there.
private final class ResultBox<T: Sendable>: @unchecked Sendable {  // touched by the writer's thread alone
    var value: T?
}

extension ChatError {
    public static func unknownThread(_ id: String) -> ChatError {
        ChatError(.unknownThread, "The account has no thread \(id).")
    }

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
