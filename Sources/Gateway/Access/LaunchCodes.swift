import ChatModel
import Crypto
import Formats
import Synchronization

/// One-time codes that turn a browser into the gateway's own page (`/auth/<code>`). In memory only: a restart ends them.
public final class LaunchCodes: Sendable {
    /// How long a code works.
    static let lifetime: Int64 = 10 * 60 * 1000

    /// Codes that are kept; then the oldest ends.
    static let capacity = 1024

    private let environment: ModelEnvironment
    private let codes = Mutex<[String: Timestamp]>([:])

    init(environment: ModelEnvironment) { self.environment = environment }

    /// A fresh code: 32 characters that nobody can guess, and when it ends.
    func issue() -> (code: String, expiresAt: Timestamp) {
        let now = environment.now()
        let code = Base64URL.encode(SymmetricKey(size: .init(bitCount: 192)).withUnsafeBytes { Array($0) })
        let end = now.advanced(byMilliseconds: Self.lifetime)
        codes.withLock { codes in
            codes = codes.filter { $0.value > now }
            if codes.count >= Self.capacity, let oldest = codes.min(by: { $0.value < $1.value }) { codes[oldest.key] = nil }
            codes[code] = end
        }
        return (code, end)
    }

    /// Whether the code would be taken now.
    func isGood(_ code: String) -> Bool {
        let now = environment.now()
        return codes.withLock { $0[code].map { now < $0 } ?? false }
    }

    /// Takes a code: true once, and only in time.
    func redeem(_ code: String) -> Bool {
        let now = environment.now()
        guard let end = codes.withLock({ $0.removeValue(forKey: code) }) else { return false }
        return now < end
    }
}
