import Crypto
import Formats

/// The header `x-sendbird-signature`: HMAC-SHA-256 of a webhook's bytes as they came, keyed with the application's master
/// token, in lower-case hexadecimal.
package struct SendbirdSignature: Sendable {
    package static let header = "x-sendbird-signature"

    private let key: SymmetricKey

    package init(masterToken: String) { key = SymmetricKey(data: Array(masterToken.utf8)) }

    package func text(of body: [UInt8]) -> String {
        Hexadecimal.encode(HMAC<SHA256>.authenticationCode(for: body, using: key))
    }

    /// Other letters than lower case are not taken: the platform writes none.
    package func accepts(_ signature: String, of body: [UInt8]) -> Bool { signature.isSecretly(text(of: body)) }
}

extension String {
    /// Whether both have the same bytes. It takes the same time wherever they differ, so that nobody can feel their way to
    /// a secret.
    package func isSecretly(_ secret: String) -> Bool {
        utf8.count == secret.utf8.count && zip(utf8, secret.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
