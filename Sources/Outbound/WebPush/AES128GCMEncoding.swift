import Crypto

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
