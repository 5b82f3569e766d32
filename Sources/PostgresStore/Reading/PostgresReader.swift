import ChatModel
import ChatStore
import Dispatch

/// One connection for reading.
///
/// It is used on its queue, or under its owner's lock.
final class PostgresReader: @unchecked Sendable {  // used by one thread at a time: see above
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

    func read(_ reading: (Result<ReadTransaction, any Error>) -> Void) {
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
