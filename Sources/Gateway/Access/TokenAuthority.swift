import ChatModel
import Formats
import HTTPRouting
import Synchronization

/// The secrets behind all tokens; the data folder keeps them.
public struct TokenSecrets: Sendable {
    /// The gateway's own tokens (`DIR/token`), the present one first. The others are on their way in or out.
    public var gatewayTokens: [String]
    /// The key for session tokens and tickets (`DIR/key`), at least 32 bytes. Another key makes all of them invalid.
    public var key: [UInt8]

    public init(gatewayTokens: [String], key: [UInt8]) {
        self.gatewayTokens = gatewayTokens
        self.key = key
    }

    public init(gatewayToken: String, key: [UInt8]) { self.init(gatewayTokens: [gatewayToken], key: key) }
}

/// Makes and checks tokens. Any thread may use it.
///
/// No session's token is stored: it is derived from the key, the session's id and the session's generation whenever it
/// is needed. A new generation makes all earlier tokens of the session invalid.
package final class TokenAuthority: Sendable {
    private let gatewayTokens: Mutex<[[UInt8]]>
    private let key: MessageAuthentication
    private let generation: @Sendable (String) -> Int?
    /// Valid tokens with their session and its generation at the time, to save the HMAC. Emptied when it has 4,096
    /// entries.
    private let verified = Mutex<[String: (session: String, generation: Int)]>([:])
    private static let capacity = 4096

    /// - Parameters:
    ///   - generation: the present generation of a session; nil when there is no such session.
    init(secrets: TokenSecrets, generation: @escaping @Sendable (String) -> Int?) {
        gatewayTokens = Mutex(secrets.gatewayTokens.map { Array($0.utf8) })
        key = MessageAuthentication(key: secrets.key)
        self.generation = generation
    }

    /// The token of a session: `<id>.<HMAC-SHA256 of id and generation, base64url>`. The same arguments always give the
    /// same token.
    package func token(session: String, generation: Int) -> String {
        "\(session).\(Self.derive(key, "session\u{0}\(session)\u{0}\(generation)"))"
    }

    /// Whom a valid token stands for.
    struct Holder: Sendable, Equatable {
        /// By what the request has shown who makes it, with what tells later whether that still holds.
        enum Proof: Sendable, Equatable {
            /// By nothing.
            case nothing
            /// By one of the gateway's tokens: this one.
            case gatewayToken([UInt8])
            /// By a session's token of this generation.
            case session(generation: Int)
            /// By the text of a key, which has this digest.
            case key(digest: [UInt8])
            /// By both halves of a login. One through a proxy counts until then: a stream cannot show the proxy's header
            /// again.
            case login(until: Timestamp?)
            /// By the user of a UNIX socket.
            case user
            /// By a ticket for one address until then, which somebody got by another proof.
            indirect case ticket(until: Timestamp, of: Proof)
        }

        let identity: Identity
        var proof = Proof.nothing
    }

    /// The session for which a token would be, whether it is valid or not; nil for the gateway's token.
    func session(in token: String) -> String? {
        guard gatewayToken(equalTo: token.utf8) == nil, let dot = token.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            return nil
        }
        return String(token[..<dot])
    }

    /// The holder of the token; nil when the token is not valid, or its session is gone or has another generation.
    ///
    /// - Parameter read: a session's generation that the caller has read from the store.
    func holder(of token: String, read: (session: String, generation: Int?)? = nil) -> Holder? {
        if let own = gatewayToken(equalTo: token.utf8) { return Holder(identity: .gateway, proof: .gatewayToken(own)) }
        let generation = { [generation] (session: String) in
            read?.session == session ? read?.generation : generation(session)
        }
        if let known = verified.withLock({ $0[token] }) {
            guard generation(known.session) == known.generation else { return nil }
            return Holder(identity: .session(known.session), proof: .session(generation: known.generation))
        }
        guard let session = session(in: token), let generation = generation(session) else { return nil }
        guard areSameSecret(token.utf8, self.token(session: session, generation: generation).utf8) else { return nil }
        verified.withLock { verified in
            if verified.count >= Self.capacity { verified.removeAll(keepingCapacity: true) }
            verified[token] = (session, generation)
        }
        return Holder(identity: .session(session), proof: .session(generation: generation))
    }

    /// The present generation of a session; nil when there is no such session in memory.
    func generation(of session: String) -> Int? { generation(session) }

    /// Takes other tokens of the gateway in place of those so far, the present one first.
    func replaceGatewayTokens(_ tokens: [String]) { gatewayTokens.withLock { $0 = tokens.map { Array($0.utf8) } } }

    /// The token of the gateway that the text is; nil for any other text.
    func gatewayToken(equalTo text: some Collection<UInt8>) -> [UInt8]? {
        gatewayTokens.withLock { $0 }.first { areSameSecret(text, $0) }
    }

    /// A name that holds for one holder alone, made of one that nobody else has: `<name>.<HMAC-SHA256, base64url>`. It
    /// ends with the session's token. Nothing is stored.
    package func bound(_ name: String, to identity: Identity) -> String {
        bound(name, to: identity, gatewayToken: gatewayTokens.withLock { $0 }.first ?? [])
    }

    private func bound(_ name: String, to identity: Identity, gatewayToken: [UInt8]) -> String {
        let holder =
            switch identity {
            case .nobody: ""
            case .gateway, .operator: String(decoding: gatewayToken, as: UTF8.self)
            case .session(let id): "\(id)\u{0}\(generation(id) ?? 0)"
            case .key, .person: identity.name
            }
        return "\(name).\(Self.derive(key, "bound\u{0}\(name)\u{0}\(holder)"))"
    }

    /// Whether ``bound(_:to:)`` made the name for this token, or for another one of the gateway's.
    package func isBound(_ name: String, to identity: Identity) -> Bool {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let inner = String(name[..<dot])
        return gatewayTokens.withLock { $0 }
            .contains { areSameSecret(name.utf8, bound(inner, to: identity, gatewayToken: $0).utf8) }
    }

    /// The first 16 bytes of a code that only this gateway can make of the text, as base64url.
    ///
    /// - Parameter purpose: no two kinds of text have the same.
    func seal(_ text: String, for purpose: String) -> String {
        Base64URL.encode(Array(key.code(for: Array("\(purpose)\u{0}\(text)".utf8)).prefix(16)))
    }

    /// The same code in full, 43 characters. Texts begin with their purpose.
    func code(_ text: String) -> String { Self.derive(key, text) }

    /// HMAC-SHA256 of the text, as base64url. Texts begin with their purpose, so that a token of one kind never equals
    /// one of another.
    private static func derive(_ key: MessageAuthentication, _ text: String) -> String {
        Base64URL.encode(key.code(for: Array(text.utf8)))
    }
}
