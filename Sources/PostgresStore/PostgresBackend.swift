import ChatModel
import ChatStore
import Dispatch
import Glibc
import Synchronization

/// The store in a database of PostgreSQL.
final class PostgresBackend: StoreBackend {
    let feed: EventFeed
    let instance: String
    let counters: PostgresCounters
    private let writer: PostgresWriter
    private let following: CommitFollowing
    private let follower: PostgresFollower
    private let readers: PostgresReaders
    private let options: PostgresOptions
    private let headFile: HeadFile
    /// The writer's thread.
    private let queue = DispatchQueue(label: "write")

    /// Another gateway may have another disk.
    var keepsFiles: Bool { true }
    /// Each unit has a savepoint, and beyond 64 of them in a transaction every snapshot of the server slows down.
    var groupLimit: Int { 60 }
    var trimmer: LogTrimmer { writer.trimmer }
    var walByteCount: Int64 { 0 }
    var networkFigures: StoreNetworkFigures? {
        let figures = counters.figures
        return StoreNetworkFigures(
            lockWaitSeconds: figures.waited, lockHeldSeconds: figures.held, roundTrips: figures.roundTrips,
            repeatedGroups: figures.repetitions, followerReads: figures.looks, reconnects: figures.connections)
    }

    init(
        _ options: PostgresOptions, folder: String, _ store: StoreOptions, _ environment: ModelEnvironment
    ) throws {
        self.options = options
        counters = PostgresCounters()
        let session = PostgresSession(try options.connect(.writing))
        let identity = try PostgresOpening.open(session, options, environment)
        try PostgresOpening.noteWriter(session)
        instance = identity.instance
        headFile = HeadFile(folder: folder)
        let known = headFile.read()
        feed = EventFeed(
            epoch: identity.epoch, head: identity.head, floor: identity.floor, capacity: store.ringCapacity)
        let trimmer = LogTrimmer(retention: store.retention, feed: feed, environment: environment)
        following = CommitFollowing(
            feed: feed, position: CommitPosition(number: identity.lastCommit, place: identity.head))
        follower = PostgresFollower(
            options, process: identity.process, following: following, counters: counters)
        writer = PostgresWriter(
            session, process: identity.process, following: following, trimmer: trimmer,
            seen: known?.instance == identity.instance ? known?.offset ?? 0 : 0, options: options,
            rehearses: store.rehearses, hot: HotRows(capacity: store.hotRowsCapacity), counters: counters,
            environment: environment)
        readers = PostgresReaders(options, counters: counters)
    }

    func start(invalidate: @escaping @Sendable (Set<Int64>?) -> Void) {
        following.start(invalidate: invalidate)
        follower.start()
    }

    func publish(_ group: CommittedGroup) { writer.publish(group) }

    func run(_ body: @escaping @Sendable (any StoreWriter) -> Void) {
        queue.async { [writer] in body(writer) }
    }

    func readAside(_ body: @escaping @Sendable (Result<ReadTransaction, any Error>) -> Void) { readers.read(body) }

    func makeReader() -> any StoreReader { PostgresStoreReader(options, counters: counters) }

    func noteHead() { headFile.write(instance: instance, offset: feed.head) }

    func close() async {
        await readers.close()
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                noteHead()
                follower.close()
                writer.close()
                continuation.resume()
            }
        }
    }
}

extension ChatStore {
    /// Opens a database of PostgreSQL, and makes the tables if it is empty. Files are kept in the folder, which exists.
    ///
    /// It blocks the calling thread. Throws an error whose description tells the operator what to do.
    public static func open(
        postgres: PostgresOptions, folder: String, options: StoreOptions = StoreOptions(),
        environment: ModelEnvironment
    ) throws -> ChatStore {
        let backend = try PostgresBackend(postgres, folder: folder, options, environment)
        return ChatStore(backend: backend, folder: folder, options: options, environment: environment)
    }
}

/// What the store does on its connections, counted since it was opened. Any thread may use it.
final class PostgresCounters: Sendable {
    struct Figures: Sendable {
        /// Times that the writer has waited for other gateways, and has kept them out, in seconds.
        var waited = 0.0, held = 0.0
        var roundTrips = 0
        /// Groups that were undone for a reason that passes, and were run again.
        var repetitions = 0
        /// Times that the follower has asked for commits of other gateways.
        var looks = 0
        /// Connections that were made anew.
        var connections = 0
    }

    private let state = Mutex(Figures())

    var figures: Figures { state.withLock { $0 } }

    func recordGroup(waited: Duration, held: Duration, roundTrips: Int) {
        state.withLock {
            $0.waited += waited / .seconds(1)
            $0.held += held / .seconds(1)
            $0.roundTrips += roundTrips
        }
    }

    func noteRepetition() { state.withLock { $0.repetitions += 1 } }
    func noteLook() { state.withLock { $0.looks += 1 } }
    func noteConnection() { state.withLock { $0.connections += 1 } }
}

/// A pause of a thread that belongs to the store. Tasks must not use it.
enum PostgresPause {
    static func wait(_ time: Duration) {
        usleep(UInt32(clamping: Int64(time / .microseconds(1))))
    }
}

/// The pauses between attempts to reach a database that is away: from 50 ms, twice as long each time, up to 2 s.
///
/// Each is shortened at random by up to a half, so that not all gateways come back at the same moment.
struct PostgresBackoff {
    private static let first = Duration.milliseconds(50)
    private static let longest = Duration.seconds(2)
    private var pause = Self.first

    /// - Parameter random: from 0 to 1.
    mutating func next(_ random: Double) -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause * (1 - min(max(random, 0), 1) / 2)
    }

    mutating func reset() { pause = Self.first }
}
