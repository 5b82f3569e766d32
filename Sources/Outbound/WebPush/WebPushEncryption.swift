import Crypto

/// Message encryption for Web Push (RFC 8291): only the browser that subscribed can read a push.
struct WebPushEncryption: Sendable {
    /// Bytes of a whole body that each push service takes (RFC 8030, section 7.2).
    static let maximumBodyLength = 4096
    /// Bytes of plaintext that such a body holds: without header (86), delimiter (1) and tag (16).
    static let maximumPlaintextLength = 3993

    /// What must be fresh for each message.
    struct Material: Sendable {
        let ephemeralKey: P256.KeyAgreement.PrivateKey
        /// 16 bytes.
        let salt: [UInt8]

        /// From the system's random numbers.
        static func fresh() -> Material {
            Material(
                ephemeralKey: P256.KeyAgreement.PrivateKey(),
                salt: SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) })
        }
    }

    private let makeMaterial: @Sendable () -> Material

    /// - Parameter makeMaterial: called once for each message; it must never give the same twice.
    init(makeMaterial: @escaping @Sendable () -> Material = Material.fresh) {
        self.makeMaterial = makeMaterial
    }

    /// The body of a push. Throws for a plaintext above ``maximumPlaintextLength``.
    func body(_ plaintext: [UInt8], for subscription: PushSubscription) throws -> [UInt8] {
        guard plaintext.count <= Self.maximumPlaintextLength else { throw AES128GCMEncoding.TooLong() }
        let material = makeMaterial()
        return try AES128GCMEncoding.encode(
            plaintext, key: Self.inputKey(material.ephemeralKey, subscription), salt: material.salt,
            keyID: Array(material.ephemeralKey.publicKey.x963Representation))
    }

    /// The input keying material (RFC 8291, section 3.4): 32 bytes.
    static func inputKey(
        _ ephemeralKey: P256.KeyAgreement.PrivateKey, _ subscription: PushSubscription
    ) throws -> SymmetricKey {
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let secret = try ephemeralKey.sharedSecretFromKeyAgreement(with: receiver)
        return secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authenticationSecret,
            sharedInfo: keyInfo(receiver: receiver, sender: ephemeralKey.publicKey), outputByteCount: 32)
    }

    /// What ties the keying material to both sides: 144 bytes.
    static func keyInfo(receiver: P256.KeyAgreement.PublicKey, sender: P256.KeyAgreement.PublicKey) -> [UInt8] {
        Array("WebPush: info\u{0}".utf8) + receiver.x963Representation + sender.x963Representation
    }
}
