import ChatModel
import Formats
import Synchronization

/// Makes the tokens that show push services who sends (RFC 8292), and keeps one for each origin.
///
/// A token is used for 12 hours and is valid for 23: the RFC allows 24 and asks for reuse, and the hour between is for
/// clocks that differ. Tokens are secrets.
package final class VAPIDTokens: Sendable {
    static let lifetimeSeconds = 23 * 3600
    static let renewalSeconds = 12 * 3600
    /// Origins whose tokens are kept; the oldest token goes when there are more.
    static let capacity = 64

    private struct Token {
        var text: String
        var issuedAt: Timestamp
    }

    private let key: VAPIDKey
    private let contact: VAPIDContact?
    private let tokens = Mutex<[String: Token]>([:])

    /// - Parameter contact: whom a push service may write to: the claim `sub`. Apple's service refuses
    ///   tokens without it.
    package init(key: VAPIDKey, contact: VAPIDContact?) {
        self.key = key
        self.contact = contact
    }

    /// The value of `Authorization` for requests to an origin.
    ///
    /// - Parameter origin: see ``TargetAddress/origin``; it becomes the claim `aud`.
    func authorization(origin: String, now: Timestamp) throws -> String {
        "vapid t=\(try token(origin: origin, now: now)), k=\(key.applicationServerKey)"
    }

    func token(origin: String, now: Timestamp) throws -> String {
        try tokens.withLock { tokens in
            // A clock that was set back would make a kept token valid for more than 24 hours.
            if let token = tokens[origin], token.issuedAt <= now,
                now < token.issuedAt.advanced(bySeconds: Self.renewalSeconds)
            {
                return token.text
            }
            let text = try sign(origin: origin, now: now)
            if tokens[origin] == nil, tokens.count >= Self.capacity,
                let oldest = tokens.min(by: { $0.value.issuedAt < $1.value.issuedAt })?.key
            {
                tokens[oldest] = nil
            }
            tokens[origin] = Token(text: text, issuedAt: now)
            return text
        }
    }

    var count: Int { tokens.withLock { $0.count } }

    private func sign(origin: String, now: Timestamp) throws -> String {
        var claims = JSONWriter()
        claims.beginObject()
        claims.member("aud", origin)
        claims.member("exp", now.advanced(bySeconds: Self.lifetimeSeconds).milliseconds / 1000)
        claims.member("sub", contact?.uri)
        claims.endObject()
        return try JSONWebToken.es256(
            header: Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8), claims: claims.bytes, key: key.signingKey)
    }
}
