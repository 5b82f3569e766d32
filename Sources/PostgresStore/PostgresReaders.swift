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

/// One connection for reading, with the queue on which it reads.
final class PostgresReader: Sendable {
    let queue: DispatchQueue
    private let reader: PostgresStoreReader

    init(_ options: PostgresOptions, number: Int, counters: PostgresCounters) {
        queue = DispatchQueue(label: "read-\(number)")
        reader = PostgresStoreReader(options, counters: counters)
    }

    /// Calls the closure once, with one snapshot or with the reason why there is none.
    func read(_ reading: (Result<ReadTransaction, any Error>) -> Void) {
        var isCalled = false
        do {
            try reader.read { transaction in
                isCalled = true
                reading(.success(transaction))
            }
        } catch {
            // Otherwise the closure has told its caller what went wrong.
            if !isCalled { reading(.failure(error)) }
        }
    }

    func close() { reader.close() }
}

/// First in, first out, with a bound. Adding and taking cost the same however many wait.
struct BoundedQueue<Element> {
    private let capacity: Int
    /// Those that were taken are nil, until they are dropped together.
    private var elements: [Element?] = []
    private var first = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { elements.count - first }

    /// Returns false, and adds nothing, when the queue is full.
    mutating func append(_ element: Element) -> Bool {
        guard count < capacity else { return false }
        elements.append(element)
        return true
    }

    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        elements[first] = nil
        first += 1
        // Each element is moved at most once for each one that was taken before it.
        if 2 * first >= elements.count {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }
}

/// A connection that one reader has for itself. It is made when it is first needed, and again when it was lost.
final class PostgresStoreReader: StoreReader {
    private struct State {
        var session: PostgresSession?
        var lastUse = ContinuousClock.now
    }

    private let options: PostgresOptions
    private let counters: PostgresCounters
    private let state = Mutex(State())

    /// A connection that was idle for longer may have been cut meanwhile, so it is tried before the reading depends on
    /// it.
    private static let trusted = Duration.seconds(1)
    private static let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    private let use: PostgresUse

    init(_ options: PostgresOptions, counters: PostgresCounters, use: PostgresUse = .reading) {
        (self.options, self.counters, self.use) = (options, counters, use)
    }

    func read(_ body: (ReadTransaction) throws -> Void) throws {
        try state.withLock { state in
            let session = try begun(&state)
            do {
                try body(ReadTransaction(reading: session))
                try session.hold("COMMIT")
                try session.finish()
                state.lastUse = .now
            } catch {
                // A refused statement or a reader's own error leaves the connection as good as it was.
                Self.rollBack(&state)
                throw error
            }
        }
    }

    private func begun(_ state: inout State) throws -> PostgresSession {
        if let session = state.session, session.connection.isOpen {
            do {
                try session.hold(Self.begin)
                if state.lastUse.duration(to: .now) > Self.trusted { try session.flush() }
                return session
            } catch {
                Self.drop(&state)
            }
        }
        let session = PostgresSession(try options.connect(use))
        counters.noteConnection()
        state.session = session
        do {
            try session.hold(Self.begin)
        } catch {
            Self.drop(&state)
            throw error
        }
        return session
    }

    /// Rolls the transaction back, so that the connection can be used for the next reading. If that fails, the connection is
    /// dropped.
    private static func rollBack(_ state: inout State) {
        guard let session = state.session else { return }
        do {
            guard session.connection.isOpen else { return drop(&state) }
            session.forgetExpected()
            try session.hold("ROLLBACK")
            try session.flush()
            session.forgetFailure()
            state.lastUse = .now
        } catch {
            drop(&state)
        }
    }

    func close() { state.withLock { Self.drop(&$0) } }

    private static func drop(_ state: inout State) {
        state.session?.connection.close()
        state.session = nil
    }
}
