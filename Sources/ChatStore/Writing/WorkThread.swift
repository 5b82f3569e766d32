import DequeModule
import Dispatch
import Foundation
import Synchronization

/// A thread that runs jobs one after the other.
///
/// A dispatch queue would do the same on whatever thread is free, and wake one for each job that comes alone. Its
/// threads also serve others afterwards, and only root may raise a priority again.
///
/// Any thread may give it jobs. It ends with ``end()``, or when nobody holds the object any more, after the jobs that it
/// has.
final class WorkThread: Sendable {
    private typealias Job = @Sendable () -> Void

    /// What the thread takes from. Nil is the end.
    private final class Jobs: Sendable {
        private let waiting = Mutex<Deque<Job?>>([])
        private let count = DispatchSemaphore(value: 0)

        func add(_ job: Job?) {
            waiting.withLock { $0.append(job) }
            count.signal()
        }

        /// The next job; waits for it.
        func next() -> Job? {
            count.wait()
            return waiting.withLock { $0.removeFirst() }
        }
    }

    private let jobs = Jobs()

    /// - Parameter niceness: 10 is for work that nobody waits for: it gets about a tenth of what another thread gets of
    ///   busy processors. On idle processors it is as fast as any.
    init(_ name: String, niceness: Int32 = 0) {
        let thread = Thread { [jobs] in
            // Of a thread that has not begun yet, the kernel would not learn it.
            Thread.current.name = name
            // 0 is the calling thread: on Linux each has a priority of its own. The work is done also if this fails.
            if niceness > 0 { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
            while let job = jobs.next() { job() }
        }
        thread.start()
    }

    deinit { end() }

    /// Ends the thread. A job that is given to it later is not run.
    func end() { jobs.add(nil) }

    /// Runs a job after those that were given before.
    func run(_ job: @escaping @Sendable () -> Void) { jobs.add(job) }
}
