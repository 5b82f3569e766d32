import ChatModel
import ChatStore
import Dispatch

/// Runs asynchronous work while the calling thread waits: for tests that are not asynchronous where they read.
///
/// The work has threads of its own, so it comes to its end whatever threads wait for it.
public func blocking<T: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () async throws(Failure) -> T
) throws(Failure) -> T {
    let (isOver, answer) = (DispatchSemaphore(value: 0), BlockingAnswer<T, Failure>())
    Task(executorPreference: BlockingExecutor.shared) {
        do throws(Failure) {
            answer.result = .success(try await work())
        } catch {
            answer.result = .failure(error)
        }
        isOver.signal()
    }
    isOver.wait()
    // The task may keep the object for some time.
    defer { answer.result = nil }
    return try answer.result!.get()
}

/// `@unchecked Sendable`: it is written before the signal and read after the wait.
private final class BlockingAnswer<T, Failure: Error>: @unchecked Sendable {
    var result: Result<T, Failure>?
}

private final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()
    private let queue = DispatchQueue(label: "blocking", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

extension ChatStore {
    /// Reads one snapshot while the calling thread waits.
    public func readBlocking<T>(_ body: (ReadTransaction) throws -> T) throws(ChatError) -> T {
        let isOver = DispatchSemaphore(value: 0)
        let result: Result<T, any Error> = withoutActuallyEscaping(body) { body in
            let read = BlockingRead(body)
            backend.readAside { transaction in
                read.run(transaction)
                isOver.signal()
            }
            isOver.wait()
            return read.result!
        }
        return try result.mapError(ChatError.init(storage:)).get()
    }
}

/// `@unchecked Sendable`: the thread that has made it waits while another one runs it.
private final class BlockingRead<T>: @unchecked Sendable {
    private(set) var result: Result<T, any Error>?
    private var body: ((ReadTransaction) throws -> T)?

    init(_ body: @escaping (ReadTransaction) throws -> T) { self.body = body }

    /// Runs the closure, and keeps it no longer.
    func run(_ transaction: Result<ReadTransaction, any Error>) {
        result = Result { try body!(transaction.get()) }
        body = nil
    }
}
