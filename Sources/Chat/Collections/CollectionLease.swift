import ChatModel
import Formats

/// How long a collection is kept for its client: while a stream holds it, and ``idleTime`` after its last use. Then it
/// is abandoned: it still exists, but a new collection may take its place.
struct CollectionLease: Sendable {
    /// Milliseconds without a stream, a fetch or a GET after which a collection is abandoned.
    static let idleTime: Int64 = 5 * 60 * 1000

    /// How many streams hold it now.
    private(set) var streams = 0
    private(set) var lastUse: Timestamp

    init(lastUse: Timestamp) { self.lastUse = lastUse }

    mutating func use(at now: Timestamp) { lastUse = now }

    mutating func hold() { streams += 1 }

    mutating func release(at now: Timestamp) {
        streams -= 1
        lastUse = now
    }

    mutating func isAbandoned(at now: Timestamp) -> Bool {
        // The clock may have been set back. Then the time counts from now.
        lastUse = min(lastUse, now)
        return streams == 0 && now.milliseconds - lastUse.milliseconds >= Self.idleTime
    }
}

extension LiveCollection {
    /// A stream that carries the collection has begun. It is kept until the matching ``release()``.
    public func hold() { withLease { lease, _ in lease.hold() } }

    /// A stream that has called ``hold()`` has ended. Must be called exactly once for each.
    public func release() { withLease { $0.release(at: $1) } }

    /// A client asked for the collection: its idle time begins again.
    func use() { withLease { $0.use(at: $1) } }

    /// When it was last used, if it is abandoned.
    var abandonedSince: Timestamp? { withLease { $0.isAbandoned(at: $1) ? $0.lastUse : nil } }

    /// Ends the collection if it is still abandoned, in one step. Returns whether it did.
    func endIfAbandoned() -> Bool {
        state.withLock { state in
            guard !state.isRemoved, state.lease.isAbandoned(at: now()) else { return false }
            state.isRemoved = true
            return true
        }
    }
}
