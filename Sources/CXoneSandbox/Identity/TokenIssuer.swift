import ChatModel
import Crypto
import CXoneWire
import Formats
import Foundation

/// How the clients of a channel say who they are. Each embedded channel can be reached in all four ways.
public enum SandboxAuthorization: String, Sendable, CaseIterable {
    /// `AuthorizeCustomer` on the socket, anonymous (sessions that are not secured).
    case anonymous
    /// A transaction token in the socket's URL, anonymous.
    case secured
    /// `AuthorizeCustomer` with an authorization code; access tokens.
    case oauth
    /// A transaction token, got for an authorization code.
    case securedOAuth

    /// Whether the socket's URL must have a transaction token.
    var isSecured: Bool { self == .secured || self == .securedOAuth }
    /// Whether customers log in, by an authorization code.
    var isOAuth: Bool { self == .oauth || self == .securedOAuth }
}

/// One entry point of the sandbox: an embedded channel, and how one authorises there.
public struct SandboxChannel: Sendable, Hashable {
    /// `chat_<uuid>`
    public let id: String
    /// The embedded channel's id.
    public let channel: String
    public let authorization: SandboxAuthorization
}

/// What a token of the sandbox says: its kind, for which customer and entry point, and how long it is valid.
struct TokenClaims: Sendable, Equatable {
    /// A token is accepted only for the kind that it was made for.
    enum Kind: String, Sendable {
        /// Opens a socket.
        case transaction
        /// Of a session that isn't secured, or a third party's.
        case access
        case refresh
        /// Fetches one message.
        case content
        /// Says who a browser's customer is, where a cookie would.
        case identity
    }

    var kind: Kind
    var customer: String
    /// The id of the entry point (``SandboxChannel/id``), not of the embedded channel.
    var channel: String
    /// Faults can make all tokens void that were issued up to a time.
    var issuedAt: Timestamp
    var expiresAt: Timestamp
    /// Keeps two tokens of one moment apart.
    var nonce: String
}

/// Makes and checks tokens. A token carries its claims and an HMAC-SHA-256; nothing is stored, so tokens survive a
/// restart.
struct TokenIssuer: Sendable {
    private let key: SymmetricKey

    init(key: [UInt8]) {
        // Not the gateway's key itself: what it signs means something else there.
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key), info: Data("cxone-sandbox".utf8), outputByteCount: 32)
    }

    /// `{claims}.{hmac}`, both in base64url. The claims are readable by whoever has the token.
    func token(_ claims: TokenClaims) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("k", claims.kind.rawValue)
        json.member("c", claims.customer)
        json.member("h", claims.channel)
        json.member("i", claims.issuedAt.milliseconds)
        json.member("e", claims.expiresAt.milliseconds)
        json.member("n", claims.nonce)
        json.endObject()
        let body = Data(json.bytes)
        return Self.text(body) + "." + Self.text(Data(HMAC<SHA256>.authenticationCode(for: body, using: key)))
    }

    /// The claims of a token that this sandbox signed for that kind; nil for any other text. Expiry is not
    /// checked here.
    func claims(_ token: String, kind: TokenClaims.Kind) -> TokenClaims? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let body = Self.data(parts[0]), let code = Self.data(parts[1]),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: key),
            let json = try? JSONParser.parse(Array(body)), json["k"]?.string == kind.rawValue,
            let customer = json["c"]?.string, let channel = json["h"]?.string, let nonce = json["n"]?.string,
            let issued = json["i"]?.integer, let expires = json["e"]?.integer
        else { return nil }
        return TokenClaims(
            kind: kind, customer: customer, channel: channel, issuedAt: Timestamp(milliseconds: issued),
            expiresAt: Timestamp(milliseconds: expires), nonce: nonce)
    }

    private static func text(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(_ text: Substring) -> Data? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
    }
}
