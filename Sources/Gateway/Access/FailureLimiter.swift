import Bounds
import DequeModule
import MicroHTTP
import Synchronization

/// Counts failed logins by address, for IPv6 by network, within the last minute. Any thread may use it.
///
/// A valid token is never refused, however many failures came from its address: on one machine all programs share one
/// address. At most 1,024 addresses are remembered; then the one with the oldest last try is forgotten.
final class FailureLimiter: Sendable {
    private let limit: Int
    /// The time since the limiter was made, by a clock that nobody sets. By the time of day, an address would stay locked
    /// out for as long as the clock is set back.
    private let elapsed: @Sendable () -> Duration
    /// The times of the failures within the window, oldest first, by address.
    private let tries = Mutex(RecentlyUsed<String, Deque<Duration>>(limit: FailureLimiter.capacity))
    private static let window = Duration.seconds(60)
    private static let capacity = 1024

    /// - Parameters:
    ///   - limit: failed tries within a minute that an address may make.
    ///   - elapsed: tells the time since some moment, by a clock that nobody sets.
    init(limit: Int, elapsed: @escaping @Sendable () -> Duration) {
        self.limit = limit
        self.elapsed = elapsed
    }

    /// Counts a failed try. A try above the limit is not added, so an address is never locked out for longer than a
    /// minute.
    ///
    /// - Returns: nil while the address has tries left, otherwise the seconds until it has one again, at least 1.
    func fail(_ peer: Peer) -> Int? {
        let now = elapsed()
        let address = Self.address(peer)
        return tries.withLock { tries in
            var recent = tries[address] ?? []
            while let first = recent.first, first <= now - Self.window { recent.removeFirst() }
            defer { tries[address] = recent }
            if recent.count < limit {
                recent.append(now)
                return nil
            }
            let wait = (recent.first ?? now) + Self.window - now
            // Rounded up: after these seconds it has a try again.
            return max(1, Int(wait.components.seconds) + (wait.components.attoseconds > 0 ? 1 : 0))
        }
    }

    /// The key of a peer: one IPv6 network counts as one address, because a client has all addresses of its network.
    /// Over the UNIX socket it is the user.
    private static func address(_ peer: Peer) -> String {
        switch peer {
        case .tcp(let address): address.network
        case .unix(let uid): "unix:\(uid)"
        }
    }
}
