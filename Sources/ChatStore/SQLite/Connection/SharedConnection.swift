import Foundation

/// A connection that several threads use, one after the other.
///
/// `@unchecked Sendable`: the lock guards the connection.
final class SharedConnection: @unchecked Sendable {
    private let connection: SQLiteConnection
    private let lock = NSLock()

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Runs a closure on the calling thread, after those of other threads. It must not use the object again.
    func use<T>(_ body: (SQLiteConnection) throws -> T) rethrows -> T {
        lock.lock()
        defer { lock.unlock() }
        connection.takeOver()
        return try body(connection)
    }

    /// The same if no other thread uses the connection; otherwise the closure is not called.
    func useIfFree(_ body: (SQLiteConnection) throws -> Void) rethrows {
        guard lock.try() else { return }
        defer { lock.unlock() }
        connection.takeOver()
        try body(connection)
    }

    func close() { use { $0.close() } }
}
