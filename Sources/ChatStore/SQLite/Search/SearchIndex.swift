import CSQLite
import ChatModel
import Dispatch
import Foundation
import Synchronization

/// The words of all messages, in a database of its own (`search.sqlite`, FTS5) that follows the log like any other
/// reader. It stands in the data folder whatever engine has the messages: it reads them through a ``StoreReader``.
///
/// It works on its own connections and thread, a moment behind the log, so that no send waits for it; while the
/// processors are busy, it falls behind (``WorkThread``). Each transaction also stores how far it has come. The index
/// is rebuilt from the messages when it is missing, belongs to another log, or is so far behind that the log has lost
/// events.
///
/// The index only tells where to look. Whether a reader may see a message, and its text, come from the rows. When the
/// index is damaged it reports that once and does nothing more: see ``LazySearch``.
final class SearchIndex: Sendable {
    let writer: SharedConnection
    let readers: SQLiteReaders
    let epoch: String
    private let path: String
    private let feed: EventFeed
    /// The rows, for the thread that follows the log.
    private let rows: any StoreReader
    private let searchers: SearchReaders
    /// Only keeps the time.
    private let timer = DispatchQueue(label: "search")
    private let thread = WorkThread("search", niceness: 10)
    private let state: Mutex<State>
    private let onDamage: @Sendable (SearchIndex) -> Void

    private struct State {
        /// The offset up to which the index has everything; 0 while it is built.
        var indexedTo: Int64 = 0
        var isScheduled = false
        var isClosed = false
        var isDamaged = false
        /// The number up to which threads were checked for removal; nil when there is nothing to check.
        var checkedTo: Int64? = 0
        /// All threads are to be looked at once more.
        var mayKeepRemoved = false
        /// Failed steps in a row.
        var failures = 0
        var subscription: Subscription?
        var lastCleaning: ContinuousClock.Instant?
        var isCleaningScheduled = false
        /// Whether the index was up to date at least once since it was opened.
        var hasReachedEnd = false
    }

    /// The pause before a step, so that many sends are indexed in one transaction.
    private static let delay = DispatchTimeInterval.milliseconds(100)
    /// How long steps follow one another at least, and the pause after that. A step keeps a snapshot of the database. Only
    /// while nobody does can its WAL start anew, which takes a few commits (``Checkpoints``).
    private static let pause = Duration.milliseconds(30)
    /// The pause between two rewritings of the index, which take removed words out of it.
    private static let cleaningInterval = Duration.seconds(600)

    /// Opens `search.sqlite` beside the database, and begins to follow the log. Throws `storageFailed`.
    ///
    /// - Parameters:
    ///   - discarding: deletes the existing index first.
    ///   - onDamage: called at most once, when the index cannot go on.
    init(
        folder: String, source: any SearchSource, discarding: Bool = false,
        onDamage: @escaping @Sendable (SearchIndex) -> Void
    ) throws(ChatError) {
        path = folder + "/search.sqlite"
        feed = source.feed
        self.onDamage = onDamage
        if discarding { Self.discard(path) }
        epoch = feed.epoch
        do {
            rows = try source.makeReader()
        } catch {
            throw ChatError(storage: error)
        }
        do {
            let (writer, offset) = try Self.open(path, rows: rows, epoch: feed.epoch)
            self.writer = SharedConnection(writer)
            readers = SQLiteReaders(limit: SearchReaders.limit) { [path] in
                try SQLiteConnection(path: path, .reading, busyTimeout: .seconds(10), endsReads: true)
            }
            searchers = SearchReaders(source: source)
            state = Mutex(State(indexedTo: offset))
        } catch {
            rows.close()
            throw ChatError(storage: error)
        }
        let subscription = feed.subscribe { [weak self] events in
            if events.isEmpty || events.contains(where: { $0.offset != nil }) { self?.schedule() }
        }
        state.withLock { $0.subscription = subscription }
        schedule()
    }

    private static func open(
        _ path: String, rows: any StoreReader, epoch: String
    ) throws -> (SQLiteConnection, Int64) {
        func attempt() throws -> (SQLiteConnection, Int64) {
            let db = try SQLiteConnection(path: path, busyTimeout: .seconds(5))
            try db.useWAL()
            // A power failure may undo the newest commits of the index. It reads those events from the log again.
            try db.execute("PRAGMA synchronous = NORMAL")
            return (db, try rows.reading { try SearchProgress.begin(db, rows: $0, epoch: epoch) })
        }
        do {
            return try attempt()
        } catch let error where error is SQLiteError || error is SearchProgress.OtherVersion {
            // Of another version, or no database at all. All of it can be had again. Where the rows could not be
            // reached, the index is kept.
            discard(path)
            return try attempt()
        }
    }

