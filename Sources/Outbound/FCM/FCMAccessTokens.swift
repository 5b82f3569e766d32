import ChatModel
import Formats
import HTTPClientPort

/// The access token of one service account (RFC 7523): the account's signature is exchanged for it.
///
/// The token is kept until shortly before it expires. Only one exchange runs at a time, and all callers that need the
/// token wait for it. A caller that is cancelled leaves at once, and the exchange is cancelled when all have left. Tokens
/// are secrets.
actor FCMAccessTokens {
    /// What the token is good for.
    static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// A token is renewed so long before its end, or after half of its life if that is later.
    static let margin = Duration.minutes(5)
    /// The limit of an exchange.
    static let timeout = Duration.seconds(15)
    /// Seconds for which the account's signature is valid: Google takes no more.
    static let assertionSeconds = 3600

    private struct Token {
        var text: String
        var issuedAt: Timestamp
        var usableUntil: Timestamp
    }

    private struct Exchange {
        var id: Int
        var task: Task<Void, Never>
        /// Who waits for it, by number.
        var waiting: [Int: CheckedContinuation<String, any Error>] = [:]
    }

    private let account: FCMAccount
    private let port: any HTTPPort
    private let environment: ModelEnvironment
    private var token: Token?
    private var exchange: Exchange?
    private var exchanges = 0
    private var callers = 0

    init(account: FCMAccount, port: any HTTPPort, environment: ModelEnvironment) {
        self.account = account
        self.port = port
        self.environment = environment
    }

    /// The token to send with. Throws ``FCMTokenFailure`` where Google gives none, and what the port throws; when its task
    /// is cancelled, `CancellationError` at once.
    func current() async throws -> String {
        let now = environment.now()
        // A clock that was set back would make a kept token valid for too long.
        if let token, token.issuedAt <= now, now < token.usableUntil { return token.text }
        callers += 1
        let caller = callers
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(caller, $0) }
        } onCancel: {
            Task { await self.leave(caller) }
        }
    }

    /// Forgets a token that is not accepted: the next call gets another one.
    func discard(_ text: String) {
        if token?.text == text { token = nil }
    }

    /// How many wait for an exchange.
    var waitingCount: Int { exchange?.waiting.count ?? 0 }

    private func join(_ caller: Int, _ continuation: CheckedContinuation<String, any Error>) {
        // It may have left already.
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        var current = exchange ?? begin()
        current.waiting[caller] = continuation
        exchange = current
    }

    private func leave(_ caller: Int) {
        guard let continuation = exchange?.waiting.removeValue(forKey: caller) else { return }
        if exchange?.waiting.isEmpty == true {
            exchange?.task.cancel()
            exchange = nil
        }
        continuation.resume(throwing: CancellationError())
    }

    private func begin() -> Exchange {
        exchanges += 1
        let id = exchanges
        let task = Task {
            let result: Result<String, any Error>
            do {
                result = .success(try await ask())
            } catch {
                result = .failure(error)
            }
            ended(id, result)
        }
        return Exchange(id: id, task: task)
    }

    /// Does nothing for an exchange that all have left.
    private func ended(_ id: Int, _ result: Result<String, any Error>) {
        guard let ended = exchange, ended.id == id else { return }
        exchange = nil
        for continuation in ended.waiting.values { continuation.resume(with: result) }
    }

    private func ask() async throws -> String {
        let now = environment.now()
        guard let assertion = try? assertion(at: now) else {
            throw FCMTokenFailure(.held, "notSigned", account.tokenURL.host)
        }
        let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer".percentEncoded
        let answer = try await port.sendReadingStart(
            HTTPCall(
                "POST", account.tokenURL.url,
                headers: [HTTPCall.Header("content-type", "application/x-www-form-urlencoded")],
                body: Array("grant_type=\(grant)&assertion=\(assertion)".utf8), timeout: Self.timeout),
            limit: FCMAnswer.maximumLength, kept: FCMAnswer.maximumLength)
        let granted = try FCMTokenAnswer.read(answer, from: account.tokenURL.host, now: environment.now())
        token = Token(
            text: granted.token, issuedAt: now,
            usableUntil: now.advanced(by: max(granted.lifetime - Self.margin, granted.lifetime / 2)))
        return granted.token
    }

    /// What the account signs to get a token.
    private func assertion(at time: Timestamp) throws -> String {
        var header = JSONWriter()
        header.beginObject()
        header.member("alg", "RS256")
        header.member("typ", "JWT")
        header.member("kid", account.keyID)
        header.endObject()
        let seconds = time.milliseconds / 1000
        var claims = JSONWriter()
        claims.beginObject()
        claims.member("iss", account.email)
        claims.member("scope", Self.scope)
        claims.member("aud", account.tokenURL.url)
        claims.member("iat", seconds)
        claims.member("exp", time.advanced(bySeconds: Self.assertionSeconds).milliseconds / 1000)
        claims.endObject()
        return try JSONWebToken.rs256(header: header.bytes, claims: claims.bytes, key: account.key)
    }
}

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
