import ChatModel
import DequeModule
import Dispatch
import Synchronization
import Foundation

/// Connections for reading, each with a queue of its own. They are opened when they are first needed.
///
/// A reading waits until one of them is free. Each sees one snapshot.
final class SQLiteReaders: Sendable {
    typealias Reading = @Sendable (Result<SQLiteConnection, any Error>) -> Void

    /// `@unchecked Sendable`: the connection belongs to the queue alone.
    private final class Reader: @unchecked Sendable {
        let queue: DispatchQueue
        private var connection: SQLiteConnection?

        init(number: Int) { queue = DispatchQueue(label: "read-\(number)") }

        func read(_ reading: Reading, open: () throws -> SQLiteConnection) {
            do {
                let connection = try self.connection ?? open()
                self.connection = connection
                connection.takeOver()
                try connection.snapshot { reading(.success($0)) }
            } catch {
                // The closure does not throw, so it was not called.
                reading(.failure(error))
            }
        }

        func close() { connection = nil }
    }

    private struct State {
        var waiting: Deque<Reading> = []
        var idle: [Reader]
        var isClosed = false
    }

    private let readers: [Reader]
    private let state: Mutex<State>
    private let open: @Sendable () throws -> SQLiteConnection

    /// - Parameters:
    ///   - limit: the most connections.
    ///   - open: opens one of them.
    init(limit: Int, open: @escaping @Sendable () throws -> SQLiteConnection) {
        readers = (0..<max(1, limit)).map(Reader.init)
        // The one that was used last is taken next, so those that are not needed are not opened.
        state = Mutex(State(idle: readers.reversed()))
        self.open = open
    }

    /// Calls the closure once: on a thread that may wait, or at once with `shuttingDown`.
    func read(_ reading: @escaping Reading) {
        let (isRefused, reader) = state.withLock { state -> (Bool, Reader?) in
            if state.isClosed { return (true, nil) }
            guard let reader = state.idle.popLast() else {
                state.waiting.append(reading)
                return (false, nil)
            }
            return (false, reader)
        }
        if isRefused { return reading(.failure(ChatError(.shuttingDown, "The gateway is stopping."))) }
        if let reader { reader.queue.async { [self] in work(reader, reading) } }
    }

    /// Runs the reading, and those that wait then.
    private func work(_ reader: Reader, _ first: @escaping Reading) {
        var next: Reading? = first
        while let reading = next {
            reader.read(reading, open: open)
            next = state.withLock { state in
                let next = state.waiting.popFirst()
                if next == nil { state.idle.append(reader) }
                return next
            }
        }
    }

    /// Returns what the closure returns for one snapshot.
    func reading<T: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            read { connection in continuation.resume(with: Result { try body(connection.get()) }) }
        }
    }

    /// Refuses readings from now on, and returns when those that were asked for are done.
    func close() async {
        state.withLock { $0.isClosed = true }
        for reader in readers {
            await withCheckedContinuation { continuation in
                reader.queue.async {
                    reader.close()
                    continuation.resume()
                }
            }
        }
    }
}

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
