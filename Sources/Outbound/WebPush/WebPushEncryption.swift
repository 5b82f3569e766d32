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

/// The content encoding `aes128gcm` (RFC 8188), as far as pushes need it: one record.
enum AES128GCMEncoding {
    /// The record size that the header names: 4096 bytes, tag and delimiter included.
    static let recordSize = 4096
    /// Bytes beside the plaintext in a record: a delimiter and the tag of AES-GCM.
    private static let recordOverhead = 17

    /// The plaintext was too long for one record.
    struct TooLong: Error {}

    /// Salt, record size and key id, then the record. Only the last record ends with the delimiter 2, and this is the
    /// last.
    ///
    /// - Parameters:
    ///   - key: the input keying material.
    ///   - salt: 16 bytes that no other message with this key has.
    ///   - keyID: at most 255 bytes.
    static func encode(
        _ plaintext: [UInt8], key: SymmetricKey, salt: [UInt8], keyID: [UInt8]
    ) throws -> [UInt8] {
        guard plaintext.count <= recordSize - recordOverhead, let keyIDLength = UInt8(exactly: keyID.count) else {
            throw TooLong()
        }
        let keys = RecordKeys(key: key, salt: salt)
        let record = try AES.GCM.seal(plaintext + [2], using: keys.key, nonce: AES.GCM.Nonce(data: keys.nonce))
        let size = UInt32(recordSize).bigEndian
        return salt + withUnsafeBytes(of: size) { Array($0) } + [keyIDLength] + keyID + record.ciphertext + record.tag
    }

    /// What a record is sealed with. The first record's number is 0, so the nonce is used as it is derived.
    struct RecordKeys {
        /// 16 bytes.
        let key: SymmetricKey
        /// 12 bytes.
        let nonce: [UInt8]

        init(key: SymmetricKey, salt: [UInt8]) {
            func derive(_ name: String, _ count: Int) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: key, salt: salt, info: Self.info(name), outputByteCount: count)
            }
            self.key = derive("aes128gcm", 16)
            nonce = derive("nonce", 12).withUnsafeBytes { Array($0) }
        }

        static func info(_ name: String) -> [UInt8] { Array("Content-Encoding: \(name)\u{0}".utf8) }
    }
}
