import Dispatch
import Foundation
import Synchronization

/// A thread with a small share of busy processors, for work that nobody waits for: nice 10, about a tenth of what
/// another thread gets. On idle processors it is as fast as any.
///
/// A dispatch queue would not do: its threads serve others afterwards, and only root may raise a priority again. Any
/// thread may give it jobs. It ends when nobody holds the object any more, after the jobs that it has.
final class SearchThread: Sendable {
    private typealias Job = @Sendable () -> Void

    /// What the thread takes from. Nil is the end.
    private final class Jobs: Sendable {
        private let waiting = Mutex<[Job?]>([])
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

    init() {
        let thread = Thread { [jobs] in
            // 0 is the calling thread: on Linux each has a priority of its own. The work is done also if this fails.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            while let job = jobs.next() { job() }
        }
        thread.name = "search"
        thread.start()
    }

    deinit { jobs.add(nil) }

    /// Runs a job after those that were given before.
    func run(_ job: @escaping @Sendable () -> Void) { jobs.add(job) }
}
