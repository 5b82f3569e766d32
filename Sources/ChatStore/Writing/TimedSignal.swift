import Glibc

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

    package func give() {
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
