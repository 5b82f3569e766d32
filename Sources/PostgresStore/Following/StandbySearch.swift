import ChatModel
import ChatStore
import Dispatch
import Synchronization

/// Keeps the search index of a gateway current that stands by. It only reads the database.
///
/// It has a connection that hears of commits, and one that reads rows. While the database is away, it tries again; what
/// was committed meanwhile is read then. A store that is opened in the same folder goes on where the index stands.
public final class StandbySearch: Sendable {
    private struct State {
        var isStarted = false
        var isClosed = false
        var opened: (source: StandbySource, search: LazySearch)?
    }

    private let options: PostgresOptions
    private let folder: String
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "standby-search")
    private let ended = TimedSignal()

    /// How long ``close()`` waits: longer than a step of the index takes.
    private static let longestEnd = Duration.seconds(2)

    /// - Parameter folder: where the index stands.
    public init(_ options: PostgresOptions, folder: String) {
        self.options = options
        self.folder = folder
    }

    /// The offset up to which the index has everything; 0 while it is built, or not open.
    public var indexedTo: Int64 { state.withLock { $0.opened?.search }?.indexedTo ?? 0 }

    /// Begins, once the database has tables. Later calls, and calls after ``close()``, do nothing.
    public func start() {
        let begins = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isClosed
        }
        if begins { queue.async { [self] in open() } }
    }

    /// Ends it. It blocks until the index is closed, but two seconds at most: a step may be waiting for the network. That
    /// step ends by itself, and a store can use the index beside it.
    public func close() {
        let ends = state.withLock { state in
            defer { state.isClosed = true }
            return state.isStarted && !state.isClosed
        }
        guard ends else { return }
        queue.async { [self] in
            let opened = state.withLock { $0.opened.take() }
            Task {
                await opened?.search.close()
                ended.raise()
            }
            opened?.source.close()
        }
        _ = ended.wait(atMost: Self.longestEnd)
    }

    private func open() {
        if state.withLock({ $0.isClosed }) { return }
        do {
            let source = try StandbySource(options)
            let search = LazySearch(folder: folder, source: source)
            search.start()
            source.start()
            state.withLock { $0.opened = (source, search) }
        } catch {
            queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.open() }
        }
    }
}

/// The database of another gateway, as the search index of a standby sees it.
private final class StandbySource: SearchSource {
    /// It tells of commits, and has no events: who hears of them reads them in the database.
    let feed: EventFeed
    private let options: PostgresOptions
    private let counters = PostgresCounters()
    private let follower: PostgresFollower

    init(_ options: PostgresOptions) throws {
        let connection = try options.connect(.reading)
        defer { connection.close() }
        let identity = try PostgresOpening.read(PostgresSession(connection))
        self.options = options
        feed = EventFeed(epoch: identity.epoch, head: identity.head, floor: identity.floor, capacity: 0)
        let position = CommitPosition(number: identity.lastCommit, place: identity.head)
        follower = PostgresFollower(
            options, process: identity.process,
            following: CommitFollowing(feed: feed, position: position, readsEvents: false), counters: counters)
    }

    func start() { follower.start() }

    func makeReader() -> any StoreReader { PostgresStoreReader(options, counters: counters) }

    func close() { follower.close() }
}
