import CMicroHTTPD
import Glibc
import Synchronization

/// The only way between the loop's thread and all others: jobs go in, statistics come out. ``post(_:)`` and the
/// statistics may be used from any thread, everything else only from the loop's.
final class Mailbox: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        /// The loop sleeps or is about to sleep, and no post has woken it yet: the next post must write to the
        /// eventfd. So many posts cost one write, and posts while the loop is awake cost none.
        var sleeping = false
        var closed = false
        var statistics = ServerStatistics()
        var lastTurn = ContinuousClock.now
    }

    /// An eventfd, which the loop polls for reading.
    let descriptor: Int32
    private let state = Mutex(State())

    init() throws(ServerError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
    }

    deinit { Glibc.close(descriptor) }

    /// Has the loop run a job in its next turn. Jobs run in the order in which they were posted. From any thread.
    ///
    /// - Returns: false when the loop has ended and the job will never run.
    @discardableResult
    func post(_ job: @escaping Job) -> Bool {
        let (accepted, ring) = state.withLock { state in
            if state.closed { return (false, false) }
            state.jobs.append(job)
            defer { state.sleeping = false }
            return (true, state.sleeping)
        }
        if ring {
            var one: UInt64 = 1
            _ = write(descriptor, &one, 8)
        }
        return accepted
    }

    /// The loop is about to wait for events.
    /// - Returns: true when it may block: it wants to, and there are no jobs.
    func prepareToSleep(wanted: Bool, publishing statistics: ServerStatistics) -> Bool {
        state.withLock { state in
            state.statistics = statistics
            state.sleeping = wanted && state.jobs.isEmpty
            return state.sleeping
        }
    }

    /// The loop is awake again.
    /// - Returns: the jobs that were posted, in their order.
    func wake() -> [Job] {
        state.withLock { state in
            state.sleeping = false
            state.lastTurn = ContinuousClock.now
            if state.jobs.isEmpty { return [] }
            let jobs = state.jobs
            state.jobs = []
            return jobs
        }
    }

    /// Ends the mailbox: from now on ``post(_:)`` returns false.
    /// - Returns: the jobs that were posted and have not run.
    func close(publishing statistics: ServerStatistics) -> [Job] {
        state.withLock { state in
            state.closed = true
            state.statistics = statistics
            defer { state.jobs = [] }
            return state.jobs
        }
    }

    /// Reads the eventfd, so that it is not reported again.
    func silence() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// The numbers that the loop published before its last wait.
    var statistics: ServerStatistics { state.withLock { $0.statistics } }
    /// When the loop last began a turn. It turns at least once a second, so an older time means that it is
    /// blocked.
    var lastTurn: ContinuousClock.Instant { state.withLock { $0.lastTurn } }
}

/// Runs tasks on the loop's thread. The jobs that wait are run together, once in each turn of the loop. Any thread may
/// give it jobs.
///
/// What runs here must not block, because every connection waits for it.
final class LoopExecutor: TaskExecutor {
    private let mailbox: Mailbox

    init(mailbox: Mailbox) { self.mailbox = mailbox }

    /// A job that comes when the loop has ended runs on the common threads: a task must come to its end.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = mailbox.post { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        if !isTaken { globalConcurrentExecutor.enqueue(job) }
    }
}
