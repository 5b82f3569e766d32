import ChatModel
import Formats
import HTTPClientPort

/// What Google answered to the request for an access token (RFC 6749, section 5).
enum FCMTokenAnswer {
    /// An access token with its life. It is a secret.
    struct Grant: Sendable, Hashable {
        let token: String
        let lifetime: Duration
    }

    /// Bytes of a token; Google's have up to 2,048.
    static let maximumTokenLength = 4096
    /// What is taken for a token's life where the answer does not tell it.
    private static let usualLifetime: Int64 = 3600
    private static let maximumLifetime: Int64 = 24 * 3600

    /// - Parameter host: who was asked.
    static func read(_ answer: HTTPAnswer, from host: String, now: Timestamp) throws(FCMTokenFailure) -> Grant {
        let json = try? JSONParser.parse(answer.body)
        let retryAfter = answer.headers["retry-after"].flatMap { RetryAfter.delay($0, now: now) }
        switch answer.status {
        case 200..<300:
            guard let token = json?["access_token"]?.string, (1...maximumTokenLength).contains(token.utf8.count),
                token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw FCMTokenFailure(.held, "noAccessToken", host) }
            let seconds = json?["expires_in"]?.integer ?? usualLifetime
            return Grant(token: token, lifetime: .seconds(min(max(seconds, 1), maximumLifetime)))
        case 408, 429, 500...:
            throw FCMTokenFailure(.targetFailed, "accessTokenUnavailable", host, retryAfter: retryAfter)
        default:
            // `invalid_grant` also when this machine's clock is wrong.
            throw FCMTokenFailure(.held, json?["error"]?.googleWord ?? "accessTokenRefused", host)
        }
    }
}

/// Why there is no access token.
struct FCMTokenFailure: Error {
    let answer: AppAnswer

    init(_ outcome: AttemptOutcome, _ reason: String, _ host: String, retryAfter: Duration? = nil) {
        answer = AppAnswer(outcome: outcome, reason: reason, retryAfter: retryAfter, host: host)
    }
}
