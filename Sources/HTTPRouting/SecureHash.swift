import CCrypt
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

/// A password as crypt(5) keeps it: by yescrypt, which needs memory as well as time, so that guessing is dear also for those
/// who have stolen the database.
package enum PasswordHash {
    /// The beginning of a text with the present cost: 32 MiB of memory, and about 60 ms of a processor.
    package static let prefix = "$y$jAT$"
    private static let cost: UInt = 6

    /// More bytes than this no password may have: crypt(3) refuses 512.
    package static let maximumByteCount = 500

    /// What is to be kept of a password. It computes for long. Nil when there is no memory for it.
    package static func of(_ password: String) -> String? {
        guard let setting = crypt_gensalt_ra("$y$", cost, nil, 0) else { return nil }
        defer { free(setting) }
        return compute(password, String(cString: setting))
    }

    /// Whether this is the password of which ``of(_:)`` has made the text. It computes for long.
    package static func matches(_ password: String, _ hash: String) -> Bool {
        guard let computed = compute(password, hash) else { return false }
        return areSameSecret(computed.utf8, hash.utf8)
    }

    /// - Parameter setting: how to compute, as a hash begins, or a whole hash.
    private static func compute(_ password: String, _ setting: String) -> String? {
        // crypt(3) reads up to a NUL: the rest of the password would not count.
        guard password.utf8.count <= maximumByteCount, !password.utf8.contains(0) else { return nil }
        var data: UnsafeMutableRawPointer?
        var size: Int32 = 0
        defer { free(data) }
        guard let result = crypt_ra(password, setting, &data, &size) else { return nil }
        let text = String(cString: result)
        // Texts that begin with this stand for failures. No password may match them.
        return text.hasPrefix("*") ? nil : text
    }
}

/// CRC-32 (ISO 3309) of bytes: finds mistyped characters. It proves nothing about who has written them.
package enum CRC32 {
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(bytes.count)))
    }
}
