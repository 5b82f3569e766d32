import CNettle
import CZlib
import Glibc

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
package struct SHA256 {
    private var context = sha256_ctx()

    package init() { nettle_sha256_init(&context) }

    /// Adds the next piece; pieces must come in order.
    package mutating func update(_ bytes: [UInt8]) { nettle_sha256_update(&context, bytes.count, bytes) }

    /// The 32 bytes of the digest of everything so far. It changes nothing, so more pieces could follow.
    package func finish() -> [UInt8] {
        var copy = context
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { bytes, count in
            count = Int(SHA256_DIGEST_SIZE)
            nettle_sha256_digest(&copy, count, bytes.baseAddress)
        }
    }

    /// The 32 bytes of the digest of these bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}

/// Whether two secrets are the same. The time does not depend on where they differ, so nobody can guess one byte by byte;
/// only the length can be learned.
@inlinable
package func areSameSecret(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(one, other) { difference |= left ^ right }
    return difference == 0
}

/// SHA-512 (FIPS 180-4) of bytes that arrive in pieces.
struct SHA512 {
    private var context = sha512_ctx()

    init() { nettle_sha512_init(&context) }

    /// Adds the next piece; pieces must come in order.
    mutating func update(_ bytes: [UInt8]) { nettle_sha512_update(&context, bytes.count, bytes) }

    /// The 64 bytes of the digest of everything so far.
    func finish() -> [UInt8] {
        var copy = context
        return [UInt8](unsafeUninitializedCapacity: Int(SHA512_DIGEST_SIZE)) { bytes, count in
            count = Int(SHA512_DIGEST_SIZE)
            nettle_sha512_digest(&copy, count, bytes.baseAddress)
        }
    }
}

/// HMAC-SHA-256 (RFC 2104) with one key.
package struct MessageAuthentication: Sendable {
    /// The state after the key, from which each code begins.
    private let keyed: hmac_sha256_ctx

    package init(key: [UInt8]) {
        var context = hmac_sha256_ctx()
        nettle_hmac_sha256_set_key(&context, key.count, key)
        keyed = context
    }

    /// The 32 bytes of the code of these bytes.
    package func code(for bytes: [UInt8]) -> [UInt8] {
        var context = keyed
        nettle_hmac_sha256_update(&context, bytes.count, bytes)
        return [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { code, count in
            count = Int(SHA256_DIGEST_SIZE)
            nettle_hmac_sha256_digest(&context, count, code.baseAddress)
        }
    }
}

/// CRC-32 (ISO 3309) of bytes: finds mistyped characters. It proves nothing about who has written them.
package enum CRC32 {
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(bytes.count)))
    }
}
