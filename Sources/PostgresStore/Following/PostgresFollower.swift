import ChatModel
import ChatStore
import Foundation
import Synchronization

/// Follows what other gateways commit, on a thread and a connection of its own.
///
/// A notification says that there is something. None is needed: it also looks each second.
final class PostgresFollower: Sendable {
    private let options: PostgresOptions
    private let following: CommitFollowing
    private let process: String
    private let counters: PostgresCounters
    /// A pipe: what is written into it wakes the thread up.
    private let wakeUp: (read: Int32, write: Int32)
    private let state = Mutex((isClosed: false, isRunning: false))
    private let ended = TimedSignal()

    /// How long ``close()`` waits for the thread.
    private static let longestEnd = Duration.seconds(3)

    /// - Parameter process: what the rows of this process's commits are known by.
    init(
        _ options: PostgresOptions, process: String, following: CommitFollowing, counters: PostgresCounters
    ) {
        self.options = options
        self.process = process
        self.following = following
        self.counters = counters
        var ends: [Int32] = [-1, -1]
        // Without a pipe, closing takes up to a second.
        _ = pipe(&ends)
        wakeUp = (ends[0], ends[1])
    }

    deinit {
        for end in [wakeUp.read, wakeUp.write] where end >= 0 { Foundation.close(end) }
    }

    func start() {
        let begins = state.withLock { state in
            defer { state.isRunning = !state.isClosed }
            return !state.isRunning && !state.isClosed
        }
        guard begins else { return }
        let thread = Thread { [self] in
            run()
            ended.raise()
        }
        thread.name = "postgres-follower"
        thread.start()
    }

    /// Ends the thread, and waits for it, but not for ever: a statement of its may wait for a server that is cut off. Then
    /// the thread ends by itself when that statement fails, and tells nobody.
    func close() {
        let isRunning = state.withLock { state in
            defer { state = (true, false) }
            return state.isRunning
        }
        guard isRunning else { return }
        var byte: UInt8 = 0
        _ = write(wakeUp.write, &byte, 1)
        _ = ended.wait(atMost: Self.longestEnd)
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func run() {
        var connection: PostgresConnection?
        var schedule = LookSchedule(process: process, now: .now)
        while !isClosed {
            do {
                if connection == nil {
                    connection = try listen()
                    // Notifications may have been missed.
                    schedule = LookSchedule(process: process, now: .now)
                }
                guard let open = connection else { continue }
                if schedule.isDue(at: .now) {
                    schedule.hasLooked(at: .now)
                    try readNewCommits(on: open)
                }
                let payloads = try open.notifications(within: schedule.pause(at: .now), orUntil: wakeUp.read)
                schedule.heard(payloads, at: .now)
            } catch {
                connection?.close()
                connection = nil
                pause()
            }
        }
        connection?.close()
    }

    private func listen() throws(PostgresError) -> PostgresConnection {
        let connection = try options.connect(.reading)
        try connection.hold("LISTEN parley")
        try connection.flush()
        return connection
    }

    private func readNewCommits(on connection: PostgresConnection) throws {
        counters.noteLook()
        let session = PostgresSession(connection)
        var newest = (number: Int64(0), floor: Int64(0))
        try session.query(
            """
            SELECT number, (SELECT value FROM meta WHERE name = 'floor') FROM committed ORDER BY number DESC LIMIT 1
            """, []
        ) { row in
            newest = (row.integer(0), row.integer(1))
            return false
        }
        following.feed.raiseFloor(to: newest.floor)
        guard newest.number > following.known.number else { return }
        try session.hold("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try following.catchUp(session)
        try session.hold("COMMIT")
        try session.flush()
    }

    /// Waits a second, or until it is closed.
    private func pause() {
        var entry = pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 1000)
    }
}

/// Where the row of a group stands among all commits.
struct CommitPosition: Equatable {
    /// Counts the groups without a gap.
    var number: Int64
    /// The log's head after the group.
    var place: Int64
}

/// What the table `committed` says of one group; see ``PostgresTables``.
private struct CommitRow {
    var position: CommitPosition
    /// The log's head before the group.
    var first: Int64
    var touched: [Int64]
    var scrubbed: [Int64]

    /// The columns that ``init(row:)`` reads.
    static let columns = "number, place, touched, scrubbed, first"

    init(row: any EngineRow) {
        position = CommitPosition(number: row.integer(0), place: row.integer(1))
        touched = row.withBlob(2) { [Int64](packedNumbers: $0) }
        scrubbed = row.withBlob(3) { [Int64](packedNumbers: $0) }
        first = row.integer(4)
    }

    /// Whether nothing is missing between a commit and this one: it is the next one, or it leaps from there over offsets
    /// that may have been lost, and were not. See ``PostgresWriter/leapOverLostCommits(_:number:place:)``.
    func joins(_ last: CommitPosition) -> Bool {
        position.number == last.number + 1
            || first == last.place && position.number - last.number >= PostgresWriter.leap
    }
}

extension [Int64] {
    /// 8 bytes each, the highest first.
    init(packedNumbers bytes: UnsafeRawBufferPointer) {
        self = stride(from: 0, to: bytes.count - 7, by: 8).map {
            Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self))
        }
    }

    var packedNumbers: [UInt8] {
        flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    }
}

