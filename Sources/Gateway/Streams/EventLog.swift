import ChatModel
import ChatStore
import DequeModule
import Formats

/// The event log as streams read it. ``StoreLog`` is the real one; tests bring their own.
protocol EventLog: Sendable {
    /// The incarnation of the log: cursors of another epoch mean nothing here.
    var epoch: String { get }
    /// The offset of the last committed event.
    var head: Int64 { get }
    /// The lowest position from which a stream can continue; lower ones have expired.
    var floor: Int64 { get }
    /// See ``EventFeed/restarts``.
    var restarts: Int { get }
    /// The events after a position, from the ring in memory. Quick, so the loop's thread may call it. `behind` when the
    /// ring does not reach back so far.
    func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead
    /// The same from the database: one step of at most `limit` bytes or so, and the position up to which it has read.
    func replay(
        _ audiences: [Audience], after offset: Int64, limit bytes: Int
    ) async throws -> (events: [LogEvent], through: Int64)
    /// The position after which the events of this time and later ones follow.
    func position(of time: Timestamp) async throws -> Int64
    /// The position after which the log has so many events for these audiences that the filter lets through; the floor
    /// if it has fewer.
    func position(ofLast count: Int, for audiences: [Audience], filter: EventFilter) async throws -> Int64
    /// Calls the receiver with the events of each commit, in the order of the log, and with ephemeral ones. It runs on
    /// the thread that commits, so it must be quick.
    ///
    /// - Returns: a closure that ends the subscription.
    func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void
}

/// The log of the gateway's store.
struct StoreLog: EventLog {
    let store: ChatStore

    var epoch: String { store.feed.epoch }
    var head: Int64 { store.feed.head }
    var floor: Int64 { store.feed.floor }
    var restarts: Int { store.feed.restarts }

    func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead {
        store.feed.read(audiences, after: offset, limit: bytes)
    }

    func replay(
        _ audiences: [Audience], after offset: Int64, limit bytes: Int
    ) async throws -> (events: [LogEvent], through: Int64) {
        let step = try await store.replay(audiences, after: offset, limit: bytes)
        return (step.events, step.through)
    }

    func position(of time: Timestamp) async throws -> Int64 { try await store.position(of: time) }

    func position(ofLast count: Int, for audiences: [Audience], filter: EventFilter) async throws -> Int64 {
        try await store.position(ofLast: count, for: audiences, where: filter.contains)
    }

    func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void {
        let subscription = store.feed.subscribe(receiver)
        return { subscription.cancel() }
    }
}

/// Events from the database, for a stream whose position the ring no longer has. One bounded read at a time; its events
/// are kept until they are written. For the loop's thread only.
struct LogFetch {
    typealias Answer = (events: [LogEvent], through: Int64)

    /// The bytes of events that one read asks for.
    private static let step = 256 << 10
    /// How far the database was read when the position has expired.
    private static let nowhere: Int64 = -1

    /// Whether an answer is awaited.
    private(set) var isRunning = false
    /// The position after which the last read began.
    private var start: Int64 = 0
    /// Events that are not written yet, and the position up to which the database was read.
    private var kept: (events: Deque<LogEvent>, through: Int64)?

    /// The database does not have all events after the position any more.
    private var isExpired = false

    /// Whether an answer is kept, even one without events left.
    var hasAnswer: Bool { kept != nil }
    /// The next event to write.
    var first: LogEvent? { kept?.events.first }

    /// Starts a read in a task. Does nothing when the server is gone.
    /// - Parameter finish: called on the loop's thread with the answer, or with nil after a failure; it has to end the
    ///   fetch.
    mutating func begin(
        _ hub: StreamHub, _ audiences: [Audience], after offset: Int64, finish: @escaping @Sendable (Answer?) -> Void
    ) {
        guard let loop = hub.loop else { return }
        isRunning = true
        start = offset
        let log = hub.log
        Task {
            let answer: Answer?
            do {
                answer = try await log.replay(audiences, after: offset, limit: Self.step)
            } catch is CursorExpired {
                answer = ([], Self.nowhere)
            } catch {
                answer = nil
            }
            loop.execute { finish(answer) }
        }
    }

    /// Ends the read and drops its answer.
    mutating func end() { isRunning = false }

