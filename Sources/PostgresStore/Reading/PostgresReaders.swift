import ChatModel
import ChatStore
import Dispatch
import Synchronization

/// The connections for reading, each with a queue of its own, so that a read that waits for the network blocks nobody
/// else's thread.
///
/// A reading waits until one of them is free; when too many wait, it is refused. Each sees one snapshot.
final class PostgresReaders: Sendable {
    typealias Reading = @Sendable (Result<ReadTransaction, any Error>) -> Void

    private struct State {
        var waiting: BoundedQueue<Reading>
        var idle: [PostgresReader]
        var isClosed = false
    }

    /// More are refused: what waits behind so many would be answered when nobody waits for it any more.
    static let mostWaiting = 1000

    private let state: Mutex<State>
    private let readers: [PostgresReader]

    init(_ options: PostgresOptions, counters: PostgresCounters, mostWaiting: Int = PostgresReaders.mostWaiting) {
        readers = (0..<max(1, options.readers)).map { PostgresReader(options, number: $0, counters: counters) }
        state = Mutex(State(waiting: BoundedQueue(capacity: mostWaiting), idle: readers))
    }

    /// Calls the closure once: on a thread that may wait, or at once with `shuttingDown` or `storageUnavailable`.
    func read(_ reading: @escaping Reading) {
        let (refusal, reader) = state.withLock { state -> (ChatError?, PostgresReader?) in
            if state.isClosed { return (ChatError(.shuttingDown, "The gateway is stopping."), nil) }
            guard state.waiting.append(reading) else {
                return (ChatError(.storageUnavailable, "Too many reads wait for the database."), nil)
            }
            return (nil, state.idle.popLast())
        }
        if let refusal { return reading(.failure(refusal)) }
        if let reader { reader.queue.async { self.work(reader) } }
    }

    /// Reads what waits, then the reader is idle again.
    private func work(_ reader: PostgresReader) {
        while true {
            let reading = state.withLock { state -> Reading? in
                let next = state.waiting.popFirst()
                if next == nil { state.idle.append(reader) }
                return next
            }
            guard let reading else { return }
            reader.read(reading)
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
