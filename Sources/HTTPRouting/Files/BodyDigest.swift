import Crypto

/// The digests of a body that is read piece by piece.
package struct BodyDigest {
    package struct Values {
        package var sha256: [UInt8]
        /// Nil unless it was asked for.
        package var sha512: [UInt8]?
    }

    private var sha256 = SHA256()
    private var sha512: SHA512?

    package init(needsSHA512: Bool) { sha512 = needsSHA512 ? SHA512() : nil }

    package mutating func update(_ bytes: [UInt8]) {
        sha256.update(data: bytes)
        sha512?.update(data: bytes)
    }

    package func finish() -> Values {
        Values(sha256: Array(sha256.finalize()), sha512: sha512.map { Array($0.finalize()) })
    }
}
