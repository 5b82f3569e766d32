import ChatModel
import Crypto
import Formats

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
