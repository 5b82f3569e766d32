import Bounds
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// What the gateway remembers of customers who begin by themselves: how many began, which tasks were solved, which anonymous
/// JWTs were used. All of it is in memory. Any thread may use it.
final class Visitors: Sendable {
    /// What the ids of customers begin with of whom nothing is known.
    static let prefix = "visitor-"

    /// How many chats may be begun from one address.
    private static let ofAddress = [Rate(burst: 6, perHour: 360), Rate(burst: 30, perHour: 30)]
    /// On one channel, before everybody has to work for it; and at all.
    private static let easy = Rate(burst: 600, perHour: 600)
    private static let all = Rate(burst: 6_000, perHour: 6_000)
    /// How many tasks one address gets.
    private static let challenges = Rate(burst: 60, perHour: 3_600)
    /// Milliseconds for which an anonymous JWT is remembered: as long as one may be valid.
    private static let memory: Int64 = 25 * 3_600_000
    private static let capacity = 65_536

    private struct Key: Hashable {
        let name: String
        let rate: Rate
    }

    private struct State {
        var begun = RateBook<Key>(capacity: Visitors.capacity)
        /// When each used JWT is forgotten.
        var used: [String: Int64] = [:]
    }

    let proofs: ProofOfWork
    private let uptime: @Sendable () -> Int64
    private let state = Mutex(State())

    /// - Parameter uptime: microseconds on a clock that never goes back.
    init(tokens: TokenAuthority, uptime: @escaping @Sendable () -> Int64) {
        proofs = ProofOfWork(tokens: tokens)
        self.uptime = uptime
    }

    /// Counts a try of an address. Throws `tooManyVisitors`.
    ///
    /// - Parameter address: nil where it tells nothing: on this machine, and behind a proxy that names nobody.
    func ask(from address: String?) throws(Problem) {
        for rate in address == nil ? [] : Self.ofAddress {
            try take(Key(name: "from \(address ?? "")", rate: rate))
        }
    }

    /// Whether so many begin on the channel that each has to work.
    func isCrowded(_ channel: String) -> Bool {
        let (key, now) = (Key(name: "on \(channel)", rate: Self.easy), uptime())
        return state.withLock { $0.begun.wait(of: key, at: now, key.rate) } != nil
    }

    /// Counts that somebody begins on the channel, who has shown all that it asks for: what is refused before must not close
    /// the channel to others. Throws `tooManyVisitors`.
    func begin(on channel: String) throws(Problem) {
        try take(Key(name: "on \(channel)", rate: Self.all))
        _ = count(Key(name: "on \(channel)", rate: Self.easy))
    }

    /// Counts that somebody asks for a task. Throws `tooManyVisitors`.
    func askForChallenge(from address: String?) throws(Problem) {
        if let address { try take(Key(name: "task \(address)", rate: Self.challenges)) }
    }

    /// Counts a JWT that names nobody. Returns false if it was used before.
    func use(token id: String, on channel: String, at now: Timestamp) -> Bool {
        state.withLock { state in
            let name = "\(channel)\u{0}\(id)"
            if state.used.count >= Self.capacity { state.used = state.used.filter { $0.value > now.milliseconds } }
            guard state.used.count < Self.capacity, state.used[name].map({ $0 <= now.milliseconds }) ?? true else {
                return false
            }
            state.used[name] = now.milliseconds + Self.memory
            return true
        }
    }

    /// Counts a try. Returns the microseconds to wait where it is refused.
    private func count(_ key: Key) -> Int64? {
        let now = uptime()
        return state.withLock { $0.begun.take(key, at: now, key.rate) }
    }

    private func take(_ key: Key) throws(Problem) {
        guard let wait = count(key) else { return }
        throw Problem(
            .tooManyVisitors, "\(key.rate.burst) chats may be begun at once here, and \(key.rate.perHour) an hour.",
            retryAfter: Int((wait + 999_999) / 1_000_000))
    }
}

extension GatewayCore {
    /// By which address chats that are begun are counted; nil where it tells nothing of the customer.
    func visitorAddress(of request: HTTPRequest) -> String? {
        guard case .tcp(let address) = peer(of: request) else { return nil }
        return address.isLoopback ? nil : address.network
    }
}
