import ChatModel
import ChatStore
import Synchronization

/// PostgreSQL's writer: a group of units is one transaction that holds the row lock of `writer`, so commits are serial
/// on all gateways, and offsets ascend in the order in which they become visible.
///
/// Statements with an effect are held back, so a group whose units read nothing takes two round trips: one to lock, and
/// one for all the rest. When a statement is refused, nobody knows of which unit it was. Then the group runs again, and
/// each unit is sent at its end.
final class PostgresWriter: StoreWriter, @unchecked Sendable {  // confined to the writer's queue
    private let options: PostgresOptions
    private let environment: ModelEnvironment
    private let feed: EventFeed
    private let trimmer: LogTrimmer
    private let hot = HotRows()
    private let rehearses: Bool
    private let counters: PostgresCounters
    private var session: PostgresSession?
    /// The number of the commit row that this gateway has seen or made last.
    private var lastCommit: Int64
    /// How the gateway that may write is named in the lock's row; nil: whoever comes may write.
    private var fence: PostgresFence?

    private typealias Unit = GroupCommit.Unit

    /// How often a group is run again that was undone for a reason that passes.
    private static let repetitions = 3

    init(
        _ session: PostgresSession, _ identity: PostgresIdentity, feed: EventFeed, trimmer: LogTrimmer,
        options: PostgresOptions, rehearses: Bool, counters: PostgresCounters, environment: ModelEnvironment
    ) {
        self.session = session
        self.options = options
        self.feed = feed
        self.trimmer = trimmer
        self.rehearses = rehearses
        self.counters = counters
        self.environment = environment
        lastCommit = identity.lastCommit
    }

    func close() {
        session?.connection.close()
        session = nil
    }

    // MARK: Groups

    package func commit(_ group: [GroupCommit.Unit]) throws -> CommittedGroup {
        var tries = 0
        var sendsEachUnit = false
        while true {
            do {
                return try attempt(group, sendsEachUnit: sendsEachUnit)
            } catch let error as PostgresError {
                rollBack()
                tries += 1
                switch error.kind {
                case .statement where !sendsEachUnit: sendsEachUnit = true
                case .transient where tries <= Self.repetitions: counters.noteRepetition()
                case .connection where tries <= Self.repetitions && !error.isAway: counters.noteRepetition()
                default: throw error
                }
            } catch {
                rollBack()
                throw error
            }
        }
    }

    /// Runs the units in one transaction. Throws when it is undone.
    private func attempt(_ group: [Unit], sendsEachUnit: Bool) throws -> CommittedGroup {
        let session = try connected()
        let roundTrips = session.roundTrips
        let asked = ContinuousClock.now
        let head = try begin(session)
        let locked = ContinuousClock.now
        let transaction = WriteTransaction(
            writing: session, hot: hot, cursor: Cursor(epoch: feed.epoch, offset: head), environment: environment)
        var failures: [ChatError?] = []
        for unit in group { failures.append(try run(unit, in: transaction, session, isSent: sendsEachUnit)) }
        try end(session, head: transaction.head, first: transaction.firstHead)
        counters.note(
            waited: asked.duration(to: locked), held: locked.duration(to: .now),
            roundTrips: session.roundTrips - roundTrips)
        return CommittedGroup(transaction: transaction, failures: failures)
    }

    /// Runs one unit in a savepoint. Returns its own failure.
    private func run(
        _ unit: Unit, in transaction: WriteTransaction, _ session: PostgresSession, isSent: Bool
    ) throws -> ChatError? {
        if rehearses {
            try transaction.savepoint()
            do { try unit.run(transaction) } catch let error as PostgresError { throw error } catch {}
            try transaction.rollBack()
        }
        try transaction.savepoint()
        do {
            try unit.run(transaction)
            try transaction.release()
            if isSent { try session.flush() }
            return nil
        } catch let error as PostgresError {
            // Without `isSent`, the refused statement may be one of an earlier unit.
            guard isSent, error.kind == .statement else { throw error }
            try transaction.rollBack()
            return ChatError(storage: error)
        } catch {
            try transaction.rollBack()
            return ChatError(storage: error)
        }
    }

