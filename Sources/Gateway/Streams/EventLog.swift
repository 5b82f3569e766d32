import ChatModel
import ChatStore
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
