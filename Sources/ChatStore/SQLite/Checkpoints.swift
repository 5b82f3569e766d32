import CSQLite
import Dispatch
import Synchronization

/// Moves what is committed from the WAL into the database file.
///
/// By itself SQLite does that inside of a commit, which then waits for two more fsyncs. Here it is done beside the
/// writer, on a connection of its own, each time the WAL has grown by ``step`` pages.
///
/// SQLite begins the WAL again from its start with the next commit, if all of it was moved and nobody reads it. While
/// commits follow each other without a pause, some pages are always left to be moved. The writer moves these pages in
/// a pause, when no unit waits. When the WAL has ``limit`` pages, the writer moves them after each commit. So the WAL
/// has a bound, unless somebody reads one old snapshot all the time.
///
/// A failure is no loss: the pages stay in the WAL, and the next try takes them.
///
/// `@unchecked Sendable`: the connection belongs to the queue alone.
final class Checkpoints: @unchecked Sendable {
    /// In pages of 4 KiB. The more commits are moved together, the fewer pages are written.
    let step: Int
    let limit: Int

    private struct State {
        /// How many pages the WAL had after the last commit.
        var length = 0
        /// The length at which pages are moved beside the writer.
        var next = 0
        /// The length at which the writer moves the rest while no unit waits.
        var rest = 0
        var isRunning = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let path: String
    private let queue = DispatchQueue(label: "checkpoint")
    private var connection: SQLiteConnection?

    init(path: String, step: Int, limit: Int) {
        self.path = path
        self.step = step
        self.limit = limit
        state.withLock { ($0.next, $0.rest) = (step, step) }
    }

    /// How many pages the WAL had after the last commit.
    var length: Int { state.withLock { $0.length } }

    /// Takes the place of SQLite's own checkpoints after the commits of this connection. It must not outlive this
    /// object's holder.
    func follow(_ writer: SQLiteConnection) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            writer.handle,
            { context, _, _, pages in
                Unmanaged<Checkpoints>.fromOpaque(context!).takeUnretainedValue().committed(Int(pages))
                return SQLITE_OK
            }, context)
    }

    /// - Parameter pages: how many the WAL has now.
    private func committed(_ pages: Int) {
        let begins = state.withLock { state in
            if pages < state.length { (state.next, state.rest) = (step, step) }
            state.length = pages
            guard pages >= state.next, !state.isRunning, !state.isClosed else { return false }
            state.isRunning = true
            return true
        }
        if begins { queue.async { [self] in run() } }
    }

    /// Moves what can be moved beside the writer. On the queue.
    private func run() {
        if connection == nil { connection = try? SQLiteConnection(path: path) }
        connection?.takeOver()
        try? connection?.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        state.withLock { state in
            state.isRunning = false
            state.next = state.length + step
        }
    }

    /// Moves the rest of a long WAL, if its time has come. For the writer, between two groups.
    ///
    /// - Parameter isIdle: no unit waits.
    func moveRest(_ db: SQLiteConnection, isIdle: Bool) {
        let isDue = state.withLock { state in
            guard !state.isRunning else { return false }
            return state.length >= limit || isIdle && state.length >= state.rest
        }
        guard isDue else { return }
        try? db.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
        // Somebody may have kept it from being complete. The next try waits until there is more to move.
        state.withLock { $0.rest = $0.length + step }
    }

    /// Returns when nothing runs any more.
    func close() async {
        state.withLock { $0.isClosed = true }
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                connection = nil
                continuation.resume()
            }
        }
    }
}
