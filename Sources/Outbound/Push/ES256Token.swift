import ChatModel
import Crypto
import Formats

/// A JSON Web Token signed with ES256 (RFC 7515 and 7518): ECDSA on P-256 with SHA-256.
enum ES256Token {
    /// `<header>.<claims>.<signature>`, each base64url. The signature is r and s, 64 bytes, not DER.
    ///
    /// - Parameters:
    ///   - header: a JSON object that names `"alg":"ES256"`.
    ///   - claims: a JSON object.
    static func sign(header: [UInt8], claims: [UInt8], key: P256.Signing.PrivateKey) throws -> String {
        let input = Base64URL.encode(header) + "." + Base64URL.encode(claims)
        let signature = try key.signature(for: Array(input.utf8))
        return input + "." + Base64URL.encode(signature.rawRepresentation)
    }
}
