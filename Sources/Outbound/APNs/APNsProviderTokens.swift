import ChatModel
import Formats
import Synchronization

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
