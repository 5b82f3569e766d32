import Crypto
import CryptoExtras
import Formats

/// A signed JSON Web Token (RFC 7515): `<header>.<claims>.<signature>`, each base64url.
enum JSONWebToken {
    /// Signs with ECDSA on P-256 and SHA-256 (RFC 7518, section 3.4). The signature is r and s, 64 bytes, not DER.
    ///
    /// - Parameters:
    ///   - header: a JSON object that names `"alg":"ES256"`.
    ///   - claims: a JSON object.
    static func es256(header: [UInt8], claims: [UInt8], key: P256.Signing.PrivateKey) throws -> String {
        try sign(header, claims) { try key.signature(for: $0).rawRepresentation }
    }

    /// Signs with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 7518, section 3.3).
    ///
    /// - Parameters:
    ///   - header: a JSON object that names `"alg":"RS256"`.
    ///   - claims: a JSON object.
    static func rs256(header: [UInt8], claims: [UInt8], key: _RSA.Signing.PrivateKey) throws -> String {
        try sign(header, claims) { try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation }
    }

    private static func sign(
        _ header: [UInt8], _ claims: [UInt8], _ sign: ([UInt8]) throws -> some Sequence<UInt8>
    ) rethrows -> String {
        let input = Base64URL.encode(header) + "." + Base64URL.encode(claims)
        return input + "." + Base64URL.encode(try sign(Array(input.utf8)))
    }
}
