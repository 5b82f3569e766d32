import Glibc
import Synchronization

/// Ends a reading for which nobody waits any more: its client has left, or it takes too long.
///
/// A database's call cannot be cancelled like a task. So the thread that reads knows its stop, and looks at it before
/// each statement, and the engine while a statement runs. Only readings within ``ChatStore/endingReads(_:)`` have
/// one: others do work that must be done whoever waits.
package final class ReadStop: Sendable {
    /// Whether the readings of a task end when it is cancelled.
    @TaskLocal static var isWanted = false

    private let wasAsked = Atomic(false)

    var isAsked: Bool { wasAsked.load(ordering: .relaxed) }

    func ask() { wasAsked.store(true, ordering: .relaxed) }

    /// Runs a reading on this thread, which ends with `CancellationError` when it is asked.
    func watching<T>(_ body: () throws -> T) throws -> T {
        let outer = pthread_getspecific(Self.key)
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Self.key, outer) }
        try Self.check()
        do {
            return try withExtendedLifetime(self) { try body() }
        } catch  where isAsked {
            // The engine's own error says that a statement was interrupted.
            throw CancellationError()
        }
    }

    /// Throws `CancellationError` when the reading of this thread is to end.
    static func check() throws { if isAskedHere { throw CancellationError() } }

    /// Whether the reading of this thread is to end.
    package static var isAskedHere: Bool { here?.isAsked ?? false }

    /// Whether the reading of this thread may be asked to end.
    package static var isWatchedHere: Bool { here != nil }

    private static var here: ReadStop? {
        pthread_getspecific(key).map { Unmanaged<ReadStop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The stop of the reading that runs on a thread.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Reads with a stop that is asked when the task is cancelled, if such an end is wanted; otherwise with one that is
    /// never asked.
    static func reading<T>(_ body: (ReadStop) async throws -> T) async rethrows -> T {
        let stop = ReadStop()
        guard isWanted else { return try await body(stop) }
        return try await withTaskCancellationHandler {
            try await body(stop)
        } onCancel: {
            stop.ask()
        }
    }
}

extension ChatStore {
    /// Runs code whose readings end soon after its task was cancelled. Then they throw `eventTimeout`.
    public static func endingReads<T>(_ body: () async throws -> T) async rethrows -> T {
        try await ReadStop.$isWanted.withValue(true) { try await body() }
    }
}
