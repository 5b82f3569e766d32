/// Computes the digests of a body that arrives in pieces, for `Repr-Digest` (RFC 9530).
///
/// SHA-256 is always computed, because it also identifies the stored file; SHA-512 only on demand.
package struct BodyDigest {
    /// The finished digests as bytes.
    package struct Values {
        /// 32 bytes.
        package var sha256: [UInt8]
        /// 64 bytes; nil unless SHA-512 was requested.
        package var sha512: [UInt8]?
    }

    private var sha256 = SHA256()
    private var sha512: SHA512?

    /// - Parameter needsSHA512: whether the client sent a SHA-512 to compare with.
    package init(needsSHA512: Bool) { sha512 = needsSHA512 ? SHA512() : nil }

    /// Adds the next piece of the body; pieces must come in order.
    package mutating func update(_ bytes: [UInt8]) {
        sha256.update(bytes)
        sha512?.update(bytes)
    }

    /// The digests of everything so far. It changes nothing, so more pieces could follow.
    package func finish() -> Values {
        Values(sha256: sha256.finish(), sha512: sha512?.finish())
    }
}