    /// Ends the read and keeps its answer. If the log was cut meanwhile, the answer may have a hole and is dropped; the
    /// stream then finds that its position has expired.
    /// - Parameter floor: the log's present floor.
    /// - Returns: false when the database failed or made no progress.
    mutating func end(with answer: Answer?, floor: Int64) -> Bool {
        end()
        // The log was cut meanwhile, so there may be a hole: the position has expired, and that is no failure.
        if start < floor { return true }
        if answer?.through == Self.nowhere {
            isExpired = true
            return true
        }
        guard let answer, !answer.events.isEmpty || answer.through > start else { return false }
        kept = (Deque(answer.events), answer.through)
        return true
    }

    /// Returns once whether the position of the last read has expired.
    mutating func takeExpiry() -> Bool {
        defer { isExpired = false }
        return isExpired
    }

    mutating func removeFirst() { kept?.events.removeFirst() }

    /// Drops the answer, because all of its events are written.
    /// - Returns: the position up to which the log was read.
    mutating func finishWriting() -> Int64? {
        defer { kept = nil }
        return kept?.through
    }

    mutating func removeAll() { kept = nil }
}

/// The place of a stream in the log: how far it has been written, and whether more is to come. For the loop's thread
/// only.
struct LogPosition {
    /// The stages of a stream; it goes through them in this order, and may leave out the middle ones.
    enum Phase: Equatable {
        /// Nothing has been written yet.
        case opening
        /// The client's position is beyond the ring's head; the database is asked whether it exists.
        case verifying
        /// The events that the client has missed are being written, up to the log's end at the opening.
        case replaying(to: Int64)
        /// `ready` has been written; events follow as they happen.
        case live
    }

    var phase = Phase.opening
    /// Every event up to this offset was written or is not wanted.
    private(set) var cursor: Int64 = 0
    /// Where the client would resume: the last id that it was sent. It is below ``cursor`` when events followed that
    /// the client does not want.
    private var told: Int64 = 0
    /// The last event for this stream that the hub has announced. If it is above ``cursor``, there is something to
    /// write.
    private var news: Int64 = 0

    var isLive: Bool { phase == .live }

    /// Whether the stream is live and has written everything that was announced.
    var isUpToDate: Bool { isLive && news <= cursor }

    /// The position up to which the client has everything, if the hub has announced all events up to `delivered`. It
    /// can be above ``cursor``, because other streams' events need not be read.
    func reached(_ delivered: Int64) -> Int64 { isUpToDate ? max(cursor, delivered) : cursor }

    /// Takes the announcement of an event for this stream.
    /// - Returns: whether there is something to write.
    mutating func notice(_ offset: Int64, isWanted: Bool) -> Bool {
        if offset <= cursor { return false }
        if isUpToDate {
            // Events between the cursor and this one are for others, so they need not be read.
            cursor = isWanted ? offset - 1 : offset
            if !isWanted { return false }
        }
        news = max(news, offset)
        return true
    }

    /// There may be something to write up to this head, which nobody has announced.
    mutating func lookAgain(to head: Int64) { news = max(news, head) }

    /// Moves the cursor forward; an earlier offset changes nothing.
    mutating func move(to offset: Int64) { cursor = max(cursor, offset) }

    /// The client was sent the cursor as an id.
    mutating func markTold() { told = cursor }

    /// Goes back to where the client would resume, because the log does not know the cursor. Nothing that the client
    /// wants was written since.
    /// - Returns: false when it is there already.
    mutating func fallBack(head: Int64) -> Bool {
        guard told < cursor else { return false }
        cursor = told
        news = max(news, head)
        return true
    }

    /// Sets the cursor, also backward, to where the client is told to be.
    mutating func restart(at offset: Int64) {
        (cursor, told) = (offset, offset)
        news = min(news, offset)
    }

    /// Notes that the log was read up to `through`.
    /// - Parameter isEnd: whether nothing was left to read.
    /// - Returns: whether a replay has ended with it.
    mutating func read(through: Int64, isEnd: Bool) -> Bool {
        move(to: through)
        if case .replaying(let end) = phase { return isEnd || cursor >= end }
        if isEnd { news = cursor }
        return false
    }
}
