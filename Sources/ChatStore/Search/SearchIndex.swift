import ChatModel
import Dispatch
import Foundation
import GRDB
import Synchronization

/// The words of all messages, in a database of their own: one more reader of the log.
///
/// It follows the log a moment behind, on its own connection and thread, so that no send waits for it, and
/// keeps how far it has come in the transaction that got it there. When it is missing, of another log, or
/// so far behind that the log has forgotten, it is built anew from the messages. What it holds decides
/// only where to look: whether a reader may see a message, and what it says, comes from the rows. When it is damaged it
/// says so once, and does nothing more: see ``LazySearch``.
final class SearchIndex: Sendable {
    let pool: DatabasePool
    let epoch: String
    private let path: String
    private let feed: EventFeed
    private let queue = DispatchQueue(label: "search")
    private let state: Mutex<State>
    private let onDamage: @Sendable (SearchIndex) -> Void

    private struct State {
        /// The index has everything up to here; 0 while it is being built.
        var indexedTo: Int64 = 0
        var isScheduled = false
        var isClosed = false
        var isDamaged = false
        /// Up to which thread it was looked whether they are there still; nil when nothing is to be looked for.
        var checkedTo: Int64? = 0
        /// All threads are to be looked at once more.
        var mayKeepRemoved = false
        /// Failed steps since the last that went well.
        var failures = 0
        var subscription: Subscription?
        var lastCleaning: ContinuousClock.Instant?
        var isCleaningScheduled = false
        /// Since it was opened the index has been up to date once.
        var hasReachedEnd = false
    }

    /// How long news wait for others, so that many sends are one transaction.
    private static let delay = DispatchTimeInterval.milliseconds(100)
    /// Between two rewritings of the index that take removed words out of it.
    private static let cleaningInterval = Duration.seconds(600)

    /// Opens `search.sqlite` beside the database, and begins to follow. Throws `storageFailed`.
    ///
    /// - Parameters:
    ///   - discarding: whether what is there is of no use.
    ///   - onDamage: told once, when the index cannot go on.
    init(
        folder: String, feed: EventFeed, discarding: Bool = false, onDamage: @escaping @Sendable (SearchIndex) -> Void
    ) throws(ChatError) {
        path = folder + "/search.sqlite"
        self.feed = feed
        self.onDamage = onDamage
        if discarding { Self.discard(path) }
        epoch = feed.epoch
        do {
            let (pool, offset) = try Self.open(path, database: folder + "/parley.sqlite", epoch: feed.epoch)
            self.pool = pool
            state = Mutex(State(indexedTo: offset))
        } catch {
            throw ChatError(storage: error)
        }
        let subscription = feed.subscribe { [weak self] events in
            if events.isEmpty || events.contains(where: { $0.offset != nil }) { self?.schedule() }
        }
        state.withLock { $0.subscription = subscription }
        schedule()
    }

    private static func open(_ path: String, database: String, epoch: String) throws -> (DatabasePool, Int64) {
        func attempt() throws -> (DatabasePool, Int64) {
            var configuration = Configuration()
            configuration.maximumReaderCount = 2
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { db in try db.execute(sql: "ATTACH DATABASE ? AS chat", arguments: [database]) }
            let pool = try DatabasePool(path: path, configuration: configuration)
            return (pool, try pool.writeWithoutTransaction { try SearchProgress.begin($0, epoch: epoch) })
        }
        if let opened = try? attempt() { return opened }
        // Of another version, or no database at all. All of it can be had again.
        discard(path)
        return try attempt()
    }

    /// Removes what is there, a folder of the same name as well.
    private static func discard(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    /// How far the log is in the index.
    var indexedTo: ChatModel.Cursor { ChatModel.Cursor(epoch: epoch, offset: state.withLock { $0.indexedTo }) }

    /// Whether it has been up to date since it was opened.
    var hasReachedEnd: Bool { state.withLock { $0.hasReachedEnd } }

    /// Looks for news in a moment, if nobody has asked for that yet.
    func schedule() {
        let isDue = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled && !state.isClosed
        }
        guard isDue else { return }
        queue.asyncAfter(deadline: .now() + Self.delay) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isScheduled = false }
            if !advance() { schedule() }
        }
    }

    /// Forgets threads that are gone, in a moment: of some no event tells.
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

    /// Returns once everything that is committed now is in the index.
    func catchUp() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                advance()
                continuation.resume()
            }
        }
    }

    /// Batch after batch up to the log's end. On the queue. Returns whether it got there.
    @discardableResult
    private func advance() -> Bool {
        do {
            while !state.withLock({ $0.isClosed || $0.isDamaged }) {
                let step = try pool.writeWithoutTransaction { db in
                    var step: SearchProgress?
                    // Deferred: an immediate transaction would lock the attached database as well, and stop all sends.
                    try db.inTransaction(.deferred) {
                        step = try SearchBatch(db: db, epoch: epoch, checkedTo: nextCheck()).run()
                        return .commit
                    }
                    return step
                }
                guard let step else { return false }
                state.withLock { ($0.indexedTo, $0.failures, $0.checkedTo) = (step.indexedTo, 0, step.checkedTo) }
                if step.isAtEnd {
                    state.withLock { $0.hasReachedEnd = true }
                    if step.isUnclean { return try cleanIfDue() }
                    return true
                }
            }
            return true
        } catch {
            if note(error) { return true }
            sleepAfterFailure()
            return false
        }
    }

    /// Sees whether a failure means that the index is damaged, and says so.
    ///
    /// - Parameter isReading: of a search: what it asked may be to blame too.
    @discardableResult
    func note(_ error: any Error, isReading: Bool = false) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        let isDamaged = switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: true
        // A table is missing: somebody has put another database there.
        case .SQLITE_ERROR: !isReading
        // Once may be chance.
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY: state.withLock { state in
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

    /// What failed once, a full disk above all, fails again at once: there is time.
    private func sleepAfterFailure() { usleep(500_000) }

    /// SQLite 3.40 keeps the words of what was deleted until their segment is merged away (`secure-delete` came with 3.42).
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

    /// Sees to it when it is due, even if nothing else happens until then.
    private func cleanLater(after rest: Duration) {
        let isNews = state.withLock { state in
            defer { state.isCleaningScheduled = true }
            return !state.isCleaningScheduled
        }
        guard isNews else { return }
        queue.asyncAfter(deadline: .now() + .seconds(Int(rest.components.seconds) + 1)) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isCleaningScheduled = false }
            schedule()
        }
    }

    /// Rewrites the index in small steps, so that nothing of removed messages is left in it. When it is closed meanwhile, the
    /// next start begins anew.
    func clean() throws {
        var pages = -64
        while true {
            if state.withLock({ $0.isClosed }) { return }
            let changes = try pool.writeWithoutTransaction { db in
                let before = db.totalChangesCount
                try db.inTransaction(.deferred) {
                    try db.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", [.integer(Int64(pages))])
                    return .commit
                }
                return db.totalChangesCount - before
            }
            if changes < 2 { break }
            pages = 64
        }
        try pool.writeWithoutTransaction { db in
            try db.run("UPDATE progress SET isUnclean = 0")
            try db.run("PRAGMA main.wal_checkpoint(TRUNCATE)")
        }
    }

    func close() async {
        let subscription = state.withLock { state in
            state.isClosed = true
            return state.subscription.take()
        }
        subscription?.cancel()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        try? pool.close()
    }
}
