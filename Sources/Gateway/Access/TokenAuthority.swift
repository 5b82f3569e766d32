import ChatModel
import Formats
import HTTPRouting
import Synchronization

/// The secrets behind all tokens; the data folder keeps them.
public struct TokenSecrets: Sendable {
    /// The gateway's own token (`DIR/token`).
    public var gatewayToken: String
    /// The key for session tokens and the page cookie (`DIR/key`), at least 32 bytes. Another key makes all of them
    /// invalid.
    public var key: [UInt8]

    public init(gatewayToken: String, key: [UInt8]) {
        self.gatewayToken = gatewayToken
        self.key = key
    }
}

/// Makes and checks tokens. Any thread may use it.
///
/// No session's token is stored: it is derived from the key, the session's id and the session's generation whenever it
/// is needed. A new generation makes all earlier tokens of the session invalid.
final class TokenAuthority: Sendable {
    /// The name of the page cookie. Browsers share cookies between the ports of a host, so the name contains the
    /// gateway's instance.
    let cookieName: String
    /// The value of the page cookie, which has the rights of the gateway's token. It is derived from the key, so it
    /// survives a restart.
    let cookieValue: String

    private let gatewayToken: [UInt8]
    private let key: MessageAuthentication
    private let generation: @Sendable (String) -> Int?
    /// Valid tokens with their session and its generation at the time, to save the HMAC. Emptied when it has 4,096
    /// entries.
    private let verified = Mutex<[String: (session: String, generation: Int)]>([:])
    private static let capacity = 4096

    /// - Parameters:
    ///   - instance: identifies this gateway among those of the machine.
    ///   - generation: the present generation of a session; nil when there is no such session.
    init(secrets: TokenSecrets, instance: String, generation: @escaping @Sendable (String) -> Int?) {
        gatewayToken = Array(secrets.gatewayToken.utf8)
        key = MessageAuthentication(key: secrets.key)
        self.generation = generation
        cookieName = "parley_\(instance)"
        cookieValue = Self.derive(key, "page\u{0}\(instance)")
    }

    /// The token of a session: `<id>.<HMAC-SHA256 of id and generation, base64url>`. The same arguments always give the
    /// same token.
    func token(session: String, generation: Int) -> String {
        "\(session).\(Self.derive(key, "session\u{0}\(session)\u{0}\(generation)"))"
    }

    /// Whom a valid token stands for.
    struct Holder: Sendable, Equatable {
        /// By what the request has shown who makes it.
        enum Proof { case token, cookie, user }

        let identity: Identity
        var proof = Proof.token
        /// The session's generation for which the token is valid; nil for tokens that stay valid.
        var generation: Int?
    }

    /// The session for which a token would be, whether it is valid or not; nil for the gateway's token.
    func session(in token: String) -> String? {
        guard !Self.isEqual(token, gatewayToken), let dot = token.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        return String(token[..<dot])
    }

    /// The holder of the token; nil when the token is not valid, or its session is gone or has another generation.
    ///
    /// - Parameter read: a session's generation that the caller has read from the store.
    func holder(of token: String, read: (session: String, generation: Int?)? = nil) -> Holder? {
        if Self.isEqual(token, gatewayToken) { return Holder(identity: .gateway) }
        let generation = { [generation] (session: String) in
            read?.session == session ? read?.generation : generation(session)
        }
        if let known = verified.withLock({ $0[token] }) {
            guard generation(known.session) == known.generation else { return nil }
            return Holder(identity: .session(known.session), generation: known.generation)
        }
        guard let session = session(in: token), let generation = generation(session) else { return nil }
        guard Self.isEqual(token, Array(self.token(session: session, generation: generation).utf8)) else { return nil }
        verified.withLock { verified in
            if verified.count >= Self.capacity { verified.removeAll(keepingCapacity: true) }
            verified[token] = (session, generation)
        }
        return Holder(identity: .session(session), generation: generation)
    }

    /// Whether the token of this holder is still valid.
    func isCurrent(_ holder: Holder) -> Bool {
        guard case .session(let id) = holder.identity else { return true }
        return generation(id) == holder.generation
    }

    /// A name that holds for one token alone, made of one that nobody else has: `<name>.<HMAC-SHA256, base64url>`. It
    /// ends with the token. Nothing is stored.
    func bound(_ name: String, to identity: Identity) -> String {
        let holder =
            switch identity {
            case .nobody: ""
            case .gateway: String(decoding: gatewayToken, as: UTF8.self)
            case .session(let id): "\(id)\u{0}\(generation(id) ?? 0)"
            }
        return "\(name).\(Self.derive(key, "bound\u{0}\(name)\u{0}\(holder)"))"
    }

    /// Whether ``bound(_:to:)`` made the name for this token.
    func isBound(_ name: String, to identity: Identity) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return Self.isEqual(name, Array(bound(String(name[..<dot]), to: identity).utf8))
    }

    /// Whether a `Cookie` header holds a valid page cookie; nil when it has no cookie of this name.
    func isPageCookie(_ header: String) -> Bool? {
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(cookieName), pair.dropFirst(cookieName.count).first == "=" else { continue }
            return Self.isEqual(String(pair.dropFirst(cookieName.count + 1)), Array(cookieValue.utf8))
        }
        return nil
    }

    /// HMAC-SHA256 of the text, as base64url. Texts begin with their purpose, so that a token of one kind never equals
    /// one of another.
    private static func derive(_ key: MessageAuthentication, _ text: String) -> String {
        Base64URL.encode(key.code(for: Array(text.utf8)))
    }

    /// Compares in constant time: the time does not depend on where the texts differ, so nobody can guess a token byte
    /// by byte. Only the length can be learned.
    private static func isEqual(_ text: String, _ expected: [UInt8]) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count == expected.count else { return false }
            var difference: UInt8 = 0
            for index in 0..<bytes.count { difference |= bytes[index] ^ expected[index] }
            return difference == 0
        }
    }
}
