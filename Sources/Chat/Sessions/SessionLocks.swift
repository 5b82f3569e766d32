import Synchronization

/// Locks for what must not be done twice at a time with one session, such as to restore it. Other sessions wait for
/// that only if they happen to share its lock: thousands come back at once after a restart, and each reads its rows
/// from the database.
final class SessionLocks: Sendable {
    private final class Lock: Sendable {
        let mutex = Mutex(())
    }

    private let locks = (0..<count).map { _ in Lock() }

    /// More than the store has readers.
    static let count = 256

    /// Which lock is a session's.
    static func place(of session: String) -> Int {
        Int(session.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 } % UInt32(count))
    }

    /// Runs a closure that must not wait for the work of another task on the same session.
    func withLock<Result>(of session: String, _ body: () throws -> Result) rethrows -> Result {
        try locks[Self.place(of: session)].mutex.withLock { _ in try body() }
    }
}
