import ChatModel
import GRDB
import Synchronization

/// The one writer: units of work that wait together are committed together.
///
/// Each unit runs in a savepoint, so that one that fails undoes only itself. A unit's
/// answer is given after the COMMIT that holds it, one fsync for the whole group. When
/// SQLite has given up the transaction (disk full, I/O error), the whole group fails.
final class GroupCommit: Sendable {
    /// What a unit needs to be run and answered.
    struct Unit: Sendable {
        let run: @Sendable (WriteTransaction) throws -> Void
        /// Called once, on the writer's thread, after commit (nil) or failure.
        let finish: @Sendable (ChatError?) -> Void
    }

    private struct Queue {
        var units: [Unit] = []
        var isRunning = false
        var isClosed = false
        /// Somebody asked to have the log trimmed.
        var isTrimAsked = false
        /// The last group failed on storage; cleared by one that was committed.
        var hasFailed = false
    }

    /// Units in one commit at most: bounds what a failing commit takes with it, and how long the first waits.
    private static let groupLimit = 256

    private let pool: DatabasePool
    private let feed: EventFeed
    private let invalidate: @Sendable (Set<Int64>) -> Void
    private let files: FileStore
    private let environment: ModelEnvironment
    private let queue = Mutex(Queue())
    let counters = WriteCounters()
    private let trimmer: LogTrimmer

    init(
        pool: DatabasePool, feed: EventFeed, environment: ModelEnvironment,
        invalidate: @escaping @Sendable (Set<Int64>) -> Void, files: FileStore, trimmer: LogTrimmer
    ) {
        self.pool = pool
        self.feed = feed
        self.environment = environment
        self.invalidate = invalidate
        self.files = files
        self.trimmer = trimmer
    }

    func submit(_ unit: Unit) {
        let (refused, start) = queue.withLock { queue in
            if queue.isClosed { return (true, false) }
            queue.units.append(unit)
            defer { queue.isRunning = true }
            return (false, !queue.isRunning)
        }
        if refused { return unit.finish(ChatError(.shuttingDown, "The gateway is stopping.")) }
        if start { pool.asyncWriteWithoutTransaction { db in self.drain(db) } }
    }

    /// The last group could not be stored, or none is taken any more.
    var isInDoubt: Bool { queue.withLock { $0.hasFailed || $0.isClosed } }

    /// After the next group the log is trimmed, due or not.
    func askToTrim() { queue.withLock { $0.isTrimAsked = true } }
    var waitingUnitCount: Int { queue.withLock { $0.units.count } }

    /// Refuses units from now on; those already waiting are still committed.
    func close() { queue.withLock { $0.isClosed = true } }

    private func drain(_ db: Database) {
        while true {
            let group = queue.withLock { queue -> [Unit] in
                let count = min(queue.units.count, Self.groupLimit)
                if count == 0 { queue.isRunning = false }
                defer { queue.units.removeFirst(count) }
                return Array(queue.units.prefix(count))
            }
            if group.isEmpty { return }
            commit(group, in: db)
            trim(db)
        }
    }

    /// A batch of what retention no longer keeps, after a group; all of it while nobody waits.
    private func trim(_ db: Database) {
        let isAsked = queue.withLock { queue in
            defer { queue.isTrimAsked = false }
            return queue.isTrimAsked
        }
        // A failure is no loss: the rows stay, and the next group tries again.
        guard (try? trimmer.trim(db, isAsked: isAsked)) == true else { return }
        while queue.withLock({ $0.units.isEmpty && !$0.isClosed }), (try? trimmer.trim(db)) == true {}
    }

    private func commit(_ group: [Unit], in db: Database) {
        let transaction = WriteTransaction(db: db, cursor: feed.headCursor, environment: environment)
        var failures = [ChatError?](repeating: nil, count: group.count)
        let start = ContinuousClock.now
        do {
            try db.beginTransaction(.immediate)
            for (index, unit) in group.enumerated() {
                failures[index] = try run(unit, in: transaction)
            }
            try transaction.writeHead()
            try db.commit()
        } catch {
            if db.isInsideTransaction { try? db.rollback() }
            let failure = ChatError(storage: error)
            queue.withLock { $0.hasFailed = true }
            for unit in group { unit.finish(failure) }
            return
        }
        queue.withLock { $0.hasFailed = false }
        counters.count(units: group.count, duration: start.duration(to: .now))
        invalidate(transaction.touchedThreads)
        files.remove(transaction.discardedFiles)
        feed.append(transaction.events, head: transaction.head, scrubbed: transaction.scrubbed)
        for (unit, failure) in zip(group, failures) { unit.finish(failure) }
    }

    /// Returns the unit's own failure; throws when the transaction is gone, or cannot be trusted.
    private func run(_ unit: Unit, in transaction: WriteTransaction) throws -> ChatError? {
        try transaction.savepoint()
        do {
            try unit.run(transaction)
            try transaction.release()
            return nil
        } catch {
            if (error as? DatabaseError)?.isStorageFailure == true { throw error }
            try transaction.rollBack()
            return error as? ChatError ?? ChatError(storage: error)
        }
    }
}

/// How much was committed; read by metrics.
public final class WriteCounters: Sendable {
    private let state = Mutex((commits: 0, units: 0, seconds: 0.0))

    public var commits: Int { state.withLock { $0.commits } }
    public var units: Int { state.withLock { $0.units } }
    /// Time spent in transactions, commit included.
    public var seconds: Double { state.withLock { $0.seconds } }

    func count(units: Int, duration: Duration) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        state.withLock {
            $0.commits += 1
            $0.units += units
            $0.seconds += seconds
        }
    }
}
