import ChatModel
import Formats
import Synchronization

/// Which tokens faults have made void before their time. In memory only; may be used from any task.
final class VoidTokens: Sendable {
    /// Tokens that were issued up to this time are void. By customer; the key "" stands for all customers.
    private let times = Mutex([String: Timestamp]())

    /// The most customers whose tokens are void.
    static let limit = 1000

    /// Makes all tokens void that were issued up to the time.
    func add(upTo time: Timestamp) {
        // It says more than what is known of single customers.
        times.withLock { $0 = ["": time] }
    }

    /// The same for those of one customer; nil: of all. False when too many single customers are noted already.
    func add(of customer: String?, upTo time: Timestamp) -> Bool {
        guard let customer else {
            add(upTo: time)
            return true
        }
        return times.withLock { times in
            if times.count >= Self.limit {
                // Tokens that were given out longer ago have expired by themselves.
                let earliest = time.advanced(byMilliseconds: -Int64(Sandbox.tokenLifetime) * 1000)
                times = times.filter { $0.value > earliest }
            }
            guard times.count < Self.limit else { return false }
            times[customer] = time
            return true
        }
    }

    /// Whether a token was issued before its customer's tokens, or all tokens, were made void.
    func contains(_ claims: TokenClaims) -> Bool {
        times.withLock { times in
            [times[claims.customer], times[""]].contains { $0.map { claims.issuedAt <= $0 } ?? false }
        }
    }
}
