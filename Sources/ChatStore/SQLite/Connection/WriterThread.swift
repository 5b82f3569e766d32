import Dispatch
import Synchronization

/// The connection that writes, and its own thread, on which all groups of units are committed.
///
/// `@unchecked Sendable`: jobs of one thread use the connection, or ``pausing(_:)`` while that thread waits.
final class WriterThread: @unchecked Sendable {
    private let connection: SQLiteConnection
    private let thread = WorkThread("writer")
    private let isOpen = Mutex(true)

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Runs a job on the thread, after those that were given before.
    func run(_ job: @escaping @Sendable (SQLiteConnection) -> Void) {
        thread.run { [self] in
            connection.takeOver()
            job(connection)
        }
    }

    /// Closes the connection after a last job, and ends the thread. Only the first call does something.
    func close(_ last: @escaping @Sendable (SQLiteConnection) -> Void) async {
        let isFirst = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard isFirst else { return }
        await withCheckedContinuation { continuation in
            run { db in
                last(db)
                db.close()
                continuation.resume()
            }
        }
        thread.end()
    }

    /// Runs a closure on the calling thread, between two jobs. For tests.
    func pausing<T>(_ body: (SQLiteConnection) throws -> T) rethrows -> T {
        let (hasPaused, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        thread.run {
            hasPaused.signal()
            mayGoOn.wait()
        }
        hasPaused.wait()
        defer { mayGoOn.signal() }
        connection.takeOver()
        return try body(connection)
    }
}
