import ChatModel
import Crypto
import Formats
import Synchronization

/// The key by which push services know this gateway (VAPID, RFC 8292).
///
/// A browser ties its subscription to this key, and a lost key ends all subscriptions. So it is derived from the data
/// folder's key, is stored nowhere, and never changes by itself. It signs, and is never used to encrypt.
package struct VAPIDKey: Sendable {
    let signingKey: P256.Signing.PrivateKey

    /// None of 256 candidates was a key. It does not occur with HKDF: each fails with a probability of about 2^-32.
    package struct NoValidScalar: Error {}

    /// HKDF-SHA256 without salt, info `parley vapid 1`, 32 bytes, read as a scalar of P-256.
    ///
    /// Not each number of 32 bytes is a scalar: 0 and the curve's order and above are none. Then it is derived again
    /// with a counter, one byte from 1 on, at the end of the info. So one folder key gives one VAPID key, always the
    /// same.
    package init(folderKey: [UInt8]) throws {
        let key = SymmetricKey(data: folderKey)
        try self.init { counter in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Array("parley vapid 1".utf8) + (counter == 0 ? [] : [counter]),
                outputByteCount: 32
            ).withUnsafeBytes { Array($0) }
        }
    }

    /// - Parameter candidate: 32 bytes for a counter, which is 0 at first.
    init(candidate: (UInt8) -> [UInt8]) throws {
        for counter in UInt8.min...UInt8.max {
            guard let key = try? P256.Signing.PrivateKey(rawRepresentation: candidate(counter)) else { continue }
            signingKey = key
            return
        }
        throw NoValidScalar()
    }

    /// What a page passes to `PushManager.subscribe`: the public key, 65 bytes in base64url.
    package var applicationServerKey: String { Base64URL.encode(signingKey.publicKey.x963Representation) }
}

/// Whom a push service may write to about this gateway: the claim `sub` of its tokens (RFC 8292, section 2.1).
package struct VAPIDContact: Sendable, Hashable {
    /// `mailto:` or `https:`
    package let uri: String

    /// Nil for anything but `mailto:` with an address and an `https` URL, of at most 256 bytes.
    package init?(_ text: String) {
        guard text.utf8.count <= 256 else { return nil }
        if text.hasPrefix("mailto:") {
            let parts = text.dropFirst("mailto:".count).split(separator: "@", omittingEmptySubsequences: false)
            let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\,;".utf8.contains($0) }
            guard isPrintable, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        } else {
            guard (try? TargetAddress(text, schemes: [.https], maximumLength: 256)) != nil else { return nil }
        }
        uri = text
    }

    /// Whether a push service refuses tokens without a contact. Apple's answers `BadJwtToken`.
    package static func isNeeded(for endpoint: TargetAddress) -> Bool { endpoint.host.hasSuffix(".push.apple.com") }
}

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
