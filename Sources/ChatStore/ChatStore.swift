import Bounds
import ChatModel
import Synchronization

/// Limits of memory and of the log that a store is opened with.
public struct StoreOptions: Sendable {
    /// How long the event log is kept.
    public var retention = Retention()
    /// How much one account may keep.
    public var quotas = AccountQuotas()
    /// Bytes of events kept in memory for streams.
    public var ringCapacity = ByteBound.ring.bytes
    /// Bytes of message pages kept in memory.
    public var pageCacheCapacity = ByteBound.pages.bytes
    /// Bytes of rows that the writer keeps from one group of units to the next.
    public var hotRowsCapacity = ByteBound.hotRows.bytes
    /// Connections for ``ChatStore/read(_:)``; more reads than this wait.
    public var readers = 4
    /// Every unit of work runs, is undone, and runs again. It shows that units may run twice, as they must where a
    /// commit can fail for reasons that pass. For tests.
    public var rehearses = false
    /// How long the writer waits for more units, by the time that a commit took; see ``CommitGathering``.
    var gatheringTime: @Sendable (_ commit: Duration) -> Duration = CommitGathering.time
    /// See ``Checkpoints``; in pages.
    var checkpointStep = 4000
    var checkpointLimit = 32_000

    public init() {}
}

/// The rows, the event log and those who follow it, on the database of one engine (``StoreBackend``).
///
/// One writer commits units in groups (see ``write(inBackground:isRepeatable:reading:_:)``), and readers run beside it.
/// Every function may be called from any task, except where it says otherwise.
///
/// ```swift
/// func names(in store: ChatStore) async throws {
///     let news = store.feed.subscribe { events in print(events.count, "events") }
///     let count = try await store.write { transaction in
///         // All changes of a unit and their events commit together.
///         try transaction.threadCount(of: 1)
///     }
///     print(count, store.feed.head)
///     news.cancel()
/// }
/// ```
public final class ChatStore: Sendable {
    /// The stream of committed events. Everything that reacts to changes subscribes here.
    public let feed: EventFeed
    /// 8 hexadecimal digits that are drawn when the database is made. They tell two databases apart.
    public let instance: String
    public let environment: ModelEnvironment
    private let keptForAccounts: Mutex<AccountQuotas>
    package let backend: any StoreBackend
    let writer: GroupCommit
    /// How often the database could not be used.
    public let errors = StorageErrorCounts()
    let pages: PageCache
    let files: FileStore
    let search: LazySearch
    private let hearing = Mutex<(@Sendable () -> DeedHearer)?>(nil)

    package init(backend: any StoreBackend, folder: String, options: StoreOptions, environment: ModelEnvironment) {
        let pages = PageCache(capacity: options.pageCacheCapacity)
        files = FileStore(folder: folder + "/files")
        search = LazySearch(folder: folder, source: backend)
        writer = GroupCommit(
            backend: backend, invalidate: pages.invalidate, files: files, errors: errors,
            gatheringTime: options.gatheringTime)
        feed = backend.feed
        instance = backend.instance
        keptForAccounts = Mutex(options.quotas)
        self.backend = backend
        self.pages = pages
        self.environment = environment
        backend.start { threads in
            if let threads { pages.invalidate(threads) } else { pages.invalidateAll() }
        }
    }

    /// How much one account may keep. The services check it before they insert; the store itself refuses nothing. Any
    /// thread may change it. A smaller value deletes nothing.
    public var quotas: AccountQuotas {
        get { keptForAccounts.withLock { $0 } }
        set { keptForAccounts.withLock { $0 = newValue } }
    }

    /// How long events stay in the log. Any thread may change it; what is too old then goes with ``trim()``.
    public var retention: Retention {
        get { backend.trimmer.retention }
        set { backend.trimmer.retention = newValue }
    }

    /// Lets one hearer follow what each unit of ``write(inBackground:isRepeatable:reading:_:)`` does, and add to the
    /// unit. There must be none before it.
    ///
    /// - Parameter hearing: makes the hearer for one unit. It is called in the task that writes, before the unit runs.
    public func hear(_ hearing: @escaping @Sendable () -> DeedHearer) {
        self.hearing.withLock { known in
            assert(known == nil, "Somebody hears already, and would hear no more.")
            known = hearing
        }
    }

