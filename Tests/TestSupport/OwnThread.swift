import Dispatch

/// Runs a task on a thread of its own. A test may hold an actor's turn there without taking one of the few threads that all
/// other tasks share: two such tests at once would stop everything, those that end them too.
public final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "test's own thread")

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
