import ChatModel
import Crypto
import Formats
import Testing

@testable import Outbound

/// A browser's side of RFC 8291: opens what was encrypted for it.
struct PushReceiver {
    var key: P256.KeyAgreement.PrivateKey
    var secret: [UInt8]

    /// The receiver of ``SubscriptionExample``.
    static func example() throws -> PushReceiver {
        PushReceiver(
            key: try P256.KeyAgreement.PrivateKey(
                rawRepresentation: try #require(Base64URL.decode(SubscriptionExample.privateKey))),
            secret: try #require(Base64URL.decode(SubscriptionExample.secret)))
    }

    /// The plaintext, without delimiter. Throws for another record size, key length or delimiter than a push has.
    func open(_ body: [UInt8]) throws -> [UInt8] {
        try #require(Array(body[16..<21]) == [0, 0, 0x10, 0, 65])
        let salt = Array(body[0..<16])
        let sender = try P256.KeyAgreement.PublicKey(x963Representation: body[21..<86])
        let info = Array("WebPush: info\u{0}".utf8) + key.publicKey.x963Representation + sender.x963Representation
        let input = try key.sharedSecretFromKeyAgreement(with: sender).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret, sharedInfo: info, outputByteCount: 32)
        func derive(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: input, salt: salt, info: Array("Content-Encoding: \(name)\u{0}".utf8),
                outputByteCount: count)
        }
        let nonce = try derive("nonce", 12).withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
        let box = try AES.GCM.SealedBox(nonce: nonce, ciphertext: body[86...].dropLast(16), tag: body.suffix(16))
        let text = try AES.GCM.open(box, using: derive("aes128gcm", 16))
        try #require(text.last == 2)
        return Array(text.dropLast())
    }
}