/// When the follower looks for commits of other gateways: each second, and as soon as it has heard of one.
///
/// Commits of its own process are told by the writer. Looking for them would cost a query each time, and find nothing.
struct LookSchedule {
    /// What a notification says at its end when this process has made the commit.
    private let ownSuffix: String
    private var due: ContinuousClock.Instant

    static let interval = Duration.seconds(1)

    init(process: String, now: ContinuousClock.Instant) {
        ownSuffix = " " + process
        due = now
    }

    /// What a commit's notification says.
    static func payload(place: Int64, process: String) -> String { "\(place) \(process)" }

    func isDue(at now: ContinuousClock.Instant) -> Bool { now >= due }

    /// How long may be waited for notifications.
    func pause(at now: ContinuousClock.Instant) -> Duration { max(.zero, now.duration(to: due)) }

    mutating func hasLooked(at now: ContinuousClock.Instant) { due = now + Self.interval }

    mutating func heard(_ payloads: [String], at now: ContinuousClock.Instant) {
        if payloads.contains(where: { !$0.hasSuffix(ownSuffix) }) { due = now }
    }
}

/// Tells the feed of each commit once and in order, whoever has made it.
///
/// The writer tells of its own groups after their commit, and the follower of those that it finds in the database. Who
/// comes second finds that the feed is there already.
final class CommitFollowing: Sendable {
    let feed: EventFeed
    /// The last commit that the feed was told of. The feed is told under this lock, so that the order holds.
    private let position: Mutex<CommitPosition>
    private let invalidate = Mutex<(@Sendable (Set<Int64>?) -> Void)?>(nil)

    /// Whether the feed gets the events. If not, it hears only that there are some.
    private let readsEvents: Bool

    /// How many commits are read at once.
    private static let stepLimit: Int64 = 100
    /// How many bytes of events are read at once.
    private static let stepBytes = 1 << 20

    init(feed: EventFeed, position: CommitPosition, readsEvents: Bool = true) {
        self.feed = feed
        self.readsEvents = readsEvents
        self.position = Mutex(position)
    }

    var known: CommitPosition { position.withLock { $0 } }

    /// What makes pages of messages in memory invalid; see ``StoreBackend/start(invalidate:)``.
    func start(invalidate body: @escaping @Sendable (Set<Int64>?) -> Void) { invalidate.withLock { $0 = body } }

    /// Tells of a group that this gateway has committed, unless the follower did.
    func publish(_ group: CommittedGroup, at number: Int64) {
        let transaction = group.transaction
        position.withLock { position in
            guard number == position.number + 1 else { return }
            feed.append(transaction.events, head: transaction.head, scrubbed: transaction.scrubbed)
            position = CommitPosition(number: number, place: transaction.head)
        }
    }

    /// Reads what was committed after the last known commit, and tells of it. Returns whether there was anything.
    @discardableResult
    func catchUp(_ session: PostgresSession) throws -> Bool {
        var hasMoved = false
        while try step(session) { hasMoved = true }
        return hasMoved
    }

    private func step(_ session: PostgresSession) throws -> Bool {
        let known = known
        var rows: [CommitRow] = []
        try session.query(
            "SELECT \(CommitRow.columns) FROM committed WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(known.number), .integer(Self.stepLimit)]
        ) { row in
            rows.append(CommitRow(row: row))
            return true
        }
        guard let first = rows.first, let last = rows.last else { return false }
        let events = first.joins(known) ? try events(ReadTransaction(reading: session), known, last.position) : nil
        position.withLock { position in
            // Otherwise the writer was faster, and the next step reads on from there.
            guard position == known else { return }
            assert(last.position.place >= known.place, "Offsets ascend in the order of the commits.")
            let body = invalidate.withLock { $0 }
            if let events {
                body?(Set(rows.flatMap(\.touched)))
                // The events were read after the commits that took texts away: what they carry was logged afterwards.
                feed.append([], head: known.place, scrubbed: rows.flatMap(\.scrubbed))
                feed.append(events, head: last.position.place, scrubbed: [])
            } else {
                body?(nil)
                feed.restart(at: last.position.place)
            }
            position = last.position
        }
        return true
    }

    /// The events of the groups between two positions; nil when retention has deleted some.
    private func events(
        _ transaction: ReadTransaction, _ low: CommitPosition, _ high: CommitPosition
    ) throws -> [LogEvent]? {
        guard readsEvents else { return [] }
        var (events, through): ([LogEvent], Int64) = ([], low.place)
        while through < high.place {
            do {
                let step = try transaction.replay(
                    [.everyone], after: through, limit: Self.stepBytes, epoch: feed.epoch)
                events += step.events.filter { ($0.offset ?? 0) <= high.place }
                through = step.through
            } catch is CursorExpired {
                return nil
            }
        }
        return events
    }
}
