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
        var idle: [Reader]
        var isClosed = false
    }

    private let state: Mutex<State>
    private let readers: [Reader]

    init(_ options: PostgresOptions, counters: PostgresCounters) {
        readers = (0..<max(1, options.readers)).map { Reader(options, number: $0, counters: counters) }
        state = Mutex(State(idle: readers))
    }

    /// Calls the closure once, on a thread that may wait.
    func read(_ reading: @escaping Reading) {
        let (isRefused, reader) = state.withLock { state -> (Bool, Reader?) in
            if state.isClosed { return (true, nil) }
            state.waiting.append(reading)
            return (false, state.idle.popLast())
        }
        if isRefused { return reading(.failure(ChatError(.shuttingDown, "The gateway is stopping."))) }
        if let reader { reader.queue.async { self.work(reader) } }
    }

    /// Reads what waits, then the reader is idle again.
    private func work(_ reader: Reader) {
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

/// One connection for reading.
private final class Reader: @unchecked Sendable {  // everything but the queue is used on the queue alone
    let queue: DispatchQueue
    private let options: PostgresOptions
    private let counters: PostgresCounters
    private var session: PostgresSession?
    private var lastUse = ContinuousClock.now

    /// A connection that was idle for longer may have been cut meanwhile, so it is tried before a reading depends on it.
    private static let trusted = Duration.seconds(1)

    init(_ options: PostgresOptions, number: Int, counters: PostgresCounters) {
        self.options = options
        self.counters = counters
        queue = DispatchQueue(label: "read-\(number)")
    }

    func read(_ reading: PostgresReaders.Reading) {
        do {
            let session = try begun()
            reading(.success(ReadTransaction(reading: session)))
            try session.hold("COMMIT")
            try session.flush()
            lastUse = .now
        } catch let error as BeginFailure {
            reading(.failure(error.cause))
        } catch {
            // The reading has told its caller what went wrong. A failed transaction is no use to the next one.
            close()
        }
    }

    /// Why a transaction could not begin.
    private struct BeginFailure: Error { let cause: PostgresError }

    private func begun() throws(BeginFailure) -> PostgresSession {
        do {
            if let session, session.connection.isOpen {
                do {
                    try session.hold(Self.begin)
                    if lastUse.duration(to: .now) > Self.trusted { try session.flush() }
                    return session
                } catch {
                    close()
                }
            }
            let made = PostgresSession(try PostgresConnection(options.address, settings: options.settings))
            counters.noteConnection()
            session = made
            try made.hold(Self.begin)
            return made
        } catch {
            close()
            throw BeginFailure(cause: error)
        }
    }

    private static let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    func close() {
        session?.connection.close()
        session = nil
    }
}
