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
