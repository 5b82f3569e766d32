import ChatModel
import ChatStore
import Dispatch

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
