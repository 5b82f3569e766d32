import Bounds
import DequeModule
import MicroHTTP
import Synchronization

/// Counts failed tries by a key, such as an address, within some time. Any thread may use it.
///
/// A valid token is never refused, however many failures came from its address: on one machine all programs share one
/// address. At most 1,024 keys are remembered; then the one with the oldest last try is forgotten.
final class FailureLimiter: Sendable {
    private let limit: Int
    /// The time since the limiter was made, by a clock that nobody sets. By the time of day, an address would stay locked
    /// out for as long as the clock is set back.
    private let elapsed: @Sendable () -> Duration
    private let window: Duration
    /// The times of the failures within the window, oldest first.
    private let tries = Mutex(RecentlyUsed<String, Deque<Duration>>(limit: FailureLimiter.capacity))
    private static let capacity = 1024

    /// - Parameters:
    ///   - limit: failed tries within the window that a key may make.
    ///   - elapsed: tells the time since some moment, by a clock that nobody sets.
    init(limit: Int, window: Duration = .seconds(60), elapsed: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.window = window
        self.elapsed = elapsed
    }

    /// Counts a failed try of an address, for IPv6 of a network.
    func countFailure(_ peer: Peer) -> Int? { countFailure(Self.address(peer)) }

    /// Counts a failed try. A try above the limit is not added, so nobody is locked out for longer than the window.
    ///
    /// - Returns: nil while the key has tries left, otherwise the seconds until it has one again, at least 1.
    func countFailure(_ key: String) -> Int? {
        let now = elapsed()
        return tries.withLock { tries in
            var recent = recent(tries[key], at: now)
            let wait = wait(after: recent, at: now)
            if wait == nil { recent.append(now) }
            tries[key] = recent
            return wait
        }
    }

    /// What ``countFailure(_:)-(String)`` would return; it counts nothing.
    func wait(_ key: String) -> Int? {
        let now = elapsed()
        return tries.withLock { tries in wait(after: recent(tries[key], at: now), at: now) }
    }

    /// Those of the tries that are within the window.
    private func recent(_ tries: Deque<Duration>?, at now: Duration) -> Deque<Duration> {
        var recent = tries ?? []
        while let first = recent.first, first <= now - window { recent.removeFirst() }
        return recent
    }

    /// The seconds until a key with these tries has one again; nil if it has one now.
    private func wait(after recent: Deque<Duration>, at now: Duration) -> Int? {
        guard recent.count >= limit else { return nil }
        let wait = (recent.first ?? now) + window - now
        // Rounded up: after these seconds it has a try again.
        return max(1, Int(wait.components.seconds) + (wait.components.attoseconds > 0 ? 1 : 0))
    }

    /// The key of a peer: one IPv6 network counts as one address, because a client has all addresses of its network.
    /// Over the UNIX socket it is the user.
    static func address(_ peer: Peer) -> String {
        switch peer {
        case .tcp(let address): address.network
        case .unix(let uid): "unix:\(uid)"
        }
    }
}
