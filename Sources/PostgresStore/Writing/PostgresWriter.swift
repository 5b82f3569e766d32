import ChatModel
import ChatStore
import Synchronization

/// PostgreSQL's writer: a group of units is one transaction that holds the row lock of `writer`, so commits are serial
/// on all gateways, and offsets ascend in the order in which they become visible.
///
/// Statements with an effect are held back, and a unit has no savepoint: a group takes two round trips, one to lock and
/// one for all the rest. What units read comes with the first one, if they have told it and the writer has not kept it.
/// If a statement of a unit is refused, or a unit fails after a change, the group is undone and runs again; that unit
/// then has a savepoint, and is waited for at its end. A unit during which the connection is lost twice fails, and the
/// others run again.
final class PostgresWriter: StoreWriter, @unchecked Sendable {  // confined to the writer's queue
    let options: PostgresOptions
    /// What this process's commit rows are known by.
    let process: String
    let environment: ModelEnvironment
    let following: CommitFollowing
    let trimmer: LogTrimmer
    /// The last offset that the data folder has seen of this database, whatever has become of the database since.
    let seen: Int64
    let hot: HotRows
    private let rehearses: Bool
    private let counters: PostgresCounters
    private var session: PostgresSession?
    /// The number of the commit row that this gateway has seen or made last.
    private(set) var lastCommit: Int64
    /// Whether the session's server was found to be the one of the last time; see ``leapOverLostCommits(_:number:place:)``.
    var isServerChecked = false
    /// Whether a group was begun before, on this server or an earlier one.
    var hasWritten = false
    /// The number of the group that was committed last, until the feed was told of it.
    private var unpublished: Int64?
    /// The unit that runs, by its number in the group; nil outside.
    private var running: Int?

    private typealias Unit = GroupCommit.Unit

    /// More units of a group than this are not looked for one by one.
    private static let mostAlone = 8
    /// How often a group is run again that was undone for a reason that passes.
    private static let repetitions = 3
    /// After this time there is one more run at most, and none for a lock that another program holds: its time limit has
    /// passed twice then.
    private static let longestRepetition = Duration.seconds(10)
    /// After a unit that ends later than this after the last round trip, what is held back is sent: a group of slow units
    /// must not look like a gateway that is paused. See ``PostgresUse/idleLimit``.
    static let mostSilence = Duration.seconds(1)

    init(
        _ session: PostgresSession, process: String, following: CommitFollowing, trimmer: LogTrimmer, seen: Int64,
        options: PostgresOptions, rehearses: Bool, hot: HotRows,
        counters: PostgresCounters, environment: ModelEnvironment
    ) {
        self.session = session
        self.process = process
        self.options = options
        self.following = following
        self.trimmer = trimmer
        self.seen = seen
        self.rehearses = rehearses
        self.hot = hot
        self.counters = counters
        self.environment = environment
        lastCommit = following.known.number
    }

    func close() {
        session?.connection.close()
        session = nil
    }

    // MARK: Groups

    package func commit(_ group: [GroupCommit.Unit]) throws -> CommittedGroup {
        var tries = 0
        // The units that run alone.
        var alone = rehearses ? Set(group.indices) : []
        // What is read ahead may be what the server refuses.
        var readsAhead = true
        // During which unit the connection was lost last, and those during which it was lost twice.
        var suspect: Int?
        var failed: [Int: ChatError] = [:]
        let begun = ContinuousClock.now
        while true {
            let error: any Error
            do {
                return try attempt(
                    group, without: failed, alone: alone, readsAhead: readsAhead, isLast: tries == Self.repetitions)
            } catch let failure {
                error = failure
            }
            readsAhead = readsAhead && running != nil
            let lost = (error as? PostgresError)?.kind == .connection ? running : nil
            defer { suspect = lost }
            switch error {
            case let error as PostgresError where error.kind == .statement && alone.count < group.count:
                rollBack(onlyGroup: true)
                isolate(error.label, of: group, in: &alone)
            case let error as FailureAfterChange:
                rollBack(onlyGroup: true)
                isolate(error.unit, of: group, in: &alone)
            case is PostgresError where lost != nil && lost == suspect && failed.count < group.count - 1:
                rollBack()
                if let lost { failed[lost] = Self.isAlwaysCutOff }
            case let error as PostgresError where tries < Self.repetitions && error.passes:
                rollBack()
                let isLate = begun.duration(to: .now) >= Self.longestRepetition
                if isLate, error.isLockTimeout { throw error }
                tries = isLate ? Self.repetitions : tries + 1
                counters.noteRepetition()
                // In the last run a unit that takes too long fails alone.
                if tries == Self.repetitions { alone = Set(group.indices) }
            default:
                rollBack()
                throw error
            }
        }
    }

    /// Has a unit run alone the next time; all units when it is not known which of them failed, or when too many did.
    private func isolate(_ unit: Int?, of group: [Unit], in alone: inout Set<Int>) {
        guard let unit, alone.insert(unit).inserted, alone.count <= Self.mostAlone else {
            alone = Set(group.indices)
            return
        }
    }

    private static let isAlwaysCutOff = ChatError(
        .storageFailed, "PostgreSQL ended the connection twice while this was written.")