    /// Runs a unit of work on the writer's thread, and returns when it is committed and on the disk.
    ///
    /// Units that wait at the same time share one transaction and one fsync. A unit that throws is undone alone.
    /// Readers see nothing of a unit, and no event of it is told, before the commit. A unit must not wait for
    /// anything: all other units wait for it.
    ///
    /// Throws what the unit throws; `storageFull`, `storageUnavailable` or `storageFailed` when the group could not be
    /// committed; `shuttingDown` after ``close()``.
    ///
    /// - Parameters:
    ///   - inBackground: for work that nobody waits for. It lets other units go first, but is not put off forever: see
    ///     ``WriteQueue``.
    ///   - isRepeatable: the unit touches nothing but its transaction, and may run twice. It is cheaper then.
    ///   - reads: what the unit is going to read. It saves round trips where each query is one.
    public func write<T: Sendable>(
        inBackground: Bool = false, isRepeatable: Bool = false, reading reads: [WantedRows] = [],
        _ unit: @escaping @Sendable (WriteTransaction) throws -> T
    ) async throws(ChatError) -> T {
        let (act, hearer) = (Self.act, hearing.withLock { $0 }?())
        let result: Result<T, ChatError> = await withCheckedContinuation { continuation in
            let box = ResultBox<T>()
            writer.submit(
                GroupCommit.Unit(
                    isRepeatable: isRepeatable, reads: reads,
                    run: { transaction in
                        box.value = try transaction.run(heardBy: hearer, unit)
                        try act?.record(in: transaction)
                    },
                    finish: { failure in
                        if let value = box.value, failure == nil {
                            act?.settle()
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
        return try await aside { try $0.replay(audiences, after: offset, limit: bytes, epoch: epoch) }.get()
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

    /// Why no commit succeeds now, in words for whoever may ask; nil if one does. For the readiness probe: it makes a small
    /// commit only after a failure, so it costs no fsync in normal operation.
    public func writeFault() async -> String? {
        guard backend.isInPlace else { return "The database is not where it was when the gateway started." }
        guard writer.isInDoubt else { return nil }
        do {
            try await write { try $0.probe() }
            return nil
        } catch {
            return error.detail
        }
    }

    /// Deletes what retention no longer keeps, in batches between groups. To be called about once a minute.
    ///
    /// It frees memory too: events that were in the ring at the last call already, and pages that nobody has read
    /// since then. And it notes how far the log goes, so that a restored database is seen.
    public func trim() async {
        feed.forgetOld()
        pages.forgetOld()
        writer.askToTrim()
        _ = try? await write { _ in }
        backend.run { [backend] _ in backend.noteHead() }
    }

    /// The figures of this moment. It reads the WAL file's size from the file system.
    public var statistics: StoreStatistics {
        StoreStatistics(
            commits: writer.counters.commits, units: writer.counters.units, commitSeconds: writer.counters.seconds,
            walByteCount: backend.walByteCount, ringByteCount: feed.ringByteCount, network: backend.networkFigures)
    }

    /// Commits the units that wait, moves the WAL into the database file, and closes everything. Later units throw
    /// `shuttingDown`.
    public func close() async {
        writer.close()
        await search.close()
        await backend.close()
        await files.finish()
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
    /// Nil on a database without a network.
    public var network: StoreNetworkFigures?
}

/// Figures of a database behind a network, counted since the store was opened.
public struct StoreNetworkFigures: Sendable {
    /// Time that the writer has waited until no other gateway wrote.
    public var lockWaitSeconds: Double
    /// Time that the writer has kept other gateways out.
    public var lockHeldSeconds: Double
    /// Times that the writer has waited for an answer.
    public var roundTrips: Int
    /// Groups that were undone for a reason that passes, and were run again.
    public var repeatedGroups: Int
    /// Times that the follower has asked for commits of other gateways.
    public var followerReads: Int
    /// Connections that were made anew because one had ended.
    public var reconnects: Int

    package init(
        lockWaitSeconds: Double, lockHeldSeconds: Double, roundTrips: Int, repeatedGroups: Int, followerReads: Int,
        reconnects: Int
    ) {
        self.lockWaitSeconds = lockWaitSeconds
        self.lockHeldSeconds = lockHeldSeconds
        self.roundTrips = roundTrips
        self.repeatedGroups = repeatedGroups
        self.followerReads = followerReads
        self.reconnects = reconnects
    }
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
