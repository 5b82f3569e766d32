import Dispatch

/// The connection that writes, and its own thread, on which all groups of units are committed.
///
/// `@unchecked Sendable`: jobs of one thread use the connection, or ``pausing(_:)`` while that thread waits.
final class WriterThread: @unchecked Sendable {
    private let connection: SQLiteConnection
    private let thread = WorkThread("writer")

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Runs a job on the thread, after those that were given before.
    func run(_ job: @escaping @Sendable (SQLiteConnection) -> Void) {
        thread.run { [self] in
            connection.takeOver()
            job(connection)
        }
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
