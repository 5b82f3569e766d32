import ChatModel
import DequeModule
import Formats
import MicroHTTP
import Synchronization

/// Counts failed logins by address, for IPv6 by network, within the last minute. Any thread may use it.
///
/// A valid token is never refused, however many failures came from its address: on one machine all programs share one
/// address. At most 1,024 addresses are remembered; then the one with the oldest last failure is forgotten.
final class FailureLimiter: Sendable {
    private let limit: Int
    private let now: @Sendable () -> Timestamp
    /// The times of the failures within the window, oldest first, by address.
    private let tries = Mutex<[String: Deque<Timestamp>]>([:])
    /// Milliseconds.
    private static let window: Int64 = 60_000
    private static let capacity = 1024

    /// - Parameter limit: failed tries within a minute that an address may make.
    init(limit: Int, now: @escaping @Sendable () -> Timestamp) {
        self.limit = limit
        self.now = now
    }

    /// Counts a failed try. A try above the limit is not added, so an address is never locked out for longer than a
    /// minute.
    ///
    /// - Returns: nil while the address has tries left, otherwise the seconds until it has one again, at least 1.
    func fail(_ peer: Peer) -> Int? {
        let now = now()
        let start = now.advanced(byMilliseconds: -Self.window)
        let address = Self.address(peer)
        return tries.withLock { tries in
            if tries[address] == nil, tries.count >= Self.capacity {
                tries = tries.filter { ($0.value.last ?? start) > start }
                if tries.count >= Self.capacity,
                    let quietest = tries.min(by: { ($0.value.last ?? start) < ($1.value.last ?? start) })
                {
                    tries[quietest.key] = nil
                }
            }
            var recent = tries[address] ?? []
            while let first = recent.first, first <= start { recent.removeFirst() }
            defer { tries[address] = recent }
            if recent.count < limit {
                recent.append(now)
                return nil
            }
            let oldest = recent.first ?? now
            return max(1, Int((oldest.milliseconds + Self.window - now.milliseconds + 999) / 1000))
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
