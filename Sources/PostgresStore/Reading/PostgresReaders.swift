import ChatModel
import ChatStore
import Dispatch
import Synchronization

/// The connections for reading, each with a queue of its own, so that a read that waits for the network blocks nobody
/// else's thread.
///
/// A reading waits until one of them is free. Each sees one snapshot.
final class PostgresReaders: Sendable {
    typealias Reading = @Sendable (Result<ReadTransaction, any Error>) -> Void

    private struct State {
        var waiting: [Reading] = []
        var idle: [PostgresReader]
        var isClosed = false
    }

    private let state: Mutex<State>
    private let readers: [PostgresReader]

    init(_ options: PostgresOptions, counters: PostgresCounters) {
        readers = (0..<max(1, options.readers)).map { PostgresReader(options, number: $0, counters: counters) }
        state = Mutex(State(idle: readers))
    }

    /// Calls the closure once, on a thread that may wait.
    func read(_ reading: @escaping Reading) {
        let (isRefused, reader) = state.withLock { state -> (Bool, PostgresReader?) in
            if state.isClosed { return (true, nil) }
            state.waiting.append(reading)
            return (false, state.idle.popLast())
        }
        if isRefused { return reading(.failure(ChatError(.shuttingDown, "The gateway is stopping."))) }
        if let reader { reader.queue.async { self.work(reader) } }
    }

    /// Reads what waits, then the reader is idle again.
    private func work(_ reader: PostgresReader) {
        while true {
            let reading = state.withLock { state -> Reading? in
                guard !state.waiting.isEmpty else {
                    state.idle.append(reader)
                    return nil
                }
                return state.waiting.removeFirst()
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