    /// Begins a transaction, waits until no other gateway writes, and returns the log's head.
    private func begin(_ session: PostgresSession) throws -> Int64 {
        try session.hold("BEGIN ISOLATION LEVEL READ COMMITTED")
        try session.hold("SELECT 1 FROM writer WHERE id = 1 FOR UPDATE")
        // A statement of its own: it sees what was committed while the one before waited.
        var found = (holder: "", fence: Int64(0), number: Int64(0), place: Int64(0))
        try session.query(
            """
            SELECT writer.holder, writer.fence, coalesce(last.number, 0), coalesce(last.place, 0) FROM writer \
            LEFT JOIN (SELECT number, place FROM committed ORDER BY number DESC LIMIT 1) last ON true
            """, []
        ) { row in
            found = (row.text(0), row.integer(1), row.integer(2), row.integer(3))
            return false
        }
        if let fence, fence != PostgresFence(holder: found.holder, number: found.fence) {
            throw ChatError(.storageFailed, "Another gateway serves the database now.")
        }
        if found.number != lastCommit {
            // Others have written: what was kept may not be true any more.
            hot.removeAll()
            try catchUp(session, to: found.place)
            lastCommit = found.number
        }
        return found.place
    }

    /// Appends the events to the ring that other gateways have committed.
    private func catchUp(_ session: PostgresSession, to head: Int64) throws {
        while feed.head < head {
            let read = try ReadTransaction(reading: session).replay(
                [.everyone], after: feed.head, limit: 1 << 20, epoch: feed.epoch)
            feed.append(read.events, head: read.through, scrubbed: [])
            if read.events.isEmpty { break }
        }
    }

    /// Adds the group's commit row, and commits.
    private func end(_ session: PostgresSession, head: Int64, first: Int64) throws {
        let number = lastCommit + 1
        try session.hold(
            "INSERT INTO committed (number, place, first, gateway, at) VALUES (?, ?, ?, ?, ?)",
            [
                .integer(number), .integer(head), .integer(first), .text(options.gateway),
                .integer(environment.now().milliseconds),
            ])
        try session.hold("SELECT pg_notify('parley', ?)", [.text("\(head)")])
        try session.flush()
        // A wait for a standby must not be cancelled: the commit would stand without it.
        try session.hold("SET LOCAL statement_timeout = 0")
        try session.hold("COMMIT")
        do {
            try session.flush()
            let notices = session.connection.takeNotices()
            guard notices.isEmpty else {
                throw PostgresError(
                    .connection, detail: "PostgreSQL warned at COMMIT: \(notices.joined(separator: " "))")
            }
        } catch {
            guard try settle(number) else { throw error }
        }
        lastCommit = number
    }

    /// Whether a commit took place whose answer was lost. Throws when that cannot be learned: then nobody knows, and the
    /// units are answered with a failure.
    private func settle(_ number: Int64) throws -> Bool {
        close()
        var pause = Duration.milliseconds(50)
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do {
                let session = try connected()
                try session.hold("BEGIN")
                // The transaction in doubt has the lock until it has ended.
                try session.hold("SELECT 1 FROM writer WHERE id = 1 FOR UPDATE")
                let count = try session.first(
                    "SELECT count(*) FROM committed WHERE number = ? AND gateway = ?",
                    [.integer(number), .text(options.gateway)])
                try session.hold("COMMIT")
                try session.flush()
                return count > 0
            } catch {
                close()
                guard ContinuousClock.now < deadline else { throw error }
                PostgresPause.wait(pause)
                pause = min(pause * 2, .seconds(2))
            }
        }
    }

    private func rollBack() {
        hot.removeAll()
        guard let session else { return }
        guard session.connection.isOpen else { return close() }
        do {
            try session.hold("ROLLBACK")
            try session.flush()
        } catch {
            close()
        }
    }

    private func connected() throws(PostgresError) -> PostgresSession {
        if let session, session.connection.isOpen { return session }
        counters.noteConnection()
        hot.removeAll()
        let made = PostgresSession(try PostgresConnection(options.address, settings: options.settings))
        session = made
        return made
    }

    // MARK: Between groups

    package func maintain(isAsked: Bool, isIdle: () -> Bool) {
        guard let session, session.connection.isOpen else { return }
        do {
            var hasMore = try trimmer.trim(reading: session, isAsked: isAsked) { try transact(session, $0) }
            while hasMore, isIdle() {
                hasMore = try trimmer.trim(reading: session, isAsked: false) { try transact(session, $0) }
            }
        } catch {
            // No loss: the rows stay, and the next group tries again.
            rollBack()
        }
    }

    private func transact(_ session: PostgresSession, _ body: () throws -> Void) throws {
        _ = try begin(session)
        try body()
        try session.hold("DELETE FROM committed WHERE number < ?", [.integer(lastCommit - Self.keptCommits)])
        try session.hold("COMMIT")
        try session.flush()
    }

    /// How many commit rows are kept: more than a gateway makes while another waits for an answer.
    private static let keptCommits: Int64 = 10_000
}

/// The gateway that may write, as it stands in the row of `writer`.
struct PostgresFence: Equatable, Sendable {
    var holder: String
    var number: Int64
}
