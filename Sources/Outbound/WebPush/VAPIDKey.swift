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
