import ChatModel
import Formats

/// How long a collection is kept for whoever made it: while a stream holds it, and for some minutes after its last use.
struct Lease: Sendable {
    /// After so many milliseconds without stream, fetch or GET its place may be given to another.
    static let idleTime: Int64 = 5 * 60 * 1000

    /// Streams that hold it now.
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
        // The clock was set back: it counts from now, not only in a day.
        lastUse = min(lastUse, now)
        return streams == 0 && now.milliseconds - lastUse.milliseconds >= Self.idleTime
    }
}

extension LiveCollection {
    /// A stream that carries the collection has begun: until ``release()`` nobody takes its place.
    public func hold() { withLease { lease, _ in lease.hold() } }

    /// The stream has ended.
    public func release() { withLease { $0.release(at: $1) } }

    /// Somebody asks for it, or for more of it.
    func use() { withLease { $0.use(at: $1) } }

    /// When it was last used, if it is abandoned.
    var abandonedSince: Timestamp? { withLease { $0.isAbandoned(at: $1) ? $0.lastUse : nil } }

    /// Ends it if it is abandoned still. Returns whether it was.
    func endIfAbandoned() -> Bool {
        state.withLock { state in
            guard !state.isRemoved, state.lease.isAbandoned(at: now()) else { return false }
            state.isRemoved = true
            return true
        }
    }
}
