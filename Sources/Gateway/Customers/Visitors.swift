import Bounds
import Chat
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

    /// How many tasks one address gets.
    private static let challenges = Rate(burst: 60, perHour: 3_600)
    /// Milliseconds for which an anonymous JWT is remembered: as long as one may be valid.
    private static let memory: Int64 = 25 * 3_600_000
    private static let capacity = 65_536

    private enum Key: Hashable {
        case minute(address: String), hour(address: String)
        /// Before everybody has to work for it; and at all.
        case easy(channel: String), all(channel: String)
        case task(address: String)
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
    func countTry(from address: String?, _ limits: VisitorLimits) throws(Problem) {
        guard let address else { return }
        let (minute, hour) = (limits[.addressBeginsPerMinute], limits[.addressBeginsPerHour])
        try countOrThrow(.minute(address: address), Rate(burst: minute, perHour: minute * 60))
        try countOrThrow(.hour(address: address), Rate(burst: hour, perHour: hour))
    }

    /// Whether so many begin on the channel that each has to work.
    func isCrowded(_ channel: String, _ limits: VisitorLimits) -> Bool {
        let now = uptime()
        return state.withLock { $0.begun.wait(of: .easy(channel: channel), at: now, Self.easy(limits)) } != nil
    }

    private static func easy(_ limits: VisitorLimits, times factor: Int = 1) -> Rate {
        let count = limits[.channelBeginsPerHour] * factor
        return Rate(burst: count, perHour: count)
    }

    /// Counts that somebody begins on the channel, who has shown all that it asks for: what is refused before must not close
    /// the channel to others. Throws `tooManyVisitors`.
    func countBegin(on channel: String, _ limits: VisitorLimits) throws(Problem) {
        try countOrThrow(.all(channel: channel), Self.easy(limits, times: 10))
        _ = count(.easy(channel: channel), Self.easy(limits))
    }

    /// Counts that somebody asks for a task. Throws `tooManyVisitors`.
    func countChallenge(from address: String?) throws(Problem) {
        if let address { try countOrThrow(.task(address: address), Self.challenges) }
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
    private func count(_ key: Key, _ rate: Rate) -> Int64? {
        let now = uptime()
        return state.withLock { $0.begun.countTry(key, at: now, rate) }
    }

    /// Counts a try. Throws `tooManyVisitors` where it is refused.
    private func countOrThrow(_ key: Key, _ rate: Rate) throws(Problem) {
        guard let wait = count(key, rate) else { return }
        throw Problem(
            .tooManyVisitors, "\(rate.burst) chats may be begun at once here, and \(rate.perHour) an hour.",
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
