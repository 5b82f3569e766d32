import ChatModel
import ChatStore
import Formats
import HTTPClientPort
import Synchronization

/// An app that is reached by APNs, over HTTP/2 with provider tokens.
package struct APNsPushApp: PushableApp {
    private let app: APNsApp
    private let tokens: APNsProviderTokens
    private let connection: APNsConnection
    private let environment: ModelEnvironment

    /// The limit of one call.
    static let timeout = Duration.seconds(15)

    package var configuration: any ConfiguredApp { app }

    /// The apps, each with its connection and its tokens. Apps of one signing key share its tokens, because APNs counts
    /// renewals by key. At one address they share the connection, too.
    ///
    /// - Parameter connect: makes a port that keeps one connection of its own.
    package static func all(
        _ accesses: [APNsAccess], environment: ModelEnvironment,
        connect: @escaping @Sendable (TrustRoots?) -> any HTTPPort = { AsyncHTTPPort.keepingConnection(trustRoots: $0) }
    ) -> [APNsPushApp] {
        var tokens: [[String]: APNsProviderTokens] = [:]
        var connections: [[String]: APNsConnection] = [:]
        return accesses.map { access in
            let app = access.app
            let signer = [app.team, app.keyID, app.keyPath]
            let place = signer + [app.url, app.caPath ?? ""]
            let provider = tokens[signer] ?? APNsProviderTokens(key: access.key, keyID: app.keyID, team: app.team)
            let connection = connections[place] ?? APNsConnection { connect(access.trustRoots) }
            tokens[signer] = provider
            connections[place] = connection
            return APNsPushApp(app: app, tokens: provider, connection: connection, environment: environment)
        }
    }

    /// Ends within twice ``timeout``, because an expired provider token leads to a second call.
    package func send(_ push: Push, to device: TargetRecord, at token: DeviceToken) async throws -> AppAnswer {
        guard let providerToken = try? tokens.current(now: environment.now()) else {
            return AppAnswer(outcome: .eventRefused, reason: "notSigned")
        }
        var (answer, said) = try await call(push, device, token, providerToken)
        if said.outcome(registeredAt: device.createdAt) == nil,
            let renewed = try? tokens.renewed(afterExpiryOf: providerToken, now: environment.now())
        {
            (answer, said) = try await call(push, device, token, renewed)
        }
        // APNs speaks HTTP/2 only, so a proxy or another service has answered.
        let isAPNs = answer.version == .http2
        return AppAnswer(
            // A token that was just made cannot have expired: this machine's clock must be wrong, which affects all
            // pushes.
            outcome: isAPNs ? said.outcome(registeredAt: device.createdAt) ?? .held : .held,
            status: answer.status, reason: isAPNs ? said.reason : "notHTTP2",
            retryAfter: answer.headers["retry-after"].flatMap { RetryAfter.delay($0, now: environment.now()) })
    }

    private func call(
        _ push: Push, _ device: TargetRecord, _ token: DeviceToken, _ providerToken: String
    ) async throws -> (HTTPAnswer, APNsAnswer) {
        let request = APNsRequest(
            push.message, alert: PushAlert(push.message, for: .apns), badge: push.badge,
            deepLink: push.message.deepLink, to: token, of: app, providerToken: providerToken,
            expiration: environment.now().advanced(by: RetrySchedule.timeToLive),
            id: APNsRequest.id(target: device.id, push: push.id))
        let answer = try await connection.send(
            HTTPCall(
                "POST", request.url, headers: request.headers.map { HTTPCall.Header($0.name, $0.value) },
                body: request.body, timeout: Self.timeout))
        return (answer, APNsAnswer(status: answer.status, body: answer.body))
    }
}

/// The connection to APNs of one signing key. It is kept open: APNs treats frequent opening and closing as an attack.
final class APNsConnection: Sendable {
    private struct State {
        var port: (any HTTPPort)?
        /// Of the port: grows with each.
        var generation = 0
        /// Calls in a row that had no answer in time.
        var timeouts = 0
    }

    /// After so many timeouts in a row the connection is taken for dead.
    private static let timeoutLimit = 2
    /// Bytes of an answer that are read.
    private static let answerLimit = 64 << 10

    private let connect: @Sendable () -> any HTTPPort
    private let state = Mutex(State())

