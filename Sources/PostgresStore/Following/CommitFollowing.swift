import ChatModel
import ChatStore
import Synchronization

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
                feed.append(events, head: last.position.place, scrubbed: rows.flatMap(\.scrubbed))
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