    /// Runs the units but those that have failed in one transaction. Throws when it is undone.
    private func attempt(
        _ group: [Unit], without failed: [Int: ChatError], alone: Set<Int>, readsAhead: Bool, isLast: Bool
    ) throws -> CommittedGroup {
        running = nil
        hot.endGroup()
        let session = try connected()
        let roundTrips = session.roundTrips
        let asked = ContinuousClock.now
        let ahead = readsAhead ? ReadAhead(of: group, lackingIn: hot) : nil
        let known = lastCommit
        let head = try begin(session, ahead)
        let locked = ContinuousClock.now
        let transaction = WriteTransaction(
            writing: session, hot: hot, cursor: Cursor(epoch: following.feed.epoch, offset: head),
            environment: environment)
        try ahead?.keep(in: transaction)
        // Others have written, and nothing else is kept now.
        if readsAhead, lastCommit != known, let rest = ReadAhead(of: group, lackingIn: hot) {
            try rest.expect(on: session)
            try rest.keep(in: transaction)
        }
        hot.beginGroup()
        var failures: [ChatError?] = []
        var hasChanges = false
        for (index, unit) in group.enumerated() {
            if let failure = failed[index] {
                failures.append(failure)
                continue
            }
            running = index
            let run = UnitRun(unit: unit, index: index, transaction: transaction, session: session, hot: hot)
            let outcome = try alone.contains(index) ? run.alone(rehearses: rehearses, isLast: isLast) : run.together()
            if session.lastRoundTrip.duration(to: .now) > Self.mostSilence {
                // Even if nothing is held back: a connection that was lost meanwhile shows while the unit is known.
                try session.hold("SELECT 1")
                try session.flush()
            }
            failures.append(outcome.failure)
            if outcome.hasChanged { hasChanges = true }
        }
        running = nil
        try end(session, transaction, hasChanges: hasChanges)
        counters.recordGroup(
            waited: asked.duration(to: locked), held: locked.duration(to: .now),
            roundTrips: session.roundTrips - roundTrips)
        return CommittedGroup(transaction: transaction, failures: failures)
    }

    /// Begins a transaction, waits until no other gateway writes, and returns the log's head.
    private func begin(_ session: PostgresSession, _ ahead: ReadAhead? = nil) throws -> Int64 {
        session.forgetFailure()
        session.forgetExpected()
        guard options.mayWrite?() ?? true else {
            throw ChatError(.storageUnavailable, "This gateway does not hold the lease, and writes nothing.")
        }
        try session.hold("BEGIN ISOLATION LEVEL READ COMMITTED")
        try session.hold("SELECT 1 FROM writer WHERE id = 1 FOR UPDATE")
        // Statements of their own: they see what was committed while the one before waited.
        try ahead?.expect(on: session)
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
        if let fence = options.fence, fence != PostgresFence(holder: found.holder, number: found.fence) {
            options.onOtherHolder?()
            throw ChatError(.storageUnavailable, "Another gateway serves the database now.")
        }
        if try leapOverLostCommits(session, number: found.number, place: found.place) {
            return try begin(session, ahead)
        }
        if found.number != lastCommit {
            // Others have written: what was kept may not be true any more.
            hot.removeAll()
            try following.catchUp(session)
            if found.number - lastCommit >= Self.leap { try trimmer.readGaps(reading: session) }
            lastCommit = found.number
        }
        return found.place
    }

    /// Adds the group's commit row, and commits. A group that has changed nothing has no row.
    private func end(_ session: PostgresSession, _ transaction: WriteTransaction, hasChanges: Bool) throws {
        unpublished = nil
        guard hasChanges else {
            try session.hold("COMMIT")
            try session.flush()
            return
        }
        let number = lastCommit + 1
        try session.hold(
            """
            INSERT INTO committed (number, place, first, gateway, process, at, touched, scrubbed) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(number), .integer(transaction.head), .integer(transaction.firstHead), .text(options.gateway),
                .text(process), .integer(environment.now().milliseconds),
                .blob(transaction.touchedThreads.sorted().packedNumbers),
                .blob(transaction.scrubbed.packedNumbers),
            ])
        let payload = LookSchedule.payload(place: transaction.head, process: process)
        try session.hold("SELECT pg_notify('parley', ?)", [.text(payload)])
        // A wait for a standby must not be cancelled: the commit would stand without it.
        try session.hold("SET LOCAL statement_timeout = 0")
        _ = session.connection.takeNotices()
        try session.hold("COMMIT")
        var isInDoubt = false
        do throws(PostgresError) {
            try session.flush()
            // A warning says that the commit was not waited for.
            isInDoubt = !session.connection.takeNotices().isEmpty
        } catch {
            guard error.kind == .connection else { throw error }
            isInDoubt = true
        }
        if isInDoubt { try settleOrThrow(number) }
        (lastCommit, unpublished) = (number, number)
    }

    /// Tells the feed of the group that was committed last.
    func publish(_ group: CommittedGroup) {
        guard let number = unpublished else { return }
        unpublished = nil
        trimmer.weigh(group.transaction)
        following.publish(group, at: number)
    }

    /// - Parameter onlyGroup: nothing but the group was undone, so what was kept before it is still true.
    private func rollBack(onlyGroup: Bool = false) {
        if onlyGroup { hot.undoGroup() } else { hot.removeAll() }
        guard let session else { return }
        guard session.connection.isOpen else { return close() }
        session.forgetCollected()
        session.forgetExpected()
        do {
            try session.hold("ROLLBACK")
            try session.flush()
        } catch {
            close()
        }
    }

    func connected() throws(PostgresError) -> PostgresSession {
        if let session, session.connection.isOpen { return session }
        counters.noteConnection()
        hot.removeAll()
        let made = PostgresSession(try options.connect(.writing))
        session = made
        isServerChecked = false
        return made
    }

    // MARK: Between groups

    package func maintain(isAsked: Bool, isIdle: () -> Bool) {
        // Before the server was checked, the log's gaps are not known.
        guard let session, session.connection.isOpen, isServerChecked else { return }
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

/// The gateway that may write, as it stands in the row of `writer`. The number grows with each change of hands.
public struct PostgresFence: Equatable, Sendable {
    public let holder: String
    public let number: Int64
}