    /// Calls the closure with one snapshot of the index and one of the rows, on a thread that may wait.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection, ReadTransaction) throws -> T
    ) async throws -> T {
        try await ReadStop.reading { stop in
            try await readers.reading { [searchers] db in
                try stop.watching { try searchers.reading { try body(db, $0) } }
            }
        }
    }

    /// Removes what is there, a folder of the same name as well.
    private static func discard(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// The place in the log up to which searches find everything.
    var indexedTo: ChatModel.Cursor { ChatModel.Cursor(epoch: epoch, offset: state.withLock { $0.indexedTo }) }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether it has been up to date since it was opened.
    var hasReachedEnd: Bool { state.withLock { $0.hasReachedEnd } }

    /// Makes the index look for news in 100 ms, unless that is scheduled already. Any thread may call it.
    func schedule() {
        let isDue = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled && !state.isClosed
        }
        guard isDue else { return }
        timer.asyncAfter(deadline: .now() + Self.delay) { [weak self] in
            guard let self else { return }
            thread.run { [weak self] in
                guard let self else { return }
                state.withLock { $0.isScheduled = false }
                if !advance() { schedule() }
            }
        }
    }

    /// Makes the index look for removed threads soon. Some removals have no event in the log.
    func forgetRemovedThreads() {
        state.withLock { $0.mayKeepRemoved = true }
        schedule()
    }

    /// Where the next step goes on to look for threads that are gone.
    private func nextCheck() -> Int64? {
        state.withLock { state in
            if state.mayKeepRemoved { (state.checkedTo, state.mayKeepRemoved) = (0, false) }
            return state.checkedTo
        }
    }

    /// Returns when everything that is committed now is in the index.
    func catchUp() async {
        await withCheckedContinuation { continuation in
            thread.run { [self] in
                advance()
                continuation.resume()
            }
        }
    }

    /// Takes batch after batch up to the log's end, on the thread. Returns false when it must be scheduled again.
    @discardableResult
    private func advance() -> Bool {
        var lastPause = ContinuousClock.now
        do {
            while !state.withLock({ $0.isClosed || $0.isDamaged }) {
                let check = nextCheck()
                let step = try writer.use { db in
                    try db.transaction {
                        try rows.reading {
                            try SearchBatch(
                                index: db, rows: $0, epoch: epoch, checkedTo: check, isOver: { [self] in isClosed }
                            ).run()
                        }
                    }
                }
                state.withLock { ($0.indexedTo, $0.failures, $0.checkedTo) = (step.indexedTo, 0, step.checkedTo) }
                if step.isAtEnd {
                    state.withLock { $0.hasReachedEnd = true }
                    if step.isUnclean { return try cleanIfDue() }
                    return true
                }
                if ContinuousClock.now - lastPause > Self.pause {
                    usleep(UInt32(Self.pause / .microseconds(1)))
                    lastPause = .now
                }
            }
            return true
        } catch is SearchBatch.Over {
            return true
        } catch {
            if judge(error) { return true }
            sleepAfterFailure()
            return false
        }
    }

    /// Judges a failure: one that means damage is reported, once, to `onDamage`. Returns whether it means damage.
    ///
    /// - Parameter isReading: the failure is that of a search, whose own expression may be the cause.
    @discardableResult
    func judge(_ error: any Error, isReading: Bool = false) -> Bool {
        guard let error = error as? SQLiteError else { return false }
        let isDamaged =
            switch error.primaryCode {
            case SQLITE_CORRUPT, SQLITE_NOTADB: true
            // A table is missing: somebody has put another database there.
            case SQLITE_ERROR: !isReading
            // A single such failure may be an accident.
            case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY:
                state.withLock { state in
                    state.failures += 1
                    return state.failures >= 2
                }
            default: false
            }
        guard isDamaged else {
            if isReading { schedule() }
            return false
        }
        let isNews = state.withLock { state in
            defer { state.isDamaged = true }
            return !state.isDamaged && !state.isClosed
        }
        if isNews { onDamage(self) }
        return true
    }

    /// Waits half a second: a cause such as a full disk does not go away at once.
    private func sleepAfterFailure() { usleep(500_000) }

    /// Cleans the index, now or when the interval is over. SQLite 3.40 keeps the words of deleted rows until their
    /// segment is merged (`secure-delete` came with 3.42).
    private func cleanIfDue() throws -> Bool {
        let now = ContinuousClock.now
        let rest = state.withLock { state -> Duration in
            let rest = state.lastCleaning.map { Self.cleaningInterval - (now - $0) } ?? .zero
            if rest <= .zero { state.lastCleaning = now }
            return rest
        }
        if rest > .zero { cleanLater(after: rest) } else { try clean() }
        return true
    }

    /// Schedules the cleaning, so that it takes place even if nothing else happens until then.
    private func cleanLater(after rest: Duration) {
        let isNews = state.withLock { state in
            defer { state.isCleaningScheduled = true }
            return !state.isCleaningScheduled
        }
        guard isNews else { return }
        timer.asyncAfter(deadline: .now() + .seconds(Int(rest.components.seconds) + 1)) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isCleaningScheduled = false }
            schedule()
        }
    }

    /// Rewrites the index in small steps, so that no words of removed messages are left in it. After a close in
    /// between, the next start does it again.
    func clean() throws {
        var pages = -64
        while true {
            if isClosed { return }
            let changes = try writer.use { db in
                let before = db.totalChangesCount
                try db.transaction {
                    try db.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", [.integer(Int64(pages))])
                }
                return db.totalChangesCount - before
            }
            if changes < 2 { break }
            pages = 64
        }
        try writer.use { db in
            try db.run("UPDATE progress SET isUnclean = 0")
            try db.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Ends the running step and undoes it; the next start does it again. While the processors are busy, the thread
    /// might need a minute to finish it.
    func close() async {
        let subscription = state.withLock { state in
            state.isClosed = true
            return state.subscription.take()
        }
        subscription?.cancel()
        await withCheckedContinuation { continuation in thread.run { continuation.resume() } }
        await readers.close()
        writer.close()
        rows.close()
        searchers.close()
    }
}
