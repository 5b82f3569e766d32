import ChatStore

/// The event log, as streams read it. ``StoreLog`` is the real one; tests bring their own.
protocol EventLog: Sendable {
    var epoch: String { get }
    /// The last committed offset.
    var head: Int64 { get }
    /// Positions below have expired.
    var floor: Int64 { get }
    /// What the ring holds after a position: memory only, quick.
    func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead
    /// The same from the database, one bounded step.
    func replay(_ audiences: [Audience], after offset: Int64, limit bytes: Int) async throws -> (events: [LogEvent], through: Int64)
    /// - Returns: what ends the subscription.
    func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void
}

/// The store's log.
struct StoreLog: EventLog {
    let store: ChatStore

    var epoch: String { store.feed.epoch }
    var head: Int64 { store.feed.head }
    var floor: Int64 { store.feed.floor }

    func read(_ audiences: [Audience], after offset: Int64, limit bytes: Int) -> RingRead {
        store.feed.read(audiences, after: offset, limit: bytes)
    }

    func replay(_ audiences: [Audience], after offset: Int64, limit bytes: Int) async throws -> (events: [LogEvent], through: Int64) {
        let step = try await store.replay(audiences, after: offset, limit: bytes)
        return (step.events, step.through)
    }

    func subscribe(_ receiver: @escaping @Sendable ([LogEvent]) -> Void) -> @Sendable () -> Void {
        let subscription = store.feed.subscribe(receiver)
        return { subscription.cancel() }
    }
}
