import DequeModule
import Dispatch
import Foundation
import Synchronization
import Glibc

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

/// A signal for which one thread waits, but not for ever. Any thread gives it; one that is given before the wait counts.
///
/// The time is that of the monotonic clock. On Linux, a semaphore of Dispatch waits by the time of day instead: if the
/// clock is set back meanwhile, it waits longer by as much.
///
/// `@unchecked Sendable`: `isGiven` is guarded by `mutex`; `mutex` and `condition` are C's own objects, made for threads.
package final class TimedSignal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isGiven = false

    package init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package func raise() {
        pthread_mutex_lock(mutex)
        isGiven = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Returns true, and takes the signal, as soon as it is given; false after this time. More than an hour counts as one.
    package func wait(atMost time: Duration) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + Int(min(max(time, .zero), .seconds(3600)) / .nanoseconds(1))
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        defer {
            isGiven = false
            pthread_mutex_unlock(mutex)
        }
        while !isGiven, pthread_cond_timedwait(condition, mutex, &end) == 0 {}
        return isGiven
    }
}
