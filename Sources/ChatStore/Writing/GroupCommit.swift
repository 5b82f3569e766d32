import ChatModel
import Dispatch
import GRDB
import Synchronization

/// The one writer. Units of work that wait at the same time are committed together, with one fsync.
///
/// A unit that fails undoes only itself, and is answered after the commit that contains it, as all are. When SQLite has
/// given up the transaction (disk full, I/O error), every unit of the group fails.
///
/// A savepoint for each unit would copy every page that the unit changes, and units seldom fail after a change. So a
/// group of units that may be run twice runs without. If one of them does fail after a change, all is rolled back, and
/// the group runs again with savepoints.
final class GroupCommit: Sendable {
    /// What a unit needs to be run and answered.
    struct Unit: Sendable {
        /// Whether the unit touches nothing but its transaction, so that running it again does no harm.
        var isRepeatable = false
        let run: @Sendable (WriteTransaction) throws -> Void
        /// Called once, on the writer's thread, after commit (nil) or failure.
        let finish: @Sendable (ChatError?) -> Void
    }

    private struct State {
        var queue = WriteQueue<Unit>()
        var isRunning = false
        /// A look at what is due in the background is scheduled.
        var isWaking = false
        /// Somebody asked to have the log trimmed.
        var isTrimAsked = false
        /// The last group failed on storage; cleared by one that was committed.
        var hasFailed = false
    }

    private let pool: DatabasePool
    private let feed: EventFeed
    private let invalidate: @Sendable (Set<Int64>) -> Void
    private let files: FileStore
    private let environment: ModelEnvironment
    private let state = Mutex(State())
    private let timer = DispatchQueue(label: "commit")
    let counters = WriteCounters()
    private let trimmer: LogTrimmer
    let checkpoints: Checkpoints
    let hot = HotRows()

    init(
        pool: DatabasePool, feed: EventFeed, environment: ModelEnvironment,
        invalidate: @escaping @Sendable (Set<Int64>) -> Void, files: FileStore, trimmer: LogTrimmer,
        checkpoints: Checkpoints
    ) {
        self.pool = pool
        self.feed = feed
        self.environment = environment
        self.invalidate = invalidate
        self.files = files
        self.trimmer = trimmer
        self.checkpoints = checkpoints
    }

    /// Adds a unit, and starts the writer if it is idle. Any thread may call it. After ``close()`` the unit fails
    /// with `shuttingDown`.
    ///
    /// - Parameter inBackground: nobody waits for the unit; see ``WriteQueue``.
    func submit(_ unit: Unit, inBackground: Bool = false) {
        let (refused, start) = state.withLock { state in
            if state.queue.isClosed { return (true, false) }
            state.queue.add(unit, inBackground: inBackground, now: .now)
            defer { state.isRunning = true }
            return (false, !state.isRunning)
        }
        if refused { return unit.finish(ChatError(.shuttingDown, "The gateway is stopping.")) }
        if start { pool.asyncWriteWithoutTransaction { db in self.drain(db) } }
    }

    /// Starts the writer if units wait and it is idle.
    private func resume() {
        let start = state.withLock { state in
            state.isWaking = false
            guard !state.isRunning, !state.queue.isEmpty else { return false }
            state.isRunning = true
            return true
        }
        if start { pool.asyncWriteWithoutTransaction { db in self.drain(db) } }
    }

    /// Whether the last group could not be stored, or the writer is closed.
    var isInDoubt: Bool { state.withLock { $0.hasFailed || $0.queue.isClosed } }

    /// Makes the writer trim the log after the next group, due or not.
    func askToTrim() { state.withLock { $0.isTrimAsked = true } }
    var waitingUnitCount: Int { state.withLock { $0.queue.count } }

    /// Refuses units from now on; those already waiting are still committed.
    func close() {
        state.withLock { $0.queue.isClosed = true }
        resume()
    }

    private func drain(_ db: Database) {
        while true {
            let (group, wakeAt) = state.withLock { state in
                let group = state.queue.next(now: .now)
                guard group.isEmpty else { return (group, ContinuousClock.Instant?.none) }
                state.isRunning = false
                guard let due = state.queue.backgroundDue, !state.isWaking else { return (group, nil) }
                state.isWaking = true
                return (group, due)
            }
            if let wakeAt { wake(at: wakeAt) }
            if group.isEmpty { return }
            commit(group, in: db)
            trim(db)
            checkpoints.moveRest(db, isIdle: state.withLock { $0.queue.isEmpty })
        }
    }

    private func wake(at time: ContinuousClock.Instant) {
        let delay = ContinuousClock.now.duration(to: time) / .microseconds(1)
        timer.asyncAfter(deadline: .now() + .microseconds(Int(max(0, delay)) + 1)) { [weak self] in self?.resume() }
    }

    /// Trims one batch after a group, or all of it while no unit waits.
    private func trim(_ db: Database) {
        let isAsked = state.withLock { state in
            defer { state.isTrimAsked = false }
            return state.isTrimAsked
        }
        // A failure is no loss: the rows stay, and the next group tries again.
        guard (try? trimmer.trim(db, isAsked: isAsked)) == true else { return }
        while state.withLock({ $0.queue.isEmpty && !$0.queue.isClosed }), (try? trimmer.trim(db)) == true {}
    }

    private func commit(_ group: [Unit], in db: Database) {
        var transaction = WriteTransaction(db: db, hot: hot, cursor: feed.headCursor, environment: environment)
        var failures: [ChatError?] = []
        let start = ContinuousClock.now
        do {
            try db.run("BEGIN IMMEDIATE")
            if group.allSatisfy(\.isRepeatable), let outcomes = try runTogether(group, in: transaction) {
                failures = outcomes
            } else {
                if !db.isInsideTransaction {
                    transaction = WriteTransaction(
                        db: db, hot: hot, cursor: feed.headCursor, environment: environment)
                    try db.run("BEGIN IMMEDIATE")
                }
                for unit in group { failures.append(try run(unit, in: transaction)) }
            }
            try transaction.writeHead()
            try db.run("COMMIT")
        } catch {
            if db.isInsideTransaction { try? db.rollback() }
            hot.removeAll()
            let failure = ChatError(storage: error)
            state.withLock { $0.hasFailed = true }
            for unit in group { unit.finish(failure) }
            return
        }
        state.withLock { $0.hasFailed = false }
        counters.count(units: group.count, duration: start.duration(to: .now))
        invalidate(transaction.touchedThreads)
        files.remove(transaction.discardedFiles)
        feed.append(transaction.events, head: transaction.head, scrubbed: transaction.scrubbed)
        for (unit, failure) in zip(group, failures) { unit.finish(failure) }
    }

    /// Runs the units without savepoints. Returns the failure of each; nil when one has failed after a change, and all
    /// is rolled back. Throws when the whole transaction is lost.
    private func runTogether(_ group: [Unit], in transaction: WriteTransaction) throws -> [ChatError?]? {
        var failures: [ChatError?] = []
        failures.reserveCapacity(group.count)
        for unit in group {
            transaction.begin()
            do {
                try unit.run(transaction)
                failures.append(nil)
            } catch {
                if (error as? DatabaseError)?.isStorageFailure == true { throw error }
                guard !transaction.hasChanges else {
                    try transaction.db.run("ROLLBACK")
                    hot.removeAll()
                    return nil
                }
                hot.undo()
                failures.append(error as? ChatError ?? ChatError(storage: error))
            }
        }
        return failures
    }

    /// Runs one unit in a savepoint. Returns its own failure; throws when the whole transaction is lost.
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

/// How much was committed, for metrics. Any thread may read it.
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
