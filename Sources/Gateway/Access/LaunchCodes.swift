import ChatModel
import Formats
import Synchronization

/// One-time codes that log a browser in (`/auth/<code>`). They are in memory only, so a restart ends them. Any thread
/// may use them.
public final class LaunchCodes: Sendable {
    /// How long a code works, in milliseconds.
    static let lifetime: Int64 = 10 * 60 * 1000

    /// The most codes that are kept. When there are more, the one that expires first is dropped.
    static let capacity = 1024

    private let environment: ModelEnvironment
    private struct Issued {
        let end: Timestamp
        /// The login that asked for it; nil for the gateway's token.
        let login: String?
    }

    private let codes = Mutex<[String: Issued]>([:])

    init(environment: ModelEnvironment) { self.environment = environment }

    /// Makes a code of 32 random characters (192 bits, base64url).
    ///
    /// - Parameter login: the one that asks for it; nil for the gateway's token.
    func issue(by login: String? = nil) -> (code: String, expiresAt: Timestamp) {
        let now = environment.now()
        // The system's generator is `getrandom`, which is made for secrets.
        var generator = SystemRandomNumberGenerator()
        let code = Base64URL.encode((0..<24).map { _ in generator.next() as UInt8 })
        let end = now.advanced(byMilliseconds: Self.lifetime)
        codes.withLock { codes in
            codes = codes.filter { $0.value.end > now }
            if codes.count >= Self.capacity, let oldest = codes.min(by: { $0.value.end < $1.value.end }) {
                codes[oldest.key] = nil
            }
            codes[code] = Issued(end: end, login: login)
        }
        return (code, end)
    }

    /// Ends the codes for which these logins have asked.
    func forget(issuedBy logins: [String]) {
        codes.withLock { codes in codes = codes.filter { code in code.value.login.map { !logins.contains($0) } ?? true }
        }
    }

    /// Whether ``redeem(_:)`` would succeed now. It does not use the code up.
    func isGood(_ code: String) -> Bool {
        let now = environment.now()
        return codes.withLock { $0[code].map { now < $0.end } ?? false }
    }

    /// Uses the code up. True only for the first call, and only before the code has expired.
    func redeem(_ code: String) -> Bool {
        let now = environment.now()
        guard let issued = codes.withLock({ $0.removeValue(forKey: code) }) else { return false }
        return now < issued.end
    }
}
