/// Runs tasks on the loop's thread, a turn's jobs together: a task that waits for another thread comes back without a
/// third one. Any thread may give it jobs.
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