    /// - Parameter connect: makes a port that keeps one connection, none that others have.
    init(connect: @escaping @Sendable () -> any HTTPPort) { self.connect = connect }

    /// One call. After the answer 503, and after two timeouts in a row, the next one goes out on a new connection;
    /// those that are under way keep theirs. A connection that APNs winds up (GOAWAY) is replaced by the port itself.
    func send(_ call: HTTPCall) async throws -> HTTPAnswer {
        let (port, generation) = current()
        do {
            let answer = try await port.sendReadingStart(call, limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
            recordOutcome(generation, timedOut: false, isLeft: answer.status == 503)
            return answer
        } catch {
            let timedOut = error as? HTTPCallError == .timeout
            recordOutcome(generation, timedOut: timedOut, isLeft: false)
            throw error
        }
    }

    private func current() -> (port: any HTTPPort, generation: Int) {
        state.withLock { state in
            if let port = state.port { return (port, state.generation) }
            let port = connect()
            state.port = port
            state.generation += 1
            state.timeouts = 0
            return (port, state.generation)
        }
    }

    private func recordOutcome(_ generation: Int, timedOut: Bool, isLeft: Bool) {
        state.withLock { state in
            // A report about an older connection says nothing about the present one.
            guard state.generation == generation else { return }
            state.timeouts = timedOut ? state.timeouts + 1 : 0
            if isLeft || state.timeouts >= Self.timeoutLimit { state.port = nil }
        }
    }
}

/// The provider token of one signing key: a JSON Web Token that APNs takes for an hour.
///
/// It is renewed after 45 minutes. APNs refuses tokens older than 60 minutes (`ExpiredProviderToken`) and renewals more
/// often than every 20 (`TooManyProviderTokenUpdates`), so no two tokens are closer than 20 minutes, whoever asks.
/// Tokens are secrets.
package final class APNsProviderTokens: Sendable {
    static let renewalSeconds = 45 * 60
    static let minimumIntervalSeconds = 20 * 60
    /// A token that seems to be issued further ahead than this was issued before the clock was set back.
    private static let clockToleranceSeconds = 60

    private struct Token {
        var text: String
        var issuedAt: Timestamp
    }

    private let key: APNsKey
    private let keyID: String
    private let team: String
    private let token = Mutex<Token?>(nil)

    /// - Parameters:
    ///   - keyID: the key's id, 10 characters.
    ///   - team: the team's id, 10 characters.
    package init(key: APNsKey, keyID: String, team: String) {
        self.key = key
        self.keyID = keyID
        self.team = team
    }

    /// The token to send with: `authorization: bearer <token>`.
    package func current(now: Timestamp) throws -> String {
        try token.withLock { token in
            if let token, !Self.isFromAnotherClock(token, now),
                now < token.issuedAt.advanced(bySeconds: Self.renewalSeconds)
            {
                return token.text
            }
            return try renew(&token, now)
        }
    }

    /// A token other than the one that APNs called expired. Nil when the last renewal is less than 20 minutes old:
    /// then the clock here is wrong, or APNs is, and a new token would not help.
    package func renewed(afterExpiryOf expired: String, now: Timestamp) throws -> String? {
        try token.withLock { token in
            if let token, !Self.isFromAnotherClock(token, now) {
                // Another request has renewed it meanwhile.
                if token.text != expired { return token.text }
                guard now >= token.issuedAt.advanced(bySeconds: Self.minimumIntervalSeconds) else { return nil }
            }
            return try renew(&token, now)
        }
    }

    /// `iat` would lie in the future, which APNs refuses. This is the one case in which 20 minutes are not awaited:
    /// they cannot be measured by a clock that was set back.
    private static func isFromAnotherClock(_ token: Token, _ now: Timestamp) -> Bool {
        now.advanced(bySeconds: clockToleranceSeconds) < token.issuedAt
    }

    private func renew(_ token: inout Token?, _ now: Timestamp) throws -> String {
        let text = try JSONWebToken.es256(header: header, claims: claims(issuedAt: now), key: key.signingKey)
        token = Token(text: text, issuedAt: now)
        return text
    }

    private var header: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("alg", "ES256")
        json.member("kid", keyID)
        json.endObject()
        return json.bytes
    }

    private func claims(issuedAt time: Timestamp) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("iss", team)
        json.member("iat", time.milliseconds / 1000)
        json.endObject()
        return json.bytes
    }
}
