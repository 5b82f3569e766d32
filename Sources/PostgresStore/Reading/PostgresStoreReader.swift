import ChatStore
import Synchronization

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
